"""Each mutant meets the tests that come by its mistake, until one of them fails."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Final

from tests.benchmarks.mutants.forks import Died, Ended, allow, bound_memory, forked
from tests.benchmarks.mutants.sessions import TESTS, Instead, module_name, run, session

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    import pytest

    from tests.benchmarks.mutants.coverage import Coverage, Place, Test
    from tests.benchmarks.mutants.places import Mutant

_LAWS_FOR: Final = 15.0
_EXAMPLES_FOR: Final = 5.0
_ELSEWHERE: Final = 5
AT_IMPORT: Final = "at import"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a mutant: the test that failed, if one did, or that came to no end."""

    mutant: tuple[str, str, str]
    killer: str = ""
    endless: bool = False
    tests: int = 0

    @property
    def survived(self) -> bool:
        return not self.killer


@dataclass(slots=True)
class Queue:
    """Which tests a mutant meets, and in which order: those first that are likely to fail soon."""

    coverage: Coverage
    at_import: frozenset[Place]
    before: Mapping[tuple[str, str, str], str]
    """Who killed a mutant the last time."""
    kills: Counter[tuple[str, str, str]]

    def tests_for(self, mutant: Mutant) -> list[Test]:
        """Who killed it before; then laws and claims, then single examples, for some seconds each.

        Whoever killed it before saw it when laws came first; now the others need not be asked.
        """
        met = [test for test in self.coverage.tests if _comes_by(test, mutant)]
        chosen = [test for test in met if test.name == self.before.get(mutant.name)]
        for seconds, laws in ((_LAWS_FOR, True), (_EXAMPLES_FOR, False)):
            kind = [test for test in met if is_law(test) == laws and test not in chosen]
            kind.sort(key=lambda test: self._order(mutant, test))
            spent = accumulate(test.seconds for test in kind)
            # The first is tried however long it takes.
            chosen += kind[:1]
            chosen += [
                t for t, so_far in zip(kind[1:], [*spent][1:], strict=True) if so_far < seconds
            ]
        return chosen

    def _order(self, mutant: Mutant, test: Test) -> tuple[int, float]:
        """Those that kill in the same function, the cheapest first, at home before elsewhere."""
        path, function, _ = mutant.name
        room = path.split("/")[1]
        at_home = test.name.startswith(f"tests/{room}/")
        cost = test.seconds if at_home else _ELSEWHERE * test.seconds
        return -self.kills[path, function, test.name], cost

    def learn(self, verdict: Verdict) -> None:
        path, function, _ = verdict.mutant
        self.kills[path, function, verdict.killer] += 1


def _comes_by(test: Test, mutant: Mutant) -> bool:
    """Whether a test runs the statement; for what a module runs at import, any of the module."""
    if mutant.function:
        return (mutant.path, mutant.line) in test.places
    return any(path == mutant.path for path, _ in test.places)


def is_law(test: Test) -> bool:
    """Whether a test is a property of generated inputs, or a claim of the paper."""
    return test.is_property or test.name.startswith(
        "tests/proofs_checks/test_claims.py::test_earned"
    )


def judged(
    mutants: Sequence[Mutant], queue: Queue, tell: Callable[[Verdict], None]
) -> list[Verdict]:
    """The verdict on every mutant, told as soon as it is known.

    Where no code with the mistake has run when all tests are collected, one session collects them
    for all mutants, and the mistake is made in the function itself. Else each has its own session.
    """
    late = [mutant for mutant in mutants if _runs_late(mutant, queue.at_import)]
    outcome = forked(lambda _: _in_one_session(late, queue, tell))
    if isinstance(outcome, Died):
        raise SystemExit("the tests cannot be collected")
    verdicts = {verdict.mutant: verdict for verdict in outcome.value}
    for mutant in mutants:
        if mutant.name not in verdicts:
            verdict = _in_a_session_of_its_own(mutant, queue.tests_for(mutant))
            queue.learn(verdict)
            tell(verdict)
            verdicts[mutant.name] = verdict
    return [verdicts[mutant.name] for mutant in mutants]


def _runs_late(mutant: Mutant, at_import: frozenset[Place]) -> bool:
    return bool(mutant.function) and (mutant.path, mutant.line) not in at_import


def _in_one_session(
    mutants: Sequence[Mutant], queue: Queue, tell: Callable[[Verdict], None]
) -> list[Verdict]:
    found: list[Verdict] = []

    def loop(items: list[pytest.Item]) -> None:
        by_name = {item.nodeid: item for item in items}
        functions = [thing for thing in gc.get_objects() if isinstance(thing, FunctionType)]
        for mutant in mutants:
            tests = queue.tests_for(mutant)
            verdict = _verdict(
                mutant, forked(partial(_in_place, mutant, tests, by_name, functions))
            )
            queue.learn(verdict)
            tell(verdict)
            found.append(verdict)

    session(TESTS, loop)
    return found


def _in_place(
    mutant: Mutant,
    tests: list[Test],
    items: Mapping[str, pytest.Item],
    functions: Iterable[FunctionType],
    say: Callable[[str], object],
) -> Verdict:
    make_the_mistake(mutant, functions)
    return _trial(mutant, tests, items, say)


def _in_a_session_of_its_own(mutant: Mutant, tests: list[Test]) -> Verdict:
    found: list[Verdict] = []

    def work(say: Callable[[str], object]) -> Verdict:
        say(AT_IMPORT)
        allow(60)

        def loop(items: list[pytest.Item]) -> None:
            found.append(_trial(mutant, tests, {item.nodeid: item for item in items}, say))

        files = list(dict.fromkeys(test.file for test in tests))
        collected = session(files, loop, [Instead(mutant.path, mutant.compiled(), {})])
        return found[0] if collected else Verdict(mutant.name, AT_IMPORT)

    return _verdict(mutant, forked(work))


def _trial(
    mutant: Mutant,
    tests: list[Test],
    items: Mapping[str, pytest.Item],
    say: Callable[[str], object],
) -> Verdict:
    """Run the tests in their order, until one fails; each gets five times its usual time."""
    bound_memory()
    for number, test in enumerate(tests, start=1):
        say(test.name)
        if test.name not in items:
            return Verdict(mutant.name, AT_IMPORT, tests=number)
        allow(5 * test.seconds + 3)
        passes, _ = run(items[test.name])
        if not passes:
            return Verdict(mutant.name, test.name, tests=number)
    return Verdict(mutant.name, tests=len(tests))


def _verdict(mutant: Mutant, outcome: Ended[Verdict] | Died) -> Verdict:
    if isinstance(outcome, Ended):
        return outcome.value
    return Verdict(mutant.name, outcome.last_words or AT_IMPORT, endless=outcome.out_of_time)


def make_the_mistake(mutant: Mutant, functions: Iterable[FunctionType]) -> None:
    """Give the functions of a module that is already imported the mutant's code."""
    module = module_name(mutant.path)
    mistaken = {code.co_qualname: code for code in _codes(mutant.compiled())}
    changed = 0
    for function in functions:
        code = function.__code__
        if function.__module__ == module and code.co_qualname == mutant.function:
            function.__code__ = mistaken[code.co_qualname]
            changed += 1
    if not changed:
        raise LookupError(f"no function {mutant.function} in {module}")


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)
