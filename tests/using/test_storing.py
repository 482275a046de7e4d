"""Learned models are saved, loaded, checked and compared with known dynamics."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from steel_verified.classes.features import Featured
from steel_verified.classes.finite import Components, Predicates, predicates, tables
from steel_verified.classes.half_spaces import HalfSpaces, Witnessed
from steel_verified.errors import InvalidArgument, SteelError, Unreadable
from steel_verified.evidence.codec import sealed
from steel_verified.learning.model import Model
from steel_verified.using import verdict as checking
from steel_verified.using.encoder import Encoder
from steel_verified.using.learned import Learned
from steel_verified.using.verdict import check_certificate
from steel_verified.worlds.dynamics import Dynamics

from ..certificates.content import as_json, written
from .material import RING, one_lock, ring
from .test_encoding import BITS, NUMBERS, ON_BITS, ON_NUMBERS, STAIRS

if TYPE_CHECKING:
    from pathlib import Path

    from steel_verified.classes.rows import Numbers
    from steel_verified.evidence.codec import Json


SAVED = {name: each for name, each in ON_NUMBERS.items() if name != "fitted"}


def _same(one: Learned, other: Learned) -> bool:
    return (one.model, one.current, one.steps, one.guarantee) == (
        other.model,
        other.current,
        other.steps,
        other.guarantee,
    )


@pytest.mark.parametrize(
    ("learned", "rows"),
    [
        *((each, BITS) for each in ON_BITS.values()),
        *((each, NUMBERS) for each in SAVED.values()),
        (ring(tables([[True, False, False], [False, True, True]]), [0, 1, 1]), [0, 1, 2]),
    ],
    ids=[*ON_BITS, *SAVED, "tables"],
)
def test_loaded_model_gives_the_same_labels_as_the_saved_one(
    tmp_path: Path, learned: Learned, rows: list[object]
) -> None:
    file = tmp_path / "learned.json"
    learned.save(file)
    loaded = Learned.load(file)
    assert _same(loaded, learned)
    assert loaded.encode(rows).tolist() == learned.encode(rows).tolist()
    assert loaded.state_of(rows[1]) == 1
    again = tmp_path / "again.json"
    loaded.save(again)
    assert again.read_bytes() == file.read_bytes()


def test_model_without_an_encoder_is_saved_and_loaded(tmp_path: Path) -> None:
    Learned(RING, 1, 5, None, None).save(tmp_path / "m.json")
    loaded = Learned.load(tmp_path / "m.json")
    assert loaded.encoder is None
    assert loaded.guarantee is None
    assert loaded.plan(to=0) == (1,)


LETTERS: Predicates[str] = predicates(str.isupper, str.islower, str.isdigit)


def _doubled(rows: Numbers) -> Numbers:
    return rows.astype(np.float64) * 2


TWICE = Featured(_doubled, HalfSpaces(2))
WITNESSED_TWICE = Featured(_doubled, Witnessed(HalfSpaces(2)))


@pytest.mark.parametrize("oracle", [TWICE, WITNESSED_TWICE])
def test_loading_needs_the_class_with_its_feature_function(
    tmp_path: Path, oracle: Featured[Numbers, Numbers]
) -> None:
    file = tmp_path / "m.json"
    ring(oracle, STAIRS).save(file)
    with pytest.raises(InvalidArgument, match="functions = None: expected the class with which"):
        Learned.load(file)
    assert Learned.load(file, TWICE).encode(np.array(NUMBERS) / 2).tolist() == [0, 1, 2]
    with pytest.raises(InvalidArgument, match="expected a class that has the classifiers"):
        Learned.load(file, Featured(_doubled, HalfSpaces(3)))
    with pytest.raises(InvalidArgument, match="expected a class that has the classifiers"):
        Learned.load(file, HalfSpaces(2))


def test_loading_needs_the_predicates(tmp_path: Path) -> None:
    file = tmp_path / "m.json"
    ring(LETTERS, [0, 1, 2]).save(file)
    assert Learned.load(file, LETTERS).encode(["A", "7", "b"]).tolist() == [0, 2, 1]
    with pytest.raises(InvalidArgument, match="expected a class that has the classifiers"):
        Learned.load(file, predicates(str.isupper))


def test_loading_refuses_a_class_that_the_file_has(tmp_path: Path) -> None:
    ON_BITS["components"].save(tmp_path / "m.json")
    with pytest.raises(InvalidArgument, match="expected nothing: the file has its class"):
        Learned.load(tmp_path / "m.json", Components(4))


def test_saving_fitted_functions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="a function cannot be written"):
        ON_NUMBERS["fitted"].save(tmp_path / "m.json")
    assert not list(tmp_path.iterdir())


RIGHT: dict[str, Json] = {
    "method": "located",
    "delta": "1/20",
    "epsilon": "1/10",
    "certified": True,
}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"on_features": 1}, r"Expected `bool`, got `int` - at `\$.on_features`"),
        ({"guarantee": 7}, r"got `int` - at `\$.guarantee`"),
        ({"guarantee": {"delta": "1/20"}}, r"missing required field `method` - at `\$.guarantee`"),
        *(
            ({"guarantee": {**RIGHT, field: value}}, said)
            for field, value, said in (
                ("delta", "0.05", r"'0.05' is not a Fraction - at `\$.guarantee.delta`"),
                ("delta", "1e-999999999", r"is not a Fraction - at `\$.guarantee.delta`"),
                ("epsilon", "1/0", r"'1/0' is not a Fraction - at `\$.guarantee.epsilon`"),
                ("epsilon", "3/2", "epsilon = 3/2: expected a fraction between 0 and 1"),
                ("method", "guessed", r"enum value 'guessed' - at `\$.guarantee.method`"),
                ("certified", 1, r"Expected `bool`, got `int` - at `\$.guarantee.certified`"),
                ("more", 1, "contains unknown field `more`"),
            )
        ),
    ],
)
def test_loading_an_invalid_file_is_refused(
    tmp_path: Path, change: dict[str, Json], said: str
) -> None:
    file = tmp_path / "m.json"
    ON_BITS["components"].save(file)
    content = json.loads(file.read_bytes())
    del content["digest"]
    file.write_bytes(sealed({**content, **change}))
    with pytest.raises(Unreadable, match=said):
        Learned.load(file)


def test_checker_accepts_the_certificate_of_a_run() -> None:
    verdict = one_lock().learned.check()
    assert verdict.accepted
    assert not verdict.findings
    assert str(verdict).startswith("Accepted.\nTo believe:\n- ")
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


def test_checking_a_model_without_a_run_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="what `learn` returned"):
        ring(Components(4), [0, 1, 2]).check()


def test_checker_that_crashes_raises_steel_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "_folder_of_the_checker", lambda: "/")
    with pytest.raises(SteelError, match="the checker failed with exit code 1"):
        check_certificate(b"{}")


TRUTH = Dynamics(((1, 0), (2, 0), (0, 0)))
SHOWN = [[[1, 0, 0, 0], [1, 0, 0, 1]], [[0, 1, 0, 0]], [[0, 0, 1, 1]]]
"""Bit s shows state s; the last bit is noise."""
RENAMED = ((1, 1), (2, 1), (0, 1))
"""The true dynamics if the states 0, 1, 2 have the labels 1, 2, 0."""


def learned(table: tuple[tuple[int, ...], ...], bits: tuple[int, ...]) -> Learned:
    encoder = Encoder(Components(4), bits)
    return Learned(Model(2, table), 0, 1, None, encoder)


def test_renaming_returns_the_label_of_each_true_state() -> None:
    assert learned(TRUTH.table, (0, 1, 2)).renaming(TRUTH, SHOWN) == (0, 1, 2)
    assert learned(RENAMED, (2, 0, 1)).renaming(TRUTH, SHOWN) == (1, 2, 0)


@pytest.mark.parametrize(
    ("table", "bits"),
    [
        pytest.param(((1, 1), (2, 0), (0, 1)), (2, 0, 1), id="a wrong transition"),
        pytest.param(RENAMED, (2, 1, 0), id="two states exchanged by the encoder"),
        pytest.param(RENAMED, (3, 0, 1), id="an encoder that reads the noise"),
        pytest.param(((1, 0), (0, 0)), (0, 1), id="a state is missing"),
        pytest.param((*TRUTH.table, (0, 0)), (0, 1, 2, 3), id="a state too many"),
    ],
)
def test_renaming_of_a_wrong_model_is_none(
    table: tuple[tuple[int, ...], ...], bits: tuple[int, ...]
) -> None:
    assert learned(table, bits).renaming(TRUTH, SHOWN) is None
    misread = [[*SHOWN[0], [0, 1, 0, 1]], *SHOWN[1:]]
    assert learned(TRUTH.table, (0, 1, 2)).renaming(TRUTH, misread) is None


def test_renaming_is_none_if_two_states_share_a_label() -> None:
    """With one label for both states, each action leads from label to label as in the truth."""
    switch = Dynamics(((1, 0), (0, 1)))
    shown = [[[1, 0, 0, 1]], [[0, 1, 0, 1]]]
    assert learned(switch.table, (0, 1)).renaming(switch, shown) == (0, 1)
    assert learned(((0, 0),), (3,)).renaming(switch, shown) is None
    with_a_label_left_over = ((0, 0), (0, 0))
    assert learned(with_a_label_left_over, (3, 2)).renaming(switch, shown) is None


def test_renaming_without_observations_of_a_state_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="2 of them: expected 3 datasets, one for each"):
        learned(TRUTH.table, (0, 1, 2)).renaming(TRUTH, SHOWN[:2])
