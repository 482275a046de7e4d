"""FrozenLake on slippery ice: one step in ten goes sideways. Learn where steps usually lead.

python -m examples.slippery_lake  # writes slippery_lake.png
"""

from fractions import Fraction
from pathlib import Path

import gymnasium

from steel_verified import Components, learn
from steel_verified.gymnasium import Continuing, WithNoise, explored, flickering
from steel_verified.plots import model_figure

MOVES = ("left", "down", "right", "up")


def main(folder: Path = Path()) -> None:
    noise = flickering(6, Fraction(1, 3))  # six extra bits, which no action changes
    ice = Continuing(gymnasium.make("FrozenLake-v1", success_rate=0.9), noisy=True)
    # A step slips with chance 1/10 at most, whatever happened before; δ is 1/20.
    learned = learn(WithNoise(ice, noise), Components(16 + 6), slips="1/10", seed=7)
    print(learned)

    # The truth, to compare with, is the lake on which no step slips.
    steady = Continuing(gymnasium.make("FrozenLake-v1", is_slippery=False))
    truth = explored(steady)
    label_of = learned.renaming(truth.dynamics, truth.seen_in(WithNoise(steady, noise)))
    assert label_of is not None
    way = learned.plan(to=label_of[15], start=label_of[0])
    print(f"To the goal, if no step slips: {', '.join(MOVES[action] for action in way)}.")

    assert learned.slips is not None
    slipped, moves = learned.slips
    print(f"{slipped} of {moves:,} moves were seen to slip.")
    print(f"The independent checker: {learned.check().verdict}.")

    cells = dict(zip(label_of, truth.observations, strict=True))
    places = {label: (float(cell % 4), -float(cell // 4)) for label, cell in cells.items()}
    figure = model_figure(learned, places=places, actions=MOVES)
    figure.savefig(folder / "slippery_lake.png", dpi=150)


if __name__ == "__main__":
    main()
