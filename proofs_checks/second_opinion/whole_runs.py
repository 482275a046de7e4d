"""What the proofs about whole runs ask for: outcomes, tests, classifiers and rounds."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Final

from proofs_checks.second_opinion.drawing import mean, with_mean
from proofs_checks.second_opinion.evaluating import exponential
from proofs_checks.second_opinion.scenes import NONE, OUTCOMES, number, sequence, table, vector

if TYPE_CHECKING:
    from collections.abc import Callable

    from proofs_checks.second_opinion.drawing import Vector
    from proofs_checks.second_opinion.evaluating import Function, Instance, Values
    from proofs_checks.second_opinion.scenes import Scene

_STEPS: Final = range(3)
"""Natural numbers that proofs speak of are among these"""


def _below(scene: Scene, name: str, of: Callable[[tuple[int, ...]], Fraction]) -> Function:
    """At most this function, and often equal to it."""
    return lambda at: of(at) - scene.slack(name, at)


def _laws(scene: Scene, name: str, size: int) -> Function:
    """A law of the last argument, for each of the others."""

    @cache
    def law(place: tuple[int, ...]) -> Vector:
        return scene.at(name, place).law(size)

    return lambda at: law(at[:-1])[at[-1]]


def _with_sum(scene: Scene, name: str, wanted: Callable[[tuple[int, ...]], Fraction]) -> Function:
    """Numbers from 0 on of outcomes, with a mean that depends on the other arguments."""
    return lambda at: wanted(at[:-1]) * scene.paid(name, *at[:-1])[at[-1]]


# --- the tests and the encoder of Theorem 1 -------------------------------------------------------


def counted(scene: Scene, _: Instance) -> Values:
    """Events with a chance of at most c each."""
    chance = scene.share("c")
    return {
        "Pr": vector(scene.outcomes),
        "c": number(chance),
        "event": _below(scene, "event", _with_sum(scene, "event", lambda _: chance)),
    }


def one_test(scene: Scene, instance: Instance) -> Values:
    """Classifiers that fit with a chance of at most r each."""
    chance = scene.share("r")

    def most(place: tuple[int, ...]) -> Fraction:
        return chance * (1 - scene.slack("fits", place))

    return {
        "Pr": vector(scene.outcomes),
        "r": number(chance),
        "fits": _with_sum(scene, "fits", most),
        "wrong": _wrong(scene, instance),
    }


def _wrong(scene: Scene, instance: Instance) -> Function:
    def fits(at: tuple[int, ...]) -> Fraction:
        k, o = at
        return instance.value("fits", (k, instance.place("best", at), o))

    return _below(scene, "wrong", fits)


def tests(scene: Scene, instance: Instance) -> Values:
    """Tests with even numbers are period tests, the others position tests."""

    def chance(at: tuple[int, ...]) -> Fraction:
        test, f = at
        name, samples = ("uq₁", "n") if test % 2 else ("up", "n'")
        if name not in instance.equations:
            return scene.share("chance", at)
        place = test // 2, f, instance.fixed[samples]
        return sum((instance.value(name, (*place, x)) for x in range(scene.size)), NONE)

    return {
        "Pr": vector(scene.outcomes),
        "gp": lambda at: scene.share("gp", at),
        "gq": lambda at: scene.share("gq", at),
        "up": _laws(scene, "up", scene.size),
        "uq₀": _laws(scene, "uq₀", scene.size),
        "fits": _with_sum(scene, "fits", chance),
        "wrong": _wrong(scene, instance),
    }


def encoder_training(scene: Scene, instance: Instance) -> Values:
    """Classifiers that err on a state with chance η or more."""
    least = scene.share("η")

    @cache
    def passes(place: tuple[int, ...]) -> Vector:
        missed = least + (1 - least) * scene.slack("short", place)
        return with_mean(scene.law, scene.at("pass", place).shares(scene.size), 1 - missed)

    def lucky(place: tuple[int, ...]) -> Fraction:
        after = (*place, instance.fixed["d"] + 1)
        return sum((instance.value("w", (*after, x)) for x in range(scene.size)), NONE)

    return {
        "Pr": vector(scene.outcomes),
        "η": number(least),
        "pass": lambda at: passes(at[:-1])[at[-1]],
        "short": lambda at: 1 - mean(scene.law, passes(at)),
        "w": _laws(scene, "w", scene.size),
        "lucky": _with_sum(scene, "lucky", lucky),
    }


def many_tests(scene: Scene, instance: Instance) -> Values:
    """All tests and classifiers of a run, and the least δ that pays for them."""
    fixed, actions, horizon = instance.fixed, 1 + scene.share("A"), scene.share("D̂")

    def misses(at: tuple[int, ...]) -> Fraction:
        u, k, o = at
        return instance.value("lucky", (u, k, instance.place("trained", (u, o)), o))

    def fails(at: tuple[int, ...]) -> Fraction:
        ends = (("perr", "np"), ("qerr", "nq"), ("merr", "S"))
        return sum((instance.value(name, (fixed[end], *at)) for name, end in ends), NONE)

    def budget(_: tuple[int, ...]) -> Fraction:
        rate = -instance.value("η", ()) * (fixed["d"] + 1) / 3
        periods = 4 * actions * 2 * 2 * instance.value("power", (fixed["n'"],))
        positions = 4 * actions * 16 * (horizon + 1) * 2 * instance.value("power", (fixed["n"],))
        samples = 16 * fixed["S"] ** 2 * 2 * exponential(rate).high
        return max(periods, positions, samples) + scene.slack("δ")

    return {
        **tests(scene, instance),
        **encoder_training(scene, instance),
        "misses": _below(scene, "misses", misses),
        "fails": _below(scene, "fails", fails),
        "A": number(actions),
        "N": number(Fraction(2)),
        "Dhat": number(horizon),
        "δ": budget,
    }


def encoder(scene: Scene, instance: Instance) -> Values:
    """Classifiers that are off on some observations, and a run that fails if one is poor."""
    eta = scene.share("η")

    def misses(at: tuple[int, ...]) -> Fraction:
        u, k, o = at
        off = sum(
            (instance.value("shows", (k, i)) * instance.value("off", (u, k, i, o)) for i in (0, 1)),
            NONE,
        )
        return Fraction(off > eta)

    def fails(at: tuple[int, ...]) -> Fraction:
        is_poor = any(misses((u, k, *at)) for u in _STEPS for k in _STEPS)
        return Fraction(1) if is_poor else 1 - scene.share("fails", at)

    def mislabels(at: tuple[int, ...]) -> Fraction:
        return instance.value("offs", (instance.fixed["S"], *at))

    return {
        "η": number(eta),
        "shows": _laws(scene, "shows", 2),
        "off": lambda at: scene.share("off", at) * scene.share("often", at[1:]),
        "misses": misses,
        "fails": fails,
        "mislabels": _below(scene, "mislabels", mislabels),
    }


# --- located STEEL --------------------------------------------------------------------------------


def located_steps(scene: Scene, instance: Instance) -> Values:
    """Bad labels, some of them with a twin, and checks that are `times` + 1 mixing times apart."""
    miss = (1 + scene.share("ε")) / 4

    @cache
    def twin(place: tuple[int, ...]) -> bool:
        return bool(scene.at("twin", place).r.randrange(2))

    @cache
    def passing(place: tuple[int, ...]) -> tuple[Vector, Vector]:
        """How often the bad label passes, and how often its twin does."""
        drawn = scene.at("g", place).shares(scene.size)
        if twin(place):
            pairs = [sorted((each, 1 - each)) for each in drawn]
            return tuple(low for low, _ in pairs), tuple(high for _, high in pairs)
        less = 1 - scene.slack("g", place)
        bad = tuple(each * less for each in with_mean(scene.law, drawn, 1 - miss))
        return bad, tuple(1 - each for each in bad)

    return {
        "η": lambda _: instance.value("half", (instance.fixed["times"],)) / 2,
        "ε": number(miss),
        "twin": lambda at: Fraction(twin(at)),
        "g": lambda at: passing(at[:-1])[0][at[-1]],
        "other": lambda at: passing(at[:-1])[1][at[-1]],
        "inv": lambda at: 1 / (1 - mean(scene.law, passing(at)[0])),
        "w": _laws(scene, "w", scene.size),
        "λ": sequence(lambda j: scene.share("λ", j)),
        "μ": sequence(lambda j: scene.share("μ", j)),
    }


def located_rounds(scene: Scene, instance: Instance) -> Values:
    """Rounds, each with a share of δ that pays for its checks."""
    states = range(scene.size)

    def passes(at: tuple[int, ...]) -> Fraction:
        (k,) = at
        return sum(
            (
                instance.value("before", (k, c))
                * instance.value("w", (k, c, y))
                * instance.value("H", (instance.place("extra", (k, c)), y, x))
                * instance.value("u", (instance.place("n", at), k, c, x))
                for c in (0, 1)
                for x in states
                for y in states
            ),
            NONE,
        )

    def rest(k: int) -> Fraction:
        return sum((cost(later) for later in range(k, len(_STEPS))), scene.share("rest"))

    def cost(k: int) -> Fraction:
        checks, eta = instance.place("n", (k,)), instance.value("η", ())
        bound = instance.value("b", (checks,)) + eta * instance.value("a", (checks,))
        return bound + scene.slack("share", k)

    return {
        **located_steps(scene, instance),
        "Pr": vector(scene.outcomes),
        "before": _laws(scene, "before", 2),
        "passall": _with_sum(scene, "passall", passes),
        "lucky": _below(scene, "lucky", lambda at: instance.value("passall", at)),
        "fails": _below(
            scene, "fails", lambda at: instance.value("lucks", (instance.fixed["R"], *at))
        ),
        "rest": sequence(rest),
        "δ": lambda _: rest(0),
    }


def two_algorithms(scene: Scene, instance: Instance) -> Values:
    """Two algorithms that fail with a chance of at most δ/2 each, the second given the first."""
    delta = scene.share("δ")
    before = scene.at("before").law(OUTCOMES)

    @cache
    def after(c: int) -> tuple[Fraction, ...]:
        return scene.at("after", c).law(OUTCOMES)

    def failing(name: str, law: tuple[Fraction, ...], *place: int) -> tuple[Fraction, ...]:
        drawn = scene.at(name, place).shares(OUTCOMES)
        average, most = mean(law, drawn), delta / 2 * (1 - scene.slack(name))
        return tuple(each * most / average if average else NONE for each in drawn)

    def both(at: tuple[int, ...]) -> Fraction:
        happens = instance.value("fails", at[:1]) + instance.value("looped", at)
        return happens - scene.slack("either")

    return {
        "before": vector(before),
        "after": table(lambda c, o: after(c)[o]),
        "δ": number(delta),
        "fails": vector(failing("fails", before)),
        "looped": table(lambda c, o: failing("looped", after(c), c)[o]),
        "either": both,
    }
