"""Pictures of what you have (extra `plots`): a preflight, and a learned model.

    preflight_figure(preflight(world, oracle)).savefig("preflight.png")
    model_figure(learned, way=learned.follow(world, to=3)).savefig("model.png")

Each is a figure of matplotlib: save it, or change it first.
"""

from steel_verified.reports.figures.worlds import model_figure, preflight_figure

__all__ = ["model_figure", "preflight_figure"]
