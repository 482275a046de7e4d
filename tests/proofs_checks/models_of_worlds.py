"""Small worlds as models of the theories about dynamics."""

from collections.abc import Iterator, Sequence
from itertools import permutations, product
from typing import TypeVar

from proofs_checks.small_cases.ideal_runs import PartlyKnown, all_partly_known
from proofs_checks.small_cases.worlds import small_worlds, words
from steel_verified.learning.model import Model as Partial
from steel_verified.learning.words import covering_cycle, escaping_word, shortest_words
from steel_verified.worlds.dynamics import Dynamics, orbit
from tests.proofs_checks.models import Model

Case = TypeVar("Case")
Table = tuple[tuple[int, ...], ...]


def spread(cases: Sequence[Case], most: int) -> Sequence[Case]:
    """Some of the cases, from the smallest worlds to the largest."""
    return cases[:: len(cases) // most + 1]


def path(table: Table, start: int, word: tuple[int, ...], steps: int) -> list[int]:
    visited = [start]
    for step in range(steps):
        visited.append(table[visited[-1]][word[step % len(word)]])
    return visited


def ways(table: Table) -> dict[tuple[int, int], tuple[int, ...]]:
    """A shortest word from each state to each other, none from a state to itself."""
    found = {}
    for state in range(len(table)):
        found.update(
            {
                (state, to): word
                for to, word in shortest_words(Partial(len(table[0]), table), state).items()
            }
        )
        found[state, state] = ()
    return found


def letters(word: tuple[int, ...], i: int) -> int:
    return word[i] if 0 <= i < len(word) else 0


def transition(table: Table, u: int, b: int) -> int:
    return table[u][b] if 0 <= u < len(table) and 0 <= b < len(table[0]) else u


def connected(table: Table) -> Model:
    """Return T, dist and act of a strongly connected world."""
    found = ways(table)
    return Model(
        ranges={"u": range(len(table)), "v": range(len(table)), "b": range(len(table[0]))},
        constants={"S": len(table), "A": len(table[0]), "D": max(map(len, found.values()))},
        binary={
            "T": lambda u, b: transition(table, u, b),
            "dist": lambda u, v: len(found[u, v]),
            "steps": lambda u, v: len(found[u, v]),
            "reach": lambda u, v: int((u, v) in found),
        },
        ternary={"act": lambda i, u, v: letters(found.get((u, v), ()), i)},
    )


def looped(table: Table, start: int, word: tuple[int, ...], beyond: int) -> Model:
    most, length = len(table) + beyond, len(word)
    loop = orbit(Dynamics(table), start, word)
    late = range((most - 1) * length, (most - 1) * length + 3)
    return Model(
        ranges={"o": late, "z": late, "y": late, "c": range(1, 9), "i": range(12), "j": range(12)},
        constants={"S": len(table), "N": most, "L": length},
        unary={"w": lambda i: letters(word, i), "s": lambda i: loop.at(max(i, 0))},
        binary={"T": lambda u, b: transition(table, u, b)},
    )


def with_known_first(part: PartlyKnown) -> tuple[Table, int, set[tuple[int, int]]]:
    """The world with its known states as 0, …, M − 1; M; and the known transitions."""
    others = [s for s in range(part.truth.states) if s not in part.names]
    order = [*part.names, *others]
    table = tuple(tuple(order.index(to) for to in part.truth.table[state]) for state in order)
    return table, len(part.names), {(t.state, t.action) for t in part.model.transitions()}


def partly(part: PartlyKnown) -> Iterator[Model]:
    table, known_states, known = with_known_first(part)
    base = connected(table)
    for x, y in product(range(known_states), range(part.truth.actions)):
        if (x, y) not in known:
            yield Model(
                ranges=base.ranges,
                constants={**base.constants, "M": known_states, "x": x, "y": y},
                binary={**base.binary, "known": lambda u, b: int((u, b) in known)},
                ternary=base.ternary,
            )


def way_out(model: Partial, here: int | None) -> tuple[int, ...]:
    """A shortest word from a state through an unknown transition."""
    assert here is not None
    reached = {**shortest_words(model, here), here: ()}
    end = min((s for s in reached if None in model.table[s]), key=lambda s: len(reached[s]))
    return (*reached[end], model.table[end].index(None))


def escaping(part: PartlyKnown) -> Model:
    """The loop of the listing, with the state of B first that is nearest to what is unknown."""
    table, known_states, known = with_known_first(part)
    model, word = part.model, tuple[int, ...]()
    cuts, chosen, exits = [0], list[int](), list[int]()
    while inside := [u for u in range(known_states) if model.walk(u, word) is not None]:
        pieces = {u: way_out(model, model.walk(u, word)) for u in inside}
        chosen.append(min(inside, key=lambda u: len(pieces[u])))
        word += pieces[chosen[-1]]
        exits.append(len(word) - 1)
        cuts.append(len(word))
    return Model(
        ranges={"u": range(known_states), "i": range(len(word) + 1), "k": range(len(cuts))},
        constants={"M": known_states, "D": part.truth.diameter, "K": len(chosen)},
        unary={
            "hat": lambda i: letters(word, i),
            "cut": lambda k: cuts[k],
            "chosen": lambda k: chosen[k],
            "exit": lambda k: exits[k],
        },
        binary={
            "T": lambda u, b: transition(table, u, b),
            "known": lambda u, b: int((u, b) in known),
        },
    )


def news(part: PartlyKnown) -> Iterator[Model]:
    table, known_states, known = with_known_first(part)
    word = escaping_word(part.model)
    leaves = {
        u: next(i for i, b in enumerate(word) if (path(table, u, word, i)[i], b) not in known)
        for u in range(known_states)
    }
    for start in range(len(table)):
        base = looped(table, start, word, 0)
        yield Model(
            ranges={**base.ranges, "u": range(len(table)), "b": range(len(table[0]))},
            constants={**base.constants, "M": known_states},
            unary={**base.unary, "leave": lambda u: leaves.get(u, 0)},
            binary={**base.binary, "known": lambda u, b: int((u, b) in known)},
        )


def shortest(table: Table, u: int, v: int) -> Model:
    found = ways(table)
    visited = path(table, u, found[u, v] or (0,), len(found[u, v]))
    return Model(
        ranges={"N": range(len(table), len(table) + 2)},
        constants={"S": len(table), "d": len(found[u, v])},
        unary={
            "x": lambda i: visited[i] if i < len(visited) else 0,
            "far": lambda state: len(found[state, v]),
        },
    )


def tour(table: Table, home: int) -> Model:
    """The nearest state that is missing comes next; `where` is on which leg a state is met."""
    found, base = ways(table), connected(table)
    stops, word, missing = [home], tuple[int, ...](), set(range(len(table))) - {home}
    where: dict[int, tuple[int, int]] = {}
    while missing:
        here = stops[-1]
        stops.append(min(missing, key=lambda s: (len(found[here, s]), s)))
        leg = found[here, stops[-1]]
        for offset, state in enumerate(path(table, here, leg, len(leg))):
            where.setdefault(state, (len(stops) - 2, offset))
            missing -= {state}
        word += leg
    word += found[stops[-1], home]
    return Model(
        ranges={**base.ranges, "j": range(len(stops)), "k": range(len(stops))},
        constants={**base.constants, "K": len(stops) - 1},
        unary={
            "pos": lambda k: stops[k] if 0 <= k < len(stops) else home,
            "wanted": lambda u: int(0 <= u < len(table)),
            "leg": lambda u: where[u][0],
            "offset": lambda u: where[u][1],
            "bar": lambda i: letters(word, i),
        },
        binary=base.binary,
        ternary=base.ternary,
    )


def passes(table: Table, home: int, at_least: int) -> Model:
    word = covering_cycle(Partial(len(table[0]), table), home, at_least)
    base = looped(table, home, word, 0)
    meets = {state: i for i, state in reversed(list(enumerate(path(table, home, word, len(word)))))}
    meets[home] = path(table, home, word, len(word)).index(home, 1)
    return Model(
        ranges={**base.ranges, "u": range(len(table)), "i": range(6)},
        constants=base.constants,
        unary={**base.unary, "meets": lambda u: meets[u], "visited": lambda u: int(u in meets)},
        binary=base.binary,
    )


def naming(table: Table, start: int, word: tuple[int, ...], known: tuple[int, ...]) -> Model:
    """Positions get names in order; `known` are the states that have one already."""
    base = looped(table, start, word, 0)
    begin = (len(table) - 1) * len(word)
    cycle = orbit(Dynamics(table), start, word).cycle
    visited = path(table, start, word, begin + 2 * cycle)
    named, labels, counts = list(known), list[int](), list[int]()
    for i in range(cycle):
        counts.append(len(named))
        state = visited[begin + (i - begin) % cycle]
        named += [state] * (state not in named)
        labels.append(named.index(state))
    counts.append(len(named))
    nexts = {(labels[i], word[i % len(word)]): labels[(i + 1) % cycle] for i in range(cycle)}
    return Model(
        ranges={**base.ranges, "i": range(cycle + 1), "u": range(3), "v": range(3)},
        constants={**base.constants, "begin": begin},
        unary={
            **base.unary,
            "names": lambda i: counts[min(i, cycle)],
            "name": lambda u: named[u] if u < len(named) else -1,
            "label": lambda i: labels[i] if i < cycle else 0,
        },
        binary={**base.binary, "next": lambda u, b: nexts.get((u, b), 0)},
    )


def complete(table: Table, names: tuple[int, ...]) -> Model:
    base = connected(table)
    return Model(
        ranges=base.ranges,
        constants={**base.constants, "M": len(table)},
        unary={"name": lambda u: names[u]},
        binary={
            **base.binary,
            "next": lambda u, b: names.index(transition(table, names[u], b)),
        },
        ternary=base.ternary,
    )


def all_models() -> Iterator[tuple[str, Model]]:
    for world in spread(small_worlds(), 40):
        table, states = world.table, range(world.states)
        for u, v in product(states, repeat=2):
            yield "DIAMETER", shortest(table, u, v)
        for home in states:
            yield "TOUR_LENGTH", tour(table, home)
            yield "TOURING", tour(table, home)
            yield "PASSES", passes(table, home, 4)
        for word, start in product(words(world.actions, 2), states):
            yield "LOOPED_WORDS", looped(table, start, word, 0)
            yield "LOOPED_WORDS", looped(table, start, word, 1)
            yield "NAMING", naming(table, start, word, ())
            yield "NAMING", naming(table, start, word, tuple(states)[-1:])
        for names in permutations(states):
            yield "ONTO", complete(table, names)
            yield "COMPLETE", complete(table, names)
        yield "REVERSIBLE", connected(table)
        yield "ALL_REACH", connected(table)
    for part in spread(all_partly_known(), 60):
        if part.model.states:
            yield from (("WAYS_OUT", model) for model in partly(part))
            yield "ESCAPING", escaping(part)
            yield "NEAREST_FIRST", escaping(part)
            yield from (("NEWS", model) for model in news(part))


def by_theory() -> dict[str, list[Model]]:
    found: dict[str, list[Model]] = {}
    for name, model in all_models():
        found.setdefault(name, []).append(model)
    return found
