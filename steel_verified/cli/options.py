"""The options that commands share, and what they say of parameters and worlds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, ParamSpec, TypedDict, TypeVar

import click

from steel_verified.cli.console import option_name
from steel_verified.errors import InvalidArgument
from steel_verified.theory.exact import exactly
from steel_verified.theory.parameters import require_within
from steel_verified.worlds.catalogue import DEFAULT, NAMES, SIZES, instance
from steel_verified.worlds.instances import Instance, RunnableInstance, instance_of_table
from steel_verified.worlds.table_files import read_table

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

P = ParamSpec("P")
R = TypeVar("R")
AnyInstance = TypeVar("AnyInstance", bound=Instance)

WHOLE: Final = ("actions", "max_states", "max_diameter", "mixing_time", "class_size")
EXACT: Final = ("delta", "epsilon")


class Given(TypedDict):
    """What the options of `parameter_options` said; None where they said nothing."""

    actions: int | None
    max_states: int | None
    max_diameter: int | None
    mixing_time: int | None
    class_size: int | None
    delta: str | None
    epsilon: str | None


class Chosen(TypedDict, total=False):
    """The parameters among them that were given."""

    actions: int
    max_states: int
    max_diameter: int
    mixing_time: int
    class_size: int
    delta: Fraction
    epsilon: Fraction


class WorldGiven(Given):
    """What the options of `world_options` and `parameter_options` said."""

    env_seed: int
    sizes: dict[str, float]
    first_action: int | None


def parameter_options(command: Callable[P, R]) -> Callable[P, R]:
    """The options that stand for STEEL's parameters, shared by the commands that take them."""
    for option in (
        click.option("--epsilon", help='ε, exact: "0.05" or "1/20".'),
        click.option("--delta", help='δ, exact: "0.05" or "1/20".'),
        click.option("--class-size", type=int, help="|F|, the number of classifiers."),
        click.option("--mixing-time", type=int, help="t̂_mix, a bound on the noise's mixing time."),
        click.option("--max-diameter", type=int, help="D̂, a bound on the diameter [N − 1]."),
        click.option("--max-states", type=int, help="N, a bound on the number of latent states."),
        click.option("--actions", type=int, help="|A|, the number of actions."),
    ):
        command = option(command)
    return command


def world_options(command: Callable[P, R]) -> Callable[P, R]:
    """The options that choose an instance of a world, shared by the commands that take one.

    In the help text of the command, `{worlds}` stands for the names of the catalogue.
    """
    *others, last = NAMES
    listed = f"{', '.join(others)} or {last}"
    with_default = listed.replace(DEFAULT, f"{DEFAULT} (the default)")
    told = (command.__doc__ or "").replace("{worlds_and_default}", with_default)
    command.__doc__ = told.replace("{worlds}", listed)
    for option in (
        click.option("--first-action", type=int, help="The action looped first [as drawn]."),
        *(
            click.option(
                option_name(size.name),
                size.name,
                type=size.number,
                expose_value=False,
                callback=_keep_size,
                help=f"{size.help} [{size.default}].",
            )
            for size in reversed(SIZES)
        ),
        click.option(
            "--env-seed", type=int, default=0, show_default=True, help="Which instance to draw."
        ),
    ):
        command = option(command)
    return command


def _keep_size(context: click.Context, option: click.Parameter, value: float | None) -> None:
    """Collect the sizes that were given in one argument of the command, `sizes`."""
    sizes: dict[str, float] = context.params.setdefault("sizes", {})
    if value is not None:
        sizes[option.name] = value


def chosen_parameters(given: Given) -> Chosen:
    chosen: Chosen = {}
    for whole in WHOLE:
        if (number := given[whole]) is not None:
            chosen[whole] = number
    for exact in EXACT:
        if (text := given[exact]) is not None:
            chosen[exact] = exactly(text, exact)
    return chosen


def drawn_instance(world: str, given: WorldGiven) -> RunnableInstance:
    """Draw the instance that was chosen, with the parameters that were given."""
    return with_choices(instance(world, given["env_seed"], **given["sizes"]), given)


def with_choices(drawn: AnyInstance, given: WorldGiven) -> AnyInstance:
    """The instance with the parameters and the first action that were given."""
    chosen = replace(drawn, parameters=replace(drawn.parameters, **chosen_parameters(given)))
    require_within(drawn.extent, chosen.parameters)
    first = given["first_action"]
    if first is None:
        return chosen
    return replace(chosen, first_action=_within("first_action", first, drawn.dynamics.actions))


def chosen_instance(
    world: str | None, table: Path | None, start: int | None, given: WorldGiven
) -> Instance:
    """A world of the paper or a table of one's own, from the state that was given."""
    if world is not None and table is None:
        chosen: Instance = drawn_instance(world, given)
    elif table is not None and world is None:
        chosen = with_choices(instance_of_table(table.name, read_table(table)), given)
    else:
        raise click.UsageError("Give either a WORLD or a --table.")
    if start is None:
        return chosen
    return replace(chosen, start=_within("start", start, chosen.dynamics.states))


def table_options(command: Callable[P, R]) -> Callable[P, R]:
    """The options for a table of one's own, and for another state to start in."""
    for option in (
        click.option("--start", type=int, help="The state to start in [as drawn; of a table: 0]."),
        click.option(
            "--table",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Your own dynamics: row s lists T(s,0), T(s,1), …, as JSON or CSV.",
        ),
    ):
        command = option(command)
    return command


def _within(argument: str, value: int, count: int) -> int:
    if not 0 <= value < count:
        raise InvalidArgument(argument, value, f"0 to {count - 1}")
    return value
