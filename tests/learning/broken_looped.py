"""Small changes to the looped learner, each of which breaks the guarantee; names say how."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from steel_verified.classes.finite import Marks
from steel_verified.classes.rows import BitRows, PackedBits
from steel_verified.evidence.observed import find_labels, find_period, read, train
from steel_verified.evidence.oracle import Searched, of_kind
from steel_verified.evidence.plans import Plan
from steel_verified.learning import looped
from steel_verified.learning.graph import escaping_word
from steel_verified.learning.looped import Cycle, Dataset, Looped, State
from steel_verified.learning.model import Model
from steel_verified.theory import budget, counts, schedules
from steel_verified.theory.progressions import Progression
from steel_verified.worlds.catalogue import setting
from steel_verified.worlds.combination_lock import combination_lock

from .broken import Attempt, broken, edit, other_constants, put, reports, with_table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pytest

    from steel_verified.evidence.ledger import Ledger
    from steel_verified.evidence.oracle import Class, Classifier, Summary
    from steel_verified.evidence.plans import Trajectory, World
    from steel_verified.evidence.sealed import Loop, Sample
    from steel_verified.learning.results import Accepted
    from steel_verified.theory.budget import Charge
    from steel_verified.theory.parameters import Parameters

    from .broken import Broken, Change

    Tests = Sequence[tuple[int, Sample, Sample]]
    Samples = Sequence[Sample]
    Labels = tuple[int, ...]
    Ask = Callable[[Tests, Ledger], tuple[int, Ledger]]

LOCK: Final = combination_lock(7, states=3, components=12, least_noise=0.1)
PARAMETERS: Final = replace(
    setting("combination-lock", states=3, components=12).parameters,
    max_states=4,
    max_diameter=3,
    mixing_time=25,
)


def begun(patch: pytest.MonkeyPatch, *, with_encoder: bool = True) -> Attempt:
    """Return an attempt that is right so far."""
    method = Looped(PARAMETERS, LOCK.first_action, with_encoder)
    return Attempt(patch, LOCK.world(5), LOCK.oracle(), method)


# --- samples --------------------------------------------------------------------------------------

POSITIONS: Final = "position_times(parameters, len(call.word), call.period)"
TESTS: Final = "tuple(period_tests(parameters, len(loop.plan.word)))"


def positions(change: str) -> Change:
    """Change the times `p` of each position."""
    return edit(looped._cycle, POSITIONS, f"tuple({change} for p in {POSITIONS})")  # noqa: SLF001


def period_tests(change: str) -> Change:
    """Change the list TESTS of period tests."""
    return edit(looped._period, TESTS, change.replace("TESTS", TESTS))  # noqa: SLF001


def by_the_noise(at: Attempt) -> None:
    """The oracle stores what it saw, and the learner uses it."""
    seen: list[Marks] = []
    honest = at.oracle

    def remembering(zeros: Summary, ones: Summary) -> Classifier | None:
        seen.extend(of_kind(Marks, ones))
        return honest.separating(zeros, ones)

    def chosen(*given: object) -> tuple[schedules.PositionTimes, ...]:
        found = schedules.position_times(*given)  # type: ignore[arg-type]  # as it is called
        back = -1 - seen[-1].some % 2
        return tuple(replace(p, late=p.late.shifted(back)) for p in found)

    at.oracle = Searched(honest, remembering)
    at.patch.setattr(looped, "position_times", chosen)


def halves_close(p: Parameters, length: int, period: int) -> tuple[schedules.PositionTimes, ...]:
    """Each position alone is right, but some late halves are too close to other early halves."""
    found = schedules.position_times(p, length, period)
    last = max(position.early.last for position in found)
    soon = last + p.mixing_time - 1
    return tuple(
        each if each.early.last == last else replace(each, late=replace(each.late, first=soon))
        for each in found
    )


FOR_FOUR: Final = "[replace(t, zeros={}) if t.hypothesis == 4 else t for t in TESTS]"
"""Changes D_0 of one hypothesis."""
CLOSE = "replace(p.{0}, levels=(replace(p.{0}.levels[0], stride=parameters.mixing_time - 1),))"
SAMPLES: dict[str, Broken] = {
    "one sample fewer at each position": broken(
        "times", positions("replace(p, early=shortened(p.early), late=shortened(p.late))")
    ),
    "half as many samples, as if δ were larger": broken(
        "times", put(schedules, position_samples=lambda p: counts.position_samples(p) // 2)
    ),
    "one repetition fewer in period tests": broken(
        "times",
        put(
            schedules,
            period_test_repetitions=lambda *given: counts.period_test_repetitions(*given) - 1,
        ),
    ),
    "samples one step too close": broken(
        "TooClose",
        positions(f"replace(p, early={CLOSE.format('early')}, late={CLOSE.format('late')})"),
    ),
    "late half right after the early one": broken(
        "TooClose", positions("replace(p, late=p.late.shifted(p.early.last + 24 - p.late.first))")
    ),
    "late halves too soon after the early ones of other positions": broken(
        "TooClose", put(looped, position_times=halves_close)
    ),
    "samples too soon after the last call": broken(
        "TooClose",
        positions("replace(p, early=p.early.shifted(1 - p.early.first)) if known else p"),
    ),
    "the first row of D_0 too soon after D_1": broken(
        "TooClose",
        period_tests(FOR_FOUR.format("replace(t.zeros, first=t.ones.first + t.apart - 1)")),
    ),
    "the last row of D_0 too soon before D_1": broken(
        "TooClose",
        period_tests(
            FOR_FOUR.format(
                "t.zeros.shifted(t.ones.first + t.ones.levels[0].stride - t.apart + 1"
                " - t.row(3).first)"
            )
        ),
    ),
    "halves swapped": broken("times", positions("replace(p, early=p.late, late=p.early)")),
    "positions off by one": broken(
        "DETERMINISTIC",
        positions("replace(p, early=p.early.shifted(-1), late=p.late.shifted(-1))"),
    ),
    "positions one cycle early, before the loop is in its cycle": broken(
        "TooClose", positions("replace(p, early=p.early.shifted(-len(call.word) * call.period))")
    ),
    "ones of period tests off by one": broken(
        "times", period_tests("[replace(t, ones=t.ones.shifted(-1)) for t in TESTS]")
    ),
    "sampling before the loop has settled": broken(
        "times", put(schedules, settling_time=lambda _, word_length: word_length)
    ),
    "times chosen by the noise": broken("times", by_the_noise),
    "the largest hypothesis skipped": broken("times", period_tests("TESTS[1:]")),
    "hypotheses from 2 up": broken("times", period_tests("TESTS[::-1]")),
}


# --- words, roll-outs and tours -------------------------------------------------------------------

AFTER_CALL, TOUR = looped._after_call, looped._tour_samples  # noqa: SLF001 (they are the learner's)
COVERING = "covering_cycle(model, home, at_least=p.mixing_time)"


def one_look_more(
    ledger: Ledger, loop: Loop[BitRows], *given: object
) -> tuple[tuple[Sample, ...], Ledger]:
    """Rows at other times are read first; only the right rows are used."""
    _, ledger = read(ledger, loop, LOCK.oracle(), ((Progression(30),),))
    return read(ledger, loop, *given)  # type: ignore[arg-type]  # as it is called


def stopped_early(at: Attempt) -> None:
    """Exploration stops when all states are known, even if transitions are unknown."""
    at.method = Looped(PARAMETERS, LOCK.first_action, with_encoder=False)
    at.patch.setattr(Model, "is_total", property(lambda model: model.states == 3))


PLANS: dict[str, Broken] = {
    "a roll-out too short for its samples": broken(
        "InvalidArgument",
        put(
            looped,
            cycle_find_steps=lambda *given: (
                counts.cycle_find_steps(*given) - PARAMETERS.mixing_time
            ),
        ),
    ),
    "a roll-out one step short, after its samples": broken(
        "plans", put(looped, initial_rollout=lambda *given: counts.initial_rollout(*given) - 1)
    ),
    "a roll-out one step long": broken(
        "plans", put(looped, initial_rollout=lambda *given: counts.initial_rollout(*given) + 1)
    ),
    "a look before the rows are read": broken("times", put(looped, read=one_look_more)),
    "a first word of two actions": broken(
        "words", edit(Looped.begin, "(self.first_action,)", "(0, 1)")
    ),
    "a word that does not escape": broken(
        "DETERMINISTIC", put(looped, escaping_word=lambda _: (0,))
    ),
    "a longer word than the shortest": broken(
        "words", put(looped, escaping_word=lambda model: (*escaping_word(model), 0))
    ),
    "exploration stopped early": broken("order", stopped_early),
    "a tour without its silent pass": broken(
        "times",
        edit(TOUR, "tour.passes - 1", "tour.passes", "length + visited.index", "visited.index"),
    ),
    "a tour that misses a state, which is sampled at the start of the pass": broken(
        "REALISABLE",
        edit(AFTER_CALL, COVERING, COVERING.replace(")", ", through=(home,))")),
        edit(TOUR, "visited.index(label)", "(visited.index(label) if label in visited else 0)"),
    ),
    "a tour shorter than the mixing time": broken(
        "TooClose", edit(AFTER_CALL, "at_least=p.mixing_time", "at_least=1")
    ),
    "a tour that goes round twice": broken("tour", edit(AFTER_CALL, COVERING, f"{COVERING} * 2")),
    "a state sampled at its last visit": broken(
        "times",
        edit(TOUR, "visited.index(label) + 1", "len(visited) - visited[::-1].index(label)"),
    ),
    "one pass fewer": broken(
        "plans", put(looped, sampling_passes=lambda *given: counts.sampling_passes(*given) - 1)
    ),
    "no tour at all": broken("order", put(looped, sampling_passes=lambda *_: 0)),
}


# --- questions ------------------------------------------------------------------------------------


def asks(change: Callable[[Ledger, Tests, Ask], tuple[int, Ledger]]) -> Change:
    """Ask for the period in another way; `ask` asks correctly."""
    return put(
        looped,
        find_period=lambda ledger, oracle, tests, charge: change(
            ledger, tests, lambda some, on: find_period(on, oracle, some, charge)
        ),
    )


def compares(
    known: Callable[[Samples], Samples] = lambda known: known,
    positions: Callable[[Samples], Samples] = lambda them: them,
    labels: Callable[[Labels, Samples, Samples], Labels] = lambda said, *_: said,
) -> Change:
    """Ask for labels with other datasets, or change the answer.

    `labels` receives the answer, the datasets of known states, and those of the positions.
    """

    def changed(
        ledger: Ledger,
        oracle: Class[BitRows],
        held: Samples,
        found: Samples,
        charge: Callable[[int], Charge],
    ) -> tuple[Labels, Ledger]:
        said, after = find_labels(ledger, oracle, known(held), positions(found), charge)
        return labels(said, held, found), after

    return put(looped, find_labels=changed)


def larger(ledger: Ledger, tests: Tests, ask: Ask) -> tuple[int, Ledger]:
    period, ledger = ask(tests, ledger)
    return min(period * 2, PARAMETERS.max_states), ledger


def rows_of_a_period_test(at: Attempt) -> None:
    """If the loop stays in one state, every row shows it."""
    tested: list[Sample] = []

    def noting(ledger: Ledger, tests: Tests, ask: Ask) -> tuple[int, Ledger]:
        tested.append(tests[0][2])
        return ask(tests, ledger)

    asks(noting)(at)
    compares(positions=lambda them: them if len(them) > 1 else tested[-1:])(at)


def one_guessed(at: Attempt) -> None:
    """In the call with a word of three actions, the last state follows from what is known."""
    asked: list[int] = []

    def fewer(them: Samples) -> Samples:
        asked.append(len(them))
        return them[:-1] if len(asked) == 3 else them

    compares(positions=fewer, labels=lambda said, *_: (*said, 1) if len(asked) == 3 else said)(at)


def merging_into_known(at: Attempt) -> None:
    """As in the authors' code, D(s) grows with each call that visits s."""
    right = looped._with_cycle  # noqa: SLF001 (it is the learner's)
    seen: list[tuple[Labels, Samples]] = []

    def noting(said: Labels, _: Samples, found: Samples) -> Labels:
        seen.append((said, found))
        return said

    def merging(state: State, cycle: Cycle, loop: Loop[BitRows]) -> State:
        state = right(state, cycle, loop)
        labels, samples = seen[-1]
        first = dict(reversed(list(zip(labels, samples, strict=True))))
        datasets = tuple(
            Dataset(dataset.times, (*dataset.samples, first[label]))
            if label in first and first[label] is not dataset.samples[0]
            else dataset
            for label, dataset in enumerate(state.datasets)
        )
        return replace(state, datasets=datasets)

    compares(labels=noting)(at)
    at.patch.setattr(looped, "_with_cycle", merging)


QUESTIONS: dict[str, Broken] = {
    "a period answered without a test": broken(
        "period", asks(lambda ledger, _, ask: ask((), ledger))
    ),
    "a period decided without asking": broken("order", asks(lambda ledger, *_: (1, ledger))),
    "the last hypothesis not tested": broken(
        "period", asks(lambda ledger, tests, ask: ask(tests[:-1], ledger))
    ),
    "the period asked for twice, to see whether the answer is the same": broken(
        "order", asks(lambda ledger, tests, ask: ask(tests, ask(tests, ledger)[1]))
    ),
    "a second try on the same trajectory, without the first answer": broken(
        "InvalidArgument",
        asks(lambda ledger, tests, ask: (ask(tests, ledger), ask(tests[1:], ledger))[1]),
    ),
    "zeros and ones exchanged": broken(
        "comparisons",
        asks(lambda ledger, tests, ask: ask([(h, b, a) for h, a, b in tests], ledger)),
    ),
    "D_0 of the first hypothesis used for all": broken(
        "comparisons",
        asks(lambda ledger, tests, ask: ask([(h, tests[0][1], b) for h, _, b in tests], ledger)),
    ),
    "a smaller period than the tests say": broken(
        "plans", asks(lambda ledger, tests, ask: (1, ask(tests, ledger)[1]))
    ),
    "a larger period than the tests say": broken("plans", asks(larger)),
    "every position a new state in later calls": broken(
        "MAX_STATES",
        compares(
            known=lambda _: (),
            labels=lambda said, held, _: tuple(label + len(held) for label in said),
        ),
    ),
    "known states compared in another order, and the labels reversed again": broken(
        "comparisons",
        compares(
            known=lambda held: held[::-1],
            labels=lambda said, held, _: tuple(
                len(held) - 1 - s if s < len(held) else s for s in said
            ),
        ),
    ),
    "rows of a period test reused for a position": broken("comparisons", rows_of_a_period_test),
    "rows of one position used for another": broken(
        "DETERMINISTIC", compares(positions=lambda them: (*them[:-1], them[0]))
    ),
    "a position guessed from the others": broken("labels", one_guessed),
    "a label against the verdicts": broken(
        "DETERMINISTIC", compares(labels=lambda said, *_: (*said[:-1], 0))
    ),
    "labels exchanged after the verdicts": broken(
        "DETERMINISTIC",
        compares(labels=lambda said, *_: (0, 2, 1) if said == (0, 1, 2) else said),
    ),
    "samples merged into known states": broken("comparisons", merging_into_known),
}


# --- training, charges, reports and declarations --------------------------------------------------


def trains_on(some: Callable[[Samples], Samples]) -> Change:
    return put(
        looped,
        train=lambda ledger, oracle, datasets, charge: train(
            ledger, oracle, [some(samples) for samples in datasets], charge
        ),
    )


def charges(amount: Callable[[Fraction], Fraction]) -> Change:
    def changed(p: Parameters, tests: int) -> Charge:
        charge = budget.period_charge(p, tests)
        return replace(charge, amount=amount(charge.amount))

    return put(looped, period_charge=changed)


def exchanged(learned: Accepted) -> Accepted:
    assert learned.classifiers is not None
    first, second, *others = learned.classifiers
    return replace(learned, classifiers=(second, first, *others))


def one_other_transition(table: list[list[int | None]]) -> list[list[int | None]]:
    table[1][1] = 1
    return table


def free_encoder(p: Parameters, states: int) -> Charge:
    return replace(budget.encoder_charge(p, states), amount=Fraction(0))


def works_with(**other: int | Fraction) -> Change:
    """Declare some parameters, and use others."""
    right = Looped.begin
    used: Parameters = replace(PARAMETERS, **other)  # type: ignore[arg-type]  # a value of its field's type

    def begin(method: Looped, ledger: Ledger | None = None) -> State:
        state: State = right(method, ledger)
        return replace(state, method=replace(method, parameters=used))

    return lambda at: at.patch.setattr(Looped, "begin", begin)


def declares(declared: Parameters) -> Change:
    def change(at: Attempt) -> None:
        at.method = Looped(declared, LOCK.first_action)

    return change


REPORTS: dict[str, Broken] = {
    "training on the tour alone": broken("comparisons", trains_on(lambda samples: samples[1:])),
    "training on phase 1 alone": broken("comparisons", trains_on(lambda samples: samples[:1])),
    "classifiers exchanged": broken("InvalidArgument", reports(exchanged)),
    "an encoder left out": broken(
        "InvalidArgument", reports(lambda learned: replace(learned, classifiers=None))
    ),
    "period tests not charged": broken("charges", charges(lambda _: Fraction(0))),
    "period tests charged negatively": broken("InvalidArgument", charges(lambda amount: -amount)),
    "period tests charged by half": broken("charges", charges(lambda amount: amount / 2)),
    "period tests charged too much": broken("Overspent", charges(lambda _: Fraction(1, 10))),
    "labels charged as one test": broken(
        "charges",
        put(looped, position_charge=lambda p, tests: budget.position_charge(p, min(tests, 1))),
    ),
    "an encoder for free": broken("charges", put(looped, encoder_charge=free_encoder)),
    "a transition changed in the table": broken("table", reports(with_table(one_other_transition))),
    "two states exchanged in the table": broken(
        "table", reports(with_table(lambda table: table[::-1]))
    ),
    "another current state": broken(
        "current", reports(lambda learned: replace(learned, current=(learned.current + 1) % 3))
    ),
    "the state lost after each call, where no observation contradicts it": broken(
        "tour",
        lambda at: at.patch.setattr(
            Cycle, "current", property(lambda c: c.labels[(c.steps + 1) % len(c.labels)])
        ),
    ),
    "a smaller rate in the name of the paper": broken(
        "plans", other_constants(SEPARATION_RATE=Fraction(1, 2))
    ),
    "a smaller encoder factor in the name of the paper": broken(
        "plans", other_constants(ENCODER_FACTOR=1)
    ),
    "a larger encoder rate in the name of the paper": broken(
        "plans", other_constants(ENCODER_RATE=Fraction(1))
    ),
    "a larger δ than stated": broken("Overspent", works_with(delta=Fraction(1, 2))),
    "a larger ε than stated": broken("plans", works_with(epsilon=Fraction(1, 10))),
    "a shorter mixing time than stated": broken("plans", works_with(mixing_time=5)),
    "fewer states than stated": broken("plans", works_with(max_states=3)),
    "a smaller class than stated": broken("plans", works_with(class_size=3)),
    "a smaller class than the oracle has": broken(
        "InvalidArgument", declares(replace(PARAMETERS, class_size=11))
    ),
    "fewer actions than the world has": broken(
        "InvalidArgument", declares(replace(PARAMETERS, actions=1))
    ),
}


# --- worlds and oracles that do not do what is requested ------------------------------------------


@dataclass
class Meddling:
    """A wrapper between the learner and its world."""

    inner: World[BitRows]
    twice: bool = False
    """It runs each plan twice, and reports all steps."""
    acts: bool = False
    """It takes one more step before each loop, and does not report it."""
    drop: int = 0
    """The number of rows of each dataset that it drops."""
    hidden: int = 0

    @property
    def actions(self) -> int:
        return self.inner.actions

    @property
    def steps(self) -> int:
        return self.inner.steps - self.hidden

    def run(self, plan: Plan) -> Trajectory[BitRows]:
        if self.acts and self.inner.steps and not plan.done:
            self.inner.run(Plan((1,), 1))
            self.hidden += 1
        trajectory = self.inner.run(plan)
        if self.twice:
            trajectory = self.inner.run(replace(plan, done=plan.done + plan.steps, keeps=()))
        return Dropping(trajectory, self.drop)


@dataclass(frozen=True)
class Dropping:
    """Drops the last rows of each dataset."""

    inner: Trajectory[BitRows]
    drop: int

    def rows(self, *datasets: tuple[Progression, ...]) -> tuple[BitRows, ...]:
        batches = self.inner.rows(*datasets)
        if not self.drop:
            return batches
        return tuple(PackedBits(b.packed()[: -self.drop], b.width) for b in batches)


def in_world(**how: int) -> Change:
    def change(at: Attempt) -> None:
        at.world = Meddling(at.world, **how)  # type: ignore[arg-type]  # 1 is true

    return change


def answers(search: Callable[[Classifier | None], Classifier | None]) -> Change:
    """Change what the oracle finds."""

    def change(at: Attempt) -> None:
        honest = at.oracle
        at.oracle = Searched(honest, lambda zeros, ones: search(honest.separating(zeros, ones)))

    return change


WORLDS: dict[str, Broken] = {
    "each plan run twice": broken("BrokenWorld", in_world(twice=1)),
    "a world that acts between plans": broken("DETERMINISTIC", in_world(acts=1)),
    "rows dropped": broken("BrokenWorld", in_world(drop=1)),
    "a period decided by the learner itself, not by the oracle": broken(
        "InvalidArgument",
        put(
            looped,
            find_period=lambda ledger, oracle, tests, charge: find_period(
                ledger, Searched(oracle, lambda *_: None), tests, charge
            ),
        ),
    ),
    "an oracle that is right on most samples": broken(
        "BrokenOracle", answers(lambda found: 0 if found is None else found)
    ),
    "an oracle with classifiers of its own": broken("BrokenOracle", answers(lambda _: 12)),
    "an oracle that never finds anything": broken("REALISABLE", answers(lambda _: None)),
}

LOOPED: Final = SAMPLES | PLANS | QUESTIONS | REPORTS | WORLDS
