"""Public functions that are given something else altogether say what they expect."""

from __future__ import annotations

import pytest

from steel_verified import Learned
from steel_verified.classes.finite import Components
from steel_verified.errors import InvalidArgument
from steel_verified.reports.figures.preflight import preflight_figure
from steel_verified.worlds import predict


def test_predict_names_the_parameters() -> None:
    with pytest.raises(InvalidArgument, match="parameters = int: expected Parameters"):
        predict(3)  # type: ignore[arg-type]  # the mistake is the point


def test_learned_names_the_result() -> None:
    with pytest.raises(InvalidArgument, match="result = int: expected what `learn` returned"):
        Learned.of(42, Components(2))  # type: ignore[arg-type]  # the mistake is the point


def test_preflight_figure_names_the_report() -> None:
    with pytest.raises(InvalidArgument, match="report = str: expected what `preflight` returned"):
        preflight_figure("x")  # type: ignore[arg-type]  # the mistake is the point
