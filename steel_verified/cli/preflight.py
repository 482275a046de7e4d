"""`steel preflight`: a short walk in a world of the user's own, and what may go wrong there."""

from __future__ import annotations

import click

from steel_verified.cli.arguments import whole
from steel_verified.cli.console import interruptible, show
from steel_verified.cli.own_world import CLASSES, class_named, made, that_shows_rows
from steel_verified.reports.tables import Prose
from steel_verified.using.suggest import suggested
from steel_verified.using.unbroken import unbroken
from steel_verified.worlds.preflights import WALK_STEPS, preflight


@click.command(
    "preflight",
    epilog="Exit codes: 0 nothing needs attention, 1 something does (marked with !), 2 an argument "
    "is missing or not allowed.",
)
@click.argument("world")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="As for steel learn.")
@click.option(
    "--class",
    "class_name",
    type=click.Choice([*CLASSES]),
    help="The classifiers [all classes are tried, and one is recommended].",
)
@click.option("--actions", type=whole(1), help="The number of actions of a function.")
@click.option("--max-states", type=whole(1), help="The N that you plan to use.")
@click.option("--mixing-time", type=whole(1), help="The t̂_mix that you plan to use.")
@click.option(
    "--steps", type=whole(1), default=WALK_STEPS, show_default=True, help="The length of the walk."
)
@click.option("--noise-seed", type=whole(0), default=0, show_default=True, help="Seed of the walk.")
def preflight_command(
    *,
    world: str,
    settings: tuple[str, ...],
    class_name: str | None,
    actions: int | None,
    max_states: int | None,
    mixing_time: int | None,
    steps: int,
    noise_seed: int,
) -> None:
    """Walk in WORLD, recommend a class of classifiers, and say what may go wrong.

    WORLD is gym:ID, or FILE.py:NAME, as for steel learn. Nothing here is part of a guarantee.

    \b
    Examples:
      steel preflight gym:FrozenLake-v1 --set is_slippery=False
      steel preflight shop.py:Shop --class components --max-states 10
    """
    with interruptible(), that_shows_rows(world):
        if class_name is None:
            where = made(world, settings)
            tried = suggested(where, actions=actions, features=None, seed=noise_seed, steps=steps)
            show([Prose(str(tried))])
            if tried.best is None:
                raise SystemExit(1)
            functions = tried.best.F
        else:
            functions = class_named(class_name, world, settings, actions)
        again, _ = unbroken(
            made(world, settings), actions=actions, features=None, seed=noise_seed, noisy=True
        )
        found = preflight(
            again,
            functions,
            steps=steps,
            seed=noise_seed,
            max_states=max_states,
            mixing_time=mixing_time,
        )
        show([Prose(str(found))])
    if found.warnings:
        raise SystemExit(1)
