"""Copies of a four-room maze: the agent moves in one, random walkers move in the others (l. 273).

An observation shows every cell of every maze as one bit: walls and occupied cells are 1.

Several moves of a walker are drawn at once as one *word*, and a table gives the target of each word
from each place. The place after every whole word is kept, and those between follow from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Final

import numpy as np

from steel_verified.classes.finite import Components
from steel_verified.errors import InvalidArgument
from steel_verified.worlds import pictures, simulated
from steel_verified.worlds.chains import MIXED, Chain, mixing_time
from steel_verified.worlds.dynamics import Dynamics, Table, Truth

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from steel_verified.classes.rows import BitRows


SIDE: Final = 11
_DOORS: Final = frozenset({(2, 5), (8, 5), (5, 2), (5, 8)})

CELLS: Final = tuple(
    (row, column)
    for row in range(1, SIDE - 1)
    for column in range(1, SIDE - 1)
    if (row != SIDE // 2 and column != SIDE // 2) or (row, column) in _DOORS
)
"""The open cells, row by row: the latent states 0, 1, …"""

MOVES: Final = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""Actions: up, right, down, left."""

_BITS_OF_CELLS: Final = np.array([row * SIDE + column for row, column in CELLS])
_WALLS: Final = np.ones(SIDE * SIDE, dtype=np.bool_)
_WALLS[_BITS_OF_CELLS] = False
_LOOK: Final = 2048
_MOST_WALKED: Final = 5 * 10**9
"""The steps of all walkers together: two minutes, and one byte for every five steps."""
MOST_MAZES: Final = 1_000
"""An observation then has 121,000 bits, and one second is enough for some 50,000 steps of all."""


@cache
def maze() -> Dynamics:
    """The maze alone. A move towards a wall leaves the state unchanged."""
    number = {cell: state for state, cell in enumerate(CELLS)}
    return Dynamics(
        tuple(
            tuple(number.get((row + down, column + right), state) for down, right in MOVES)
            for state, (row, column) in enumerate(CELLS)
        )
    )


@cache
def walkers_mixing_time(walkers: int) -> int:
    """A bound on t_mix of independent walkers: t_mix(1/(4·walkers)) of one walker (l. 1641)."""
    if walkers == 0:
        return 1
    quarter = Fraction(1, len(MOVES))
    rows = tuple(tuple(quarter * row.count(to) for to in range(len(CELLS))) for row in maze().table)
    return mixing_time(Chain(rows), within=MIXED / walkers)


@cache
def _jumps() -> Jumps:
    return Jumps(maze().table)


@dataclass(frozen=True, slots=True)
class MultiMaze:
    """One instance: the number of mazes, the agent's maze, and its start."""

    mazes: int
    ours: int
    start: int
    first_action: int

    def dynamics(self) -> Dynamics:
        return maze()

    def oracle(self) -> Components:
        """F: the single cells of all mazes."""
        return Components(self.mazes * SIDE * SIDE)

    def world(self, noise_seed: int) -> simulated.SimulatedWorld[BitRows]:
        screen = self.screen(noise_seed)
        rows = simulated.observed_on(screen, lambda asked: [_Rows(screen, each) for each in asked])
        return simulated.SimulatedWorld(maze(), self.start, rows)

    def screen(self, noise_seed: int) -> MazeScreen:
        return MazeScreen(self, noise_seed)

    def see(self, noise_seed: int) -> Callable[[int, int], NDArray[np.int8]]:
        return simulated.seen_on(self.screen(noise_seed))

    def picture(self, seen: NDArray[np.int8]) -> NDArray[np.uint8]:
        """An image of all mazes; the agent is red."""
        walls = _WALLS.reshape(SIDE, SIDE)
        return pictures.of_mazes(seen.reshape(-1, SIDE, SIDE) == 1, walls, self.ours)

    @property
    def colours(self) -> Sequence[tuple[pictures.Colour, str]]:
        ours = (pictures.OURS, "the agent: its cell is the latent state")
        others = (pictures.QUIET, "others, who walk at random")
        walls = (pictures.INK, "walls")
        return (ours, walls) if self.mazes == 1 else (ours, others, walls)

    def layout(self) -> list[tuple[float, float]]:
        return [(column, -row) for row, column in CELLS]

    @property
    def longest_run(self) -> int:
        return _MOST_WALKED // max(1, self.mazes - 1)

    def truth(self) -> Truth:
        return Truth(
            dynamics=maze(),
            classifiers=tuple((self.ours * SIDE * SIDE + _BITS_OF_CELLS).tolist()),
            mixing_time=walkers_mixing_time(self.mazes - 1),
            because="total variation adds up over independent walkers (l. 1537, 1641)",
        )


def multi_maze(env_seed: int, *, mazes: int) -> MultiMaze:
    """Draw an instance. The order of draws is chosen so that seed 0 is the published instance."""
    if mazes < 1:
        raise InvalidArgument("mazes", mazes, "at least 1")
    if mazes > MOST_MAZES:
        raise InvalidArgument("mazes", mazes, f"at most {MOST_MAZES:,}")
    draw = np.random.default_rng(env_seed)
    ours = int(draw.integers(mazes))
    while (cell := (int(draw.integers(SIDE)), int(draw.integers(SIDE)))) not in CELLS:
        pass
    return MultiMaze(mazes, ours, CELLS.index(cell), first_action=int(draw.integers(len(MOVES))))


class MazeScreen:
    """All mazes side by side: one shows the agent's cell, each other the cell of its walker."""

    def __init__(self, world: MultiMaze, noise_seed: int) -> None:
        self.mazes: int = world.mazes
        self.width: int = world.mazes * SIDE * SIDE
        self.ours: int = world.ours
        self.others: NDArray[np.int64] = np.delete(np.arange(world.mazes), world.ours)
        self.walkers: Walkers = Walkers(_jumps(), noise_seed, world.mazes - 1)

    @property
    def states(self) -> NDArray[np.uint8]:
        bits = np.tile(_WALLS, (len(CELLS), self.mazes, 1))
        bits[np.arange(len(CELLS)), self.ours, _BITS_OF_CELLS] = True
        return np.packbits(bits.reshape(len(CELLS), -1), axis=1, bitorder="little")

    def noise(self, times: NDArray[np.int64]) -> NDArray[np.uint8]:
        bits = np.tile(_WALLS, (len(times), self.mazes, 1))
        row = np.arange(len(times))
        for number, places in zip(self.others, self.walkers.places(times), strict=True):
            bits[row, number, _BITS_OF_CELLS[places]] = True
        return np.packbits(bits.reshape(len(times), -1), axis=1, bitorder="little")


class _Rows:
    """One dataset: the walkers' cells at its times, computed only as far as they matter."""

    def __init__(self, screen: MazeScreen, asked: simulated.Asked) -> None:
        self._screen = screen
        self._asked = asked

    def __len__(self) -> int:
        return len(self._asked)

    @property
    def width(self) -> int:
        return self._screen.width

    def reduced(self) -> tuple[int, int]:
        """AND and OR of the rows. Once every walker was seen in every cell, neither can change."""
        screen = self._screen
        if not len(self):
            return (1 << screen.width) - 1, 0
        seen = np.zeros((screen.mazes, len(CELLS)), dtype=np.bool_)
        seen[screen.ours, self._asked.visited] = True
        others = screen.others[:, None]
        for start in range(0, len(self), _LOOK):
            if seen[others].all():
                break
            times = self._asked.times_between(start, start + _LOOK)
            seen[others, screen.walkers.places(times)] = True
        every, some = np.tile(_WALLS, (2, screen.mazes, 1))
        some[:, _BITS_OF_CELLS] = seen
        every[:, _BITS_OF_CELLS] = seen & (seen.sum(axis=1, keepdims=True) == 1)
        return _as_integer(every), _as_integer(some)

    def packed(self) -> NDArray[np.uint8]:
        return self._screen.noise(self._asked.times) | self._screen.states[self._asked.states]


def _as_integer(bits: NDArray[np.bool_]) -> int:
    return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")


_BITS: Final = 10
"""The highest bits of each random word are used as moves."""
_SHIFT: Final = np.uint64(64 - _BITS)
_AHEAD: Final = 1 << 15
_AT_ONCE: Final = 1 << 20
"""How many words are drawn at once, for all walkers together."""
_STRETCH: Final = 512


class Jumps:
    """The target of each word of moves, from each place. The number of moves is a power of two."""

    def __init__(self, table: Table) -> None:
        places, moves = len(table), len(table[0])
        if places > 256 or moves not in (2, 4):
            raise InvalidArgument(
                "table", f"{places} × {moves}", "at most 256 places, 2 or 4 moves"
            )
        step = np.array(table, dtype=np.uint8)
        move_bits = moves.bit_length() - 1
        self.places = places
        self.steps: int = _BITS // move_bits
        words = np.arange(1 << _BITS)
        here = np.broadcast_to(np.arange(places, dtype=np.uint8), (1 << _BITS, places))
        within = [here]
        for n in range(self.steps):
            move = words >> n * move_bits & moves - 1
            within.append(step[within[-1], move[:, None]])
        self.within: NDArray[np.uint8] = np.stack(within[:-1]).ravel()
        """The place after n moves of a word, by (n, word, place)."""
        self.leads: NDArray[np.uint8] = within[-1].ravel()
        """The place after a whole word, by (word, place)."""


class Walkers:
    """Independent walkers. Each starts at a uniformly random place."""

    def __init__(self, jumps: Jumps, seed: int, count: int) -> None:
        self.count = count
        self._jumps = jumps
        self._origins = np.array(
            [simulated.stream_origin(seed, 2 * n) for n in range(count)], dtype=np.uint64
        ).reshape(count, 1)
        firsts = (
            _below(jumps.places, simulated.stream_origin(seed, 2 * n + 1)) for n in range(count)
        )
        self._places = np.array([[first] for first in firsts], dtype=np.uint8).reshape(count, 1)

    def places(self, times: NDArray[np.int64]) -> NDArray[np.uint8]:
        """The places of the walkers at these times, one row per walker."""
        block, moves = np.divmod(times, self._jumps.steps)
        self._walk_to(int(block.max(initial=0)))
        word = self._words(block)
        found: NDArray[np.uint8] = self._jumps.within[
            (moves << _BITS | word) * self._jumps.places + self._places[:, block]
        ]
        return found

    def _words(self, blocks: NDArray[np.int64]) -> NDArray[np.int64]:
        """The moves of each walker in these blocks of time."""
        return (simulated.random_words(self._origins, blocks) >> _SHIFT).astype(np.int64)

    def _walk_to(self, block: int) -> None:
        have = self._places.shape[1]
        if block < have:
            return
        # Go further than requested, doubling the walk: walking in small pieces would be slow.
        last = max(block, have + min(have, _AHEAD))
        walked = [self._places]
        many = max(_STRETCH, _AT_ONCE // max(1, self.count))
        for first in range(have - 1, last, many):
            words = self._words(np.arange(first, min(first + many, last)))
            walked.append(_walk(self._jumps, words, walked[-1][:, -1]))
        self._places = np.concatenate(walked, axis=1)


def _walk(jumps: Jumps, words: NDArray[np.int64], starts: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The place of each walker after each of its words, from its start.

    The words are cut into stretches, which are walked in parallel from place 0. Then each stretch
    with a wrong start is walked again from the end of the one before it, until it meets the path
    computed earlier. This is repeated until all fit. Walkers with the same moves meet soon.
    """
    walkers, many = words.shape
    length = min(_STRETCH, many)
    padded = np.pad(words * jumps.places, ((0, 0), (0, -many % length)))
    stretches = padded.shape[1] // length
    steps = np.ascontiguousarray(padded.reshape(-1, length).T)
    path = np.empty(steps.shape, dtype=np.uint8)
    begins = np.zeros(walkers * stretches, dtype=np.uint8)
    begins[::stretches] = starts
    here = begins
    for number, step in enumerate(steps):
        path[number] = here = jumps.leads[step + here]
    while True:
        fitting = np.roll(path[-1], 1)
        fitting[::stretches] = starts
        wrong = np.flatnonzero(begins != fitting)
        if not len(wrong):
            return np.ascontiguousarray(path.T).reshape(walkers, stretches * length)[:, :many]
        begins, here = fitting, fitting[wrong]
        for number, step in enumerate(steps):
            here = jumps.leads[step[wrong] + here]
            if np.array_equal(path[number, wrong], here):
                break
            path[number, wrong] = here


def _below(limit: int, origin: np.uint64) -> int:
    """An unbiased random number below a limit: words beyond the last multiple are skipped."""
    fair = simulated.WORD - simulated.WORD % limit
    words = (int(simulated.random_words(origin, np.array([n]))[0]) for n in count())
    return next(word for word in words if word < fair) % limit
