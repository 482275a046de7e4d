"""FrozenLake as it is, with episodes: record any agent, then learn from the log.

python -m examples.recorded_lake  # writes recorded_lake.png
"""

from fractions import Fraction
from pathlib import Path

import gymnasium
import numpy as np

from steel_verified import Components, learn_from
from steel_verified.gymnasium import RecordEpisodes, WithNoise, flickering
from steel_verified.plots import model_figure

MOVES = ("left", "down", "right", "up")


def main(folder: Path = Path()) -> None:
    # Holes and the goal end an episode: nothing leads back from them. Six bits flicker beside.
    lake = gymnasium.make("FrozenLake-v1", is_slippery=False, max_episode_steps=20)
    env = RecordEpisodes(WithNoise(lake, flickering(6, Fraction(1, 3))))
    agent = np.random.default_rng(0)  # any agent will do: this one acts at random
    for episode in range(300):
        env.reset(seed=episode)
        ended = False
        while not ended:
            _, _, terminated, truncated, _ = env.step(np.int64(agent.integers(4)))
            ended = terminated or truncated

    log = env.log
    rows = sum(len(episode.observations) for episode in log)
    print(f"Recorded {len(log)} episodes with {rows:,} rows.")
    learned = learn_from(log, Components(env.features), actions=4)
    print(learned)
    print(f"The independent checker: {learned.check().verdict}.")

    ends = sum(set(row) == {state} for state, row in enumerate(learned.model.table))
    print(f"{ends} of {learned.model.states} states are never left: four holes and the goal.")
    start = learned.state_of(log[0].observations[0])
    goal = learned.state_of(np.arange(22) == 15)
    way = learned.plan(to=goal, start=start)
    print(f"To the goal: {', '.join(MOVES[action] for action in way)}.")
    model_figure(learned, actions=MOVES).savefig(folder / "recorded_lake.png", dpi=150)


if __name__ == "__main__":
    main()
