"""Options shared by several commands, and the text that describes parameters and worlds."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Final,
    ParamSpec,
    TypeAlias,
    TypedDict,
    TypeVar,
    get_type_hints,
)

import click

from steel_verified.cli.arguments import as_usage_error, option_name, whole
from steel_verified.errors import InvalidArgument, SteelError
from steel_verified.theory.exact import exactly
from steel_verified.theory.parameters import ONE_IN_20, Parameters, require_within
from steel_verified.worlds.catalogue import DEFAULT, NAMES, SIZES, instance
from steel_verified.worlds.dynamics import read_table
from steel_verified.worlds.instances import Instance, RunnableInstance, instance_of_table
from steel_verified.worlds.simulated import LAST_SEED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from fractions import Fraction

P = ParamSpec("P")
R = TypeVar("R")
_Kind: TypeAlias = "click.Path | type[float | str] | Callable[[str | int], int]"
AnyInstance = TypeVar("AnyInstance", bound=Instance)
RunFiles: TypeAlias = "Mapping[str, Path | None]"
"""The files that were asked for, under the names of their options."""

_HELP: Final = {
    "actions": "|A|, the number of actions.",
    "max_states": "N, a bound on the number of latent states.",
    "max_diameter": "D̂, a bound on the diameter [N − 1].",
    "mixing_time": "t̂_mix, a bound on the noise's mixing time.",
    "class_size": "|F|, the number of classifiers.",
    "delta": 'δ, exact: "0.05" or "1/20".',
    "epsilon": 'ε, exact: "0.05" or "1/20".',
}


FILES: Final = {
    "model": "Write the learned model to a .json, .dot or .graphml file.",
    "certificate": "Write the certificate, for `steel check FILE`.",
    "html": "Write the audit page of the run, for a browser.",
    "findings": "If the run is not accepted, write its findings, for `steel findings FILE`.",
    "checkpoint": "Save the state of the run in this file regularly, to resume it later.",
    "resume": "Continue a run from its checkpoint, and save new checkpoints in the same file.",
}


class Chosen(TypedDict, total=False):
    """The parameters given as options, under the names and types of `Parameters`."""

    actions: int
    max_states: int
    max_diameter: int
    mixing_time: int
    class_size: int
    delta: Fraction
    epsilon: Fraction


class WorldGiven(TypedDict):
    """The values of the options of `world_options` and `parameter_options`."""

    env_seed: int
    sizes: dict[str, float]
    first_action: int | None
    parameters: Chosen


noise_seed_option = click.option(
    "--noise-seed",
    type=whole(0, LAST_SEED),
    default=0,
    show_default=True,
    help="Seed of the noise.",
)


def worlds_to_type(_context: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    """The worlds whose names begin with the typed text, for shell completion."""
    return [name for name in NAMES if name.startswith(begun)]


def parameter_options(command: Callable[P, R]) -> Callable[P, R]:
    """Add one option for each of STEEL's parameters; the command gets them as `parameters`."""
    types = get_type_hints(Parameters)
    for field in reversed(fields(Parameters)):
        kind = whole() if types[field.name] is int else str
        command = _collected("parameters", field.name, kind, _HELP[field.name])(command)
    return command


def own_parameters(given: Chosen, instead: str, *, with_class: bool) -> Parameters:
    """The parameters for an environment of the user's own, from options alone.

    D̂ defaults to N − 1, δ and ε default to 1/20. |F| defaults to N, its least value, if the
    method does not use it. Raises a `click.UsageError` that says what else could be given.
    """
    chosen: Chosen = {"delta": ONE_IN_20, "epsilon": ONE_IN_20, **given}
    if "max_states" in given:
        chosen = {"max_diameter": max(given["max_states"] - 1, 0), **chosen}
        if not with_class:
            chosen = {"class_size": given["max_states"], **chosen}
    unused = {"max_diameter"} if with_class else {"max_diameter", "class_size"}
    needed = [field.name for field in fields(Parameters) if field.name not in unused]
    if missing := [option_name(name) for name in needed if name not in chosen]:
        raise click.UsageError(f"Missing {', '.join(missing)}. Give them, or {instead}.")
    return Parameters(**chosen)


def _collected(
    argument: str, name: str, kind: _Kind, text: str, metavar: str | None = None
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """An option whose value is stored in a dict that the command gets as one argument.

    Text is parsed as an exact number. Only files are stored if they are not given.
    """

    def keep(context: click.Context, option: click.Parameter, value: object) -> None:
        del option
        items: dict[str, object] = context.params.setdefault(argument, {})
        try:
            if value is not None or metavar is not None:
                items[name] = exactly(value, name) if isinstance(value, str) else value
        except SteelError as error:
            raise as_usage_error(error) from error

    return click.option(
        option_name(name),
        name,
        type=kind,
        metavar=metavar,
        expose_value=False,
        callback=keep,
        help=text,
    )


def world_options(command: Callable[P, R]) -> Callable[P, R]:
    """Add the options that choose an instance of a world, and name the worlds in the help."""
    *others, last = NAMES
    listed = f"{', '.join(others)} or {last}"
    with_default = listed.replace(DEFAULT, f"{DEFAULT} (the default)")
    help_text = (command.__doc__ or "").replace("{worlds_and_default}", with_default)
    command.__doc__ = help_text.replace("{worlds}", listed)
    first = click.option("--first-action", type=whole(), help="The first action [as drawn].")
    command = first(command)
    for size in reversed(SIZES):
        text = f"{size.help} [{size.default}]."
        kind = whole() if size.number is int else size.number
        command = _collected("sizes", size.name, kind, text)(command)
    seed = click.option(
        "--env-seed", type=whole(), default=0, show_default=True, help="Which instance to draw."
    )
    return seed(command)


def drawn_instance(world: str, given: WorldGiven) -> RunnableInstance:
    """Draw the chosen instance, with the given parameters, whether they are true or not."""
    return with_choices(instance(world, given["env_seed"], **given["sizes"]), given)


def with_choices(drawn: AnyInstance, given: WorldGiven) -> AnyInstance:
    """The instance with the given parameters and first action in place of its own."""
    chosen = replace(drawn, parameters=replace(drawn.parameters, **given["parameters"]))
    first = given["first_action"]
    if first is None:
        return chosen
    return replace(chosen, first_action=_within("first_action", first, drawn.dynamics.actions))


def chosen_instance(
    world: str | None, table: Path | None, start: int | None, given: WorldGiven
) -> Instance:
    """A world of the paper, or the user's own table, with the given start state."""
    if world is not None and table is None:
        chosen: Instance = drawn_instance(world, given)
    elif table is not None and world is None:
        chosen = with_choices(instance_of_table(table.name, read_table(table)), given)
    else:
        raise click.UsageError("Give either a WORLD or a --table.")
    require_within(chosen.extent, chosen.parameters)
    if start is None:
        return chosen
    return replace(chosen, start=_within("start", start, chosen.dynamics.states))


def table_options(command: Callable[P, R]) -> Callable[P, R]:
    """Add the options for the user's own table, and for another start state."""
    for option in (
        click.option("--start", type=whole(), help="The start state [as drawn; for a table: 0]."),
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


def file_options(command: Callable[P, R]) -> Callable[P, R]:
    """The options that name files; the command takes them as `files`."""
    path = click.Path(path_type=Path, dir_okay=False)
    for name, text in reversed(tuple(FILES.items())):
        command = _collected("files", name, path, text, metavar="FILE")(command)
    return command
