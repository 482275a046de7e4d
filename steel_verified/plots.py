"""Pictures of what you have (extra `plots`): a preflight, and learned models.

    preflight_figure(preflight(world, oracle)).savefig("preflight.png")
    model_figure(learned, way=learned.follow(world, to=3)).savefig("model.png")
    factors_figure(learned_factors).savefig("factors.png")

Each is a figure of matplotlib: save it, or change it first.
"""

from steel_verified.reports.figures.worlds import factors_figure, model_figure, preflight_figure

__all__ = ["factors_figure", "model_figure", "preflight_figure"]
