"""The paper's figures, drawn from real runs and schedules (extra `plots`).

Each module has two parts: what is to be drawn, as frozen data computed from the learner itself, and
a thin layer that draws it.
"""

from steel_verified.errors import missing_extra

try:
    import matplotlib as _matplotlib  # noqa: F401 (asked for here, so that its absence is explained)
except ImportError as _missing:
    raise missing_extra("plots", _missing) from _missing
