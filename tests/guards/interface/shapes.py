"""The interface as lines `NAME: WHAT`, sorted: options, public names, JSON keys, exit codes."""

from __future__ import annotations

import dataclasses
import enum
import inspect
import json
import re
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeAlias

import click
from click.testing import CliRunner

from .adapter import BY_MACHINE, CLAIMS, COMMAND, MODULES, SITUATIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"


# --- options --------------------------------------------------------------------------------------


def options(*, of_claims: bool = False) -> Iterator[str]:
    """Each command, with its documented exit codes, and each of its options."""
    for path, command in _commands(COMMAND, "steel"):
        if path.startswith("steel claims") == of_claims:
            yield f"{path}: command{', hidden' if command.hidden else ''}"
            epilog = " ".join((command.epilog or "").split())
            codes = re.findall(r"(?<![\w.])([0-9]{1,3}) (?:[a-z])", epilog.partition("limits:")[0])
            yield f"{path}, told exit codes: {' '.join(sorted(set(codes), key=int))}"
            for parameter in command.params:
                yield f"{path} {_option_name(parameter)}: {_option(parameter)}"


def _commands(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from _commands(inner, f"{path} {name}")


def _option_name(parameter: click.Parameter) -> str:
    if isinstance(parameter, click.Argument):
        return (parameter.name or "").upper()
    return "/".join((*parameter.opts, *parameter.secondary_opts))


def _option(parameter: click.Parameter) -> str:
    kind = parameter.type
    said = [kind.name]
    if isinstance(kind, click.Choice):
        said = [f"one of {' '.join(map(str, kind.choices))}"]
    if isinstance(parameter, click.Option):
        if parameter.is_flag:
            said = ["flag"]
        if parameter.hidden:
            said.append("hidden")
        if told := re.search(r"\[([^\]]+)\]\.?$", parameter.help or ""):
            said.append(f"told default {told[1]}")
    if parameter.required:
        said.append("required")
    if parameter.multiple or parameter.nargs != 1:
        said.append("several")
    default: object = parameter.to_info_dict()["default"]
    if not (default is None or default is False or default == ()):
        said.append(f"default {'by machine' if parameter.name in BY_MACHINE else default}")
    return ", ".join(said)


# --- public names ---------------------------------------------------------------------------------


def names() -> Iterator[str]:
    """Each public name, and the parameters of what can be called. Types are left out."""
    seen: dict[int, str] = {}
    for module in MODULES:
        loaded = import_module(module)
        for name in loaded.__all__:
            value: object = getattr(loaded, name)
            full = f"{module}.{name}"
            if id(value) in seen:
                yield f"{full}: the same as {seen[id(value)]}"
                continue
            seen[id(value)] = full
            yield f"{full}: {_kind(value)}"
            if inspect.isclass(value):
                yield from (f"{full}.{line}" for line in _members(value))


def _kind(value: object) -> str:
    if inspect.isclass(value) and issubclass(value, enum.Enum):
        return "enumeration"
    if inspect.isclass(value):
        return f"class {_signature(value)}"
    if inspect.isroutine(value):
        return _signature(value)
    return "value"


def _members(of: type) -> Iterator[str]:
    """The public members that a class has from us, not from a library."""
    ours = [base for base in of.__mro__ if base.__module__.startswith(MODULES[0])]
    fields = (
        {field.name for field in dataclasses.fields(of)} if dataclasses.is_dataclass(of) else ()
    )
    for name in {*fields, *(name for base in ours for name in vars(base))}:
        if name.startswith("_"):
            continue
        value: object = inspect.getattr_static(of, name, None)
        if isinstance(value, classmethod | staticmethod):
            yield f"{name}: {type(value).__name__} {_signature(value.__func__)}"
        elif inspect.isfunction(value):
            yield f"{name}: {_signature(value)}"
        else:
            yield f"{name}: attribute"


def _signature(of: Callable[..., object]) -> str:  # type: ignore[explicit-any]  # anything that is called
    if isinstance(of, type) and issubclass(of, Exception) and not inspect.isfunction(of.__init__):
        return "(*args)"  # of exceptions, some versions of Python tell no signature
    return f"({', '.join(_parameters(list(inspect.signature(of).parameters.values())))})"


def _parameters(parameters: list[inspect.Parameter]) -> Iterator[str]:
    kinds = [p.kind for p in parameters]
    for i, p in enumerate(parameters):
        first_named = p.kind is p.KEYWORD_ONLY and p.KEYWORD_ONLY not in kinds[:i]
        if first_named and p.VAR_POSITIONAL not in kinds:
            yield "*"
        stars = "*" if p.kind is p.VAR_POSITIONAL else "**" if p.kind is p.VAR_KEYWORD else ""
        yield f"{stars}{p.name}{'' if p.default is p.empty else f'={_default(p.default)}'}"


def _default(value: object) -> str:
    plain = value is None or isinstance(value, bool | int | float | str | Fraction)
    return str(value) if isinstance(value, Fraction) else repr(value) if plain else "…"


# --- JSON keys and exit codes ---------------------------------------------------------------------


def outcomes(situations: Mapping[str, str] = SITUATIONS) -> Iterator[str]:
    """The exit code of each situation, and each key of its JSON with the types of its values."""
    with TemporaryDirectory() as folder:
        _prepare(Path(folder))
        for name, words in situations.items():
            result = CliRunner().invoke(COMMAND, words.format(folder=folder).split())
            if result.exception is not None and not isinstance(result.exception, SystemExit):
                raise result.exception
            yield f"{name}: exit code {result.exit_code}"
            if "--json" in words and result.stdout.startswith(("{", "[")):
                found: dict[str, set[str]] = {}
                _keys(json.loads(result.stdout), "", found)
                yield from (f"{name} {k}: {' or '.join(sorted(v))}" for k, v in found.items())


def _prepare(folder: Path) -> None:
    made = CliRunner().invoke(
        COMMAND, ["learn", "grid", "--method", "looped", "--certificate", f"{folder}/rejected.json"]
    )
    assert made.exit_code == 0, made.output
    file = folder / "rejected.json"
    file.write_bytes(re.sub(rb'"digest":"[0-9a-f]{8}', b'"digest":"00000000', file.read_bytes()))
    (folder / "malformed.json").write_text("no certificate")
    (folder / "table.json").write_text("[[0, 0, 0, 0]]")


def _keys(value: Json, path: str, found: dict[str, set[str]]) -> None:
    """Collect the types at each path. Keys that are no identifiers are data, and stand as `*`."""
    match value:
        case dict():
            found.setdefault(path or ".", set()).add("object")
            for key, inner in value.items():
                _keys(inner, f"{path}.{key if key.isidentifier() else '*'}", found)
        case list():
            found.setdefault(path or ".", set()).add("list")
            for inner in value:
                _keys(inner, f"{path}[]", found)
        case _:
            kinds = {bool: "boolean", int: "integer", float: "float", str: "text"}
            found.setdefault(path, set()).add(kinds.get(type(value), "null"))


def claims() -> Iterator[str]:
    """All of `steel claims`."""
    yield from options(of_claims=True)
    yield from outcomes(CLAIMS)
