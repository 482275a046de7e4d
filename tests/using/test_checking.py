"""The independent checker checks the certificate of a learned model."""

from __future__ import annotations

import json

import pytest

from steel_verified.classes.finite import Components
from steel_verified.errors import InvalidArgument, SteelError
from steel_verified.using import verdict as checking
from steel_verified.using.verdict import check_certificate

from ..certificates.content import as_json, written
from .material import one_lock, ring


def test_checker_accepts_the_certificate_of_a_run() -> None:
    verdict = one_lock().learned.check()
    assert verdict.accepted
    assert not verdict.findings
    assert any("unbroken trajectory" in each for each in verdict.assumptions)
    assert "δ" in verdict.meaning or "probability" in verdict.meaning


def test_checker_rejects_a_changed_table() -> None:
    content = json.loads(as_json(one_lock().learned.certificate("a lock", noise_seed=1)))
    assert content["provenance"]["world"] == "a lock"
    assert content["provenance"]["noise_seed"] == 1
    content["table"][0] = content["table"][0][::-1]
    verdict = check_certificate(written(content))
    assert (verdict.verdict, verdict.accepted) == ("rejected", False)
    assert verdict.findings


def test_checker_calls_other_bytes_malformed() -> None:
    verdict = check_certificate(b"nothing")
    assert (verdict.verdict, verdict.accepted) == ("malformed", False)
    assert "JSON" in verdict.message


def test_checking_a_model_without_a_run_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="what `learn` returned"):
        ring(Components(4), [0, 1, 2]).check()


def test_checker_that_crashes_raises_steel_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "_folder_of_the_checker", lambda: "/")
    with pytest.raises(SteelError, match="the checker failed with exit code 1"):
        check_certificate(b"{}")
