"""The paper's figures, drawn from real runs and schedules (extra `plots`)."""

from steel_verified.errors import missing_extra

try:
    import matplotlib as _matplotlib  # noqa: F401 (asked for here, so that its absence is explained)
except ImportError as _missing:
    raise missing_extra("plots", _missing) from _missing
