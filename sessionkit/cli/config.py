"""Settings of options: in pyproject.toml of the project, and in config.toml of the user."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from sessionkit.cli.coercion import convert
from sessionkit.cli.voice import warn
from sessionkit.dataclass import dataclass
from sessionkit.errors import Place, UnreadableError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from sessionkit.cli.declare import Parameter

Options: TypeAlias = "dict[str, Parameter]"
"""The options of a command, by their long names without dashes."""

_PROJECT_FILE = "pyproject.toml"
_OURS = "sessionkit"

# Whoever has a table of ours writes its name behind that of `tool`, or opens `tool` by itself, or hides a letter of them in an escape.
_OURS_OR_HIDDEN = rb"""(?m)tool["' \t]*\.["' \t]*sessionkit|^[ \t]*\[?[ \t]*["']?tool["']?[ \t]*[\]=]|\\[uU]"""


@dataclass(frozen=True, slots=True)
class _Table:
    """A table of a settings file; `name` is what it is called there."""

    file: Path
    name: str
    values: Mapping[str, Any]

    def path(self, key: str) -> str:
        """What a key of it is called in the file."""
        return f"{self.name}.{key}" if self.name else key

    def below(self, key: str) -> _Table:
        """Table inside this one, empty if there is none."""
        values = self.values.get(key, {})
        if not isinstance(values, dict):
            raise self.refusal(key, "it should be a table", _help())
        return _Table(self.file, self.path(key), values)

    def refusal(self, key: str, why: str, hint: str) -> UsageError:
        """Error that names the file and the key."""
        return UsageError(f"bad setting {self.path(key)}", place=Place(str(self.file)), why=why, hint=hint)


@dataclass(frozen=True, slots=True)
class Setting:
    """A value of an option, and where it stands; `advice` is what can be done where it was meant for another command."""

    value: object
    option: Parameter
    table: _Table
    key: str
    advice: str

    def is_meant_by(self, error: UsageError) -> bool:
        """Whether an error of the command names the option, or says of a word that is given to it: unknown profile: acme."""
        given = self.table.values[self.key]
        words = given if isinstance(given, list) else [given]
        names = "|".join(map(re.escape, filter(None, (*self.option.names, self.option.negative))))
        return bool(re.search(rf"(?<![\w-])(?:{names})(?![\w-])", error.what)) or error.what.endswith(tuple(f": {word}" for word in words))

    def refusal(self, error: UsageError) -> UsageError:
        """Tell what the command says of it, with the file and the key."""
        return self.table.refusal(self.key, error.what, "; ".join(filter(None, (error.hint, self.advice))))


def read_settings(command: str, options_of_all: Callable[[], Mapping[str, Options]]) -> dict[str, Setting]:
    """Settings for the parameters of a command; the options of all commands are asked for if there are settings at all.

    Raises UsageError for unknown keys and wrong types.
    """
    settings: dict[str, Setting] = {}
    tables = (*_user_table(), *_project_table())
    options = options_of_all() if tables else {}
    known = options.get(command, {})
    for table in tables:
        _require_known(table, options)
        own = table.below(command)
        for key in filter(known.__contains__, table.values):
            settings[known[key].name] = _setting(table, key, command, options)
        for key in own.values:
            settings[known[key].name] = _setting(own, key, command, {command: known})
    return settings


def _require_known(table: _Table, options: Mapping[str, Options]) -> None:
    every = frozenset(name for known in options.values() for name in known)
    for key in table.values:
        if key in options:
            below = table.below(key)
            for name in below.values:
                if name not in options[key]:
                    raise below.refusal(name, f"{key} has no option --{name}", _help(key))
        elif key not in every:
            raise table.refusal(key, f"no command has an option --{key}", _help())


def _help(command: str = "") -> str:
    return f"see `sessionkit {command} --help` for its options" if command else "see `sessionkit --help` for the commands"


def _setting(table: _Table, key: str, command: str, options: Mapping[str, Options]) -> Setting:
    """Read a value for a command; those of `options` that have the same table may mean something else by the key."""
    option = options[command][key]
    _require_type(table, key, option, _help(command))
    advice = _advice(table, key, command, options)
    try:
        converted = convert(option, table.values[key])
    except ValueError as error:
        raise table.refusal(key, str(error), advice or _help(command)) from error
    return Setting(not converted if f"--{key}" == option.negative else converted, option, table, key, advice)


def _advice(table: _Table, key: str, command: str, options: Mapping[str, Options]) -> str:
    """Say where the value goes if another command is meant, to which the option is another thing."""
    mine = options[command][key].declared
    others = [other for other, known in options.items() if key in known and known[key].declared is not mine]
    places = " or ".join(f"[{table.path(other)}]" for other in others)
    return f"what is meant for {' or '.join(others)} goes into {places} of the file" if others else ""


def _require_type(table: _Table, key: str, option: Parameter, hint: str) -> None:
    value = table.values[key]
    if option.is_list:
        is_right, right = isinstance(value, list) and all(isinstance(item, str) for item in value), "a list of strings"
    elif option.kind is bool:
        is_right, right = isinstance(value, bool), "true or false"
    else:
        types, right = _types(option)
        is_right = isinstance(value, types) and not isinstance(value, bool)
    if not is_right:
        raise table.refusal(key, f"it should be {right}", hint)


def _types(option: Parameter) -> tuple[tuple[type, ...], str]:
    """Types of TOML for an option that is no switch, and what they are called; a parser reads numbers and strings alike."""
    takes_text = option.declared.parser is not None
    if option.kind is int:
        return (int, str) if takes_text else (int,), "a whole number"
    if option.kind is str and takes_text:
        return (str, int, float), "a number or a string"
    return (str,), "a string"


def may_have_settings() -> bool:
    """Whether anything may be set in a file: it is told without parsing one, and so that there may be where one cannot be read."""
    try:
        return _is_file(_user_file()) or any(True for _ in _project_files())
    except UnreadableError:
        return True


def _user_file() -> Path:
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")  # noqa: PTH111  there may be no home, and no error
    return Path(base, "sessionkit", "config.toml")


def _user_table() -> list[_Table]:
    file = _user_file()
    return [_Table(file, "", _parse(file, _read(file)))] if _is_file(file) else []


def _project_table() -> list[_Table]:
    """Table of the nearest pyproject.toml, here or in a folder above, that has one."""
    for file, text in _project_files():
        tools = _parse_project(file, text).get("tool")
        table = _Table(file, "tool", tools if isinstance(tools, dict) else {}).below(_OURS)
        if table.values:
            return [table]
    return []


def _project_files() -> Iterator[tuple[Path, bytes]]:
    """Files that may have a table of ours, the nearest first: most have none, and to parse them takes longer than many a command."""
    for folder in _folders():
        file = folder / _PROJECT_FILE
        if _is_file(file) and re.search(_OURS_OR_HIDDEN, text := _read(file)):
            yield file, text


def _parse_project(file: Path, text: bytes) -> dict[str, Any]:
    """Parse a file that belongs to others: where it is broken and does not speak of us, that is only told."""
    try:
        return _parse(file, text)
    except UsageError as error:
        if _OURS.encode() in text:
            raise
        warn(f"warning: {file}: {error.what}, so it is looked at no further: {error.why}")
        return {}


def _folders() -> list[Path]:
    """The working folder and those above it; none if it was removed."""
    try:
        here = Path.cwd()
    except FileNotFoundError:
        return []
    return [here, *here.parents]


def _is_file(path: Path) -> bool:
    return os.path.isfile(path)  # noqa: PTH113  Path.is_file raises where a folder may not be entered


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        why = str(error.strerror).lower()
        raise UnreadableError("the settings cannot be read", place=Place(str(file)), why=why, hint="check its mode") from error


def _parse(file: Path, text: bytes) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text.decode())
    except (ValueError, RecursionError) as error:
        raise UsageError("not a TOML file", place=Place(str(file)), why=str(error), hint="correct it, or move it away") from error
