"""Learners whose validation differs from what was fixed, or from what δ covers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from steel_verified.evidence import observed
from steel_verified.learning import located
from steel_verified.learning.located import Located, _closed, checked
from steel_verified.theory.validation import round_share, validation_samples

from ..broken import Broken, listed_in
from .scenes import ALONE, CROWDED, HASTY, random_scene

if TYPE_CHECKING:
    from fractions import Fraction

    from steel_verified.learning.model import Model

    from .attempts import Attempt

BROKEN: Final[list[Broken[Attempt]]] = []
broken = listed_in(BROKEN)


@broken("walk")
def a_walk_that_misses_a_state(at: Attempt) -> None:
    """The missing state is checked where another state is visited."""
    at.scene = random_scene(381)
    at.edit(
        _closed,
        "covering_cycle(model, states[current], at_least=apart)",
        "missing_one(model, states[current], apart)",
        "visited.index(label) + 1",
        "(visited.index(label) if label in visited else 0) + 1",
    )

    def missing_one(model: Model, home: int, at_least: int) -> tuple[int, ...]:
        """Return a walk that uses only action 0."""
        length, here = 0, home
        while length < at_least or here != home:
            length += 1
            here = model.table[here][0] or 0
        return (0,) * length

    at.patch.setattr(located, "missing_one", missing_one, raising=False)


@broken("InvalidArgument")
def a_walk_shorter_than_the_mixing_time(at: Attempt) -> None:
    at.edit(_closed, "at_least=apart", "at_least=1")


@broken("walk")
def a_walk_twice_as_long(at: Attempt) -> None:
    """Samples that are farther apart need fewer passes."""
    at.scene = random_scene(261)
    at.edit(_closed, "at_least=apart", "at_least=2 * apart")


@broken("walk")
def the_last_visit_of_each_state(at: Attempt) -> None:
    at.edit(
        _closed,
        "visited.index(label) + 1",
        "len(visited) - visited[::-1].index(label)",
    )


@broken("rows")
def visits_changed_after_looking(at: Attempt) -> None:
    """The fixed values are changed: from the second pass on, the last visit of each state."""
    at.edit(
        checked,
        "    validation, done =",
        "    walk = visits(validating.model, validating.home, validating.validation.walk)\n"
        "    last = tuple(len(walk) - walk[::-1].index(s) for s in range(len(set(walk))))\n"
        "    if validating.done == 1:\n"
        "        validation, done = validating.validation, 2\n"
        "        failed, samples, ledger = check_pass(state.ledger, loop, oracle, validation)\n"
        "        object.__setattr__(validation, 'visits', last)\n"
        "        stage = replace(validating, done=2, seen=(samples,))\n"
        "        return replace(state, ledger=ledger, stage=stage)\n"
        "    validation, done =",
    )


@broken("InvalidArgument")
def the_walk_fixed_after_its_first_pass(at: Attempt) -> None:
    """The first pass is counted as done when the validation is fixed."""
    at.edit(_closed, "kept, states[current])", "kept, states[current], done=1)")


@broken("InvalidArgument")
def the_first_pass_counted(at: Attempt) -> None:
    at.edit(checked, "if validating.done == 0:", "if validating.done < 0:")


@broken("InvalidArgument")
def rows_of_training_used_for_judging(at: Attempt) -> None:
    """The pass is read from the plan that was run before the validation was fixed."""
    held: list[object] = []
    at.edit(checked, "check_pass(state.ledger, loop,", "check_pass(state.ledger, first_of(loop),")

    def first_of(loop: object) -> object:
        held.append(loop)
        return held[0] if len(held) > 1 else loop

    at.patch.setattr(located, "first_of", first_of, raising=False)


@broken("checks")
def classifiers_trained_again_on_the_rows_that_judge_them(at: Attempt) -> None:
    """The classifier that would fail is replaced in time by one that fits all rows."""
    at.scene = HASTY
    at.edit(
        checked,
        "failed, samples, ledger =",
        "better = tuple(f or 1 for f in validation.classifiers)\n"
        "    object.__setattr__(validation, 'classifiers', better)\n"
        "    failed, samples, ledger =",
    )


@broken("plans")
def a_failure_overlooked(at: Attempt) -> None:
    at.scene = HASTY
    at.edit(
        checked,
        "state = replace(state, ledger=ledger)",
        "state, failed = replace(state, ledger=ledger), ()",
    )


@broken("plans")
def one_failure_forgiven(at: Attempt) -> None:
    at.scene = HASTY
    at.edit(checked, "if not failed and done <=", "if done <")


@broken("order")
def rows_of_a_failed_round_thrown_away(at: Attempt) -> None:
    at.scene = HASTY
    at.edit(checked, "state = with_samples(state, label, samples_of_label, oracle)", "pass")


@broken("passes")
def one_pass_fewer(at: Attempt) -> None:
    def fewer(epsilon: Fraction, gap: int, share: Fraction) -> int:
        return validation_samples(epsilon, gap, share) - 1

    at.patch.setattr(observed, "validation_samples", fewer)


@broken("order")
def the_last_pass_left_out(at: Attempt) -> None:
    at.edit(checked, "done <= validation.passes", "done < validation.passes")


@broken("passes")
def all_of_delta_for_the_first_round(at: Attempt) -> None:
    at.patch.setattr(observed, "round_share", lambda delta, number: delta / number)


@broken("charges")
def a_charge_below_the_share(at: Attempt) -> None:
    """The number of passes fits the share, but less than the share is charged."""

    def needed(epsilon: Fraction, gap: int, share: Fraction) -> int:
        return validation_samples(epsilon, gap, 2 * share)

    at.patch.setattr(observed, "validation_samples", needed)
    at.patch.setattr(observed, "round_share", lambda delta, k: round_share(delta, k) / 2)


@broken("passes")
def a_second_round_as_cheap_as_the_first(at: Attempt) -> None:
    at.scene = HASTY
    at.patch.setattr(observed, "round_share", lambda delta, _: round_share(delta, 1))


@broken("bounds")
def one_state_accepted(at: Attempt) -> None:
    at.scene = ALONE
    at.edit(_closed, "len(kept) == 1 < state.bound", "False")


@broken("order")
def more_states_than_allowed_accepted(at: Attempt) -> None:
    at.scene = CROWDED
    at.edit(_closed, "len(kept) > state.bound or ", "")


@broken("InvalidArgument")
def a_plan_of_two_passes(at: Attempt) -> None:
    at.edit(
        Located.next_plan,
        "Plan(validation.walk, length, done",
        "Plan(validation.walk, 2 * length, done",
    )


@broken("InvalidArgument")
def labels_kept_from_which_there_is_no_way_back(at: Attempt) -> None:
    at.scene = random_scene(527)
    at.edit(_closed, "labels.terminal(current)", "frozenset(labels.rows)")
