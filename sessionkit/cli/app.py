"""The program as typer knows it: whatever is not understood at once (`quick.py`), and all that is said of the commands and of mistakes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from sessionkit import __version__
from sessionkit.cli.commands import COMMANDS
from sessionkit.cli.config import read_settings
from sessionkit.cli.declare import Origin, command_of
from sessionkit.cli.translation import NAME, Coercion, function_for, origin_of
from sessionkit.cli.voice import warn, writing_output
from sessionkit.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sessionkit.cli.config import Options, Setting
    from sessionkit.cli.declare import Parameter

_COMPLETION = f"_{NAME.upper()}_COMPLETE"
_HELP = ("-h", "--help")
_EPILOG = """\b
Examples:
  sessionkit scan -r ~/.claude/projects          what fills the sessions
  sessionkit migrate -r sessions --out spilled   images into files
  sessionkit verify -r spilled                   are they all there, and whole
  sessionkit restore -r spilled --out sessions   and back, byte for byte
  sessionkit gc spilled                          assets that nothing names
  sessionkit rehydrate a.jsonl --provider gemini the next request
  sessionkit check -r ~/.claude/projects         which are broken, and by what
  sessionkit repair a.jsonl --apply              and whole again
  sessionkit compact a.jsonl --compare           what a compaction would lose
  sessionkit gallery a.jsonl -o page.html        its images, to look at
  sessionkit prepare shot.png --as anthropic     an image that will not break it

\b
Options can also be set in the environment (SESSIONKIT_JOBS, or for one
command SESSIONKIT_MIGRATE_JOBS), in pyproject.toml ([tool.sessionkit] and
[tool.sessionkit.migrate]), and in ~/.config/sessionkit/config.toml (the same
without tool.sessionkit). The first that says something counts.

\b
Exit codes: 0 done, 1 findings, 2 usage, 3 failed, 4 some sessions failed.
"""


def _prepared(params: list[Any], known: Mapping[str, Parameter]) -> list[Any]:
    """Convert words in our own way; typer's costs more than all else that it does (coercion.py)."""
    for param in params:
        param._runtime_param = Coercion(known.get(param.name))  # noqa: SLF001
    return params


class Group(TyperGroup):
    """The program."""

    def get_params(self, ctx: Any) -> Any:  # noqa: ANN401  typer does not export the type
        """Parameters of the program itself."""
        return _prepared(super().get_params(ctx), {})


class Command(TyperCommand):
    """A command. It reads settings from files, unless it is only asked for help or to complete a word."""

    parameters: Mapping[str, Parameter]
    settings: Mapping[str, Setting] = {}

    def get_params(self, ctx: Any) -> Any:  # noqa: ANN401
        """Parameters of the command."""
        return _prepared(super().get_params(ctx), self.parameters)

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:  # noqa: ANN401
        """Parse the arguments of the command."""
        if parent is not None and not extra.get("resilient_parsing") and not set(_HELP).intersection(args):
            self.settings = read_settings(self.name or "", _options_of_all)
            extra["default_map"] = {name: setting.value for name, setting in self.settings.items()}
        with writing_output():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401
        """Run the command; where it refuses what is set in a file, the error names the file."""
        try:
            return super().invoke(ctx)
        except UsageError as error:
            for name, setting in self.settings.items():
                if origin_of(ctx, name) is Origin.FILE and setting.is_meant_by(error):
                    raise setting.refusal(error) from error
            raise

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401
        """Write the help on the options, which is long enough without what says no, and without other names."""
        for param in self.params:
            declared = self.parameters[param.name].declared
            param.opts = [*declared.names] or param.opts
            param.secondary_opts = [declared.negative] if declared.negative else []
            if not declared.names:
                param.display_type_rich = _nothing  # type: ignore[attr-defined]  # typer's: it would be a type of Python, `<list[str]>`
        super().format_options(ctx, formatter)


def _nothing(**_: object) -> str:
    return ""


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"{NAME} {__version__}")
        raise typer.Exit


def _root(
    _version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")] = False,
) -> None:
    """Take the images out of coding agents' sessions, and put them back byte for byte."""


def run(words: list[str]) -> ExitCode:
    """Run a command line. Raises UsageError for one that makes no sense, and whatever the command raises."""
    is_completion = _COMPLETION in os.environ
    group = build(words[:1] if words[:1] and words[0] in COMMANDS and not is_completion else COMMANDS)
    if is_completion:
        group.main(prog_name=NAME)  # answers the shell, and exits
    try:
        with writing_output():
            context = group.make_context(NAME, words)
        with context:
            return ExitCode(group.invoke(context))
    except typer.Exit as leave:
        return ExitCode(leave.exit_code)
    except typer.TyperException as error:
        return _refuse(error)


def build(names: Iterable[str] = COMMANDS) -> TyperGroup:
    """Build the program with some of its commands: to prepare one takes as long as many a session."""
    commands = {name: command_of(name) for name in names}
    program = typer.Typer(
        cls=Group,
        no_args_is_help=True,
        rich_markup_mode=None,  # rich takes as long to import as all of typer, and reads [brackets] as its own
        context_settings={"help_option_names": list(_HELP)},
        epilog=_EPILOG,
    )
    program.callback()(_root)
    for name, command in commands.items():
        program.command(name, cls=Command, epilog=command.module.EPILOG)(function_for(name, command))
    group = get_command(program)
    assert isinstance(group, TyperGroup)
    for name, command in commands.items():
        made = group.commands[name]
        assert isinstance(made, Command)
        made.parameters = {parameter.name: parameter for parameter in command.parameters}
    return group


def _options_of_all() -> dict[str, Options]:
    return {name: _options(command_of(name).parameters) for name in COMMANDS}


def _options(parameters: Iterable[Parameter]) -> Options:
    """Options by their long names without dashes, the negative ones too."""
    return {
        name.removeprefix("--"): parameter
        for parameter in parameters
        for name in (*parameter.names, parameter.negative)
        if name.startswith("--")
    }


def _refuse(error: typer.TyperException) -> ExitCode:
    """Say what is wrong with the command line, or show the help where nothing was asked."""
    context = getattr(error, "ctx", None)
    message = error.format_message()
    if message.startswith("Usage:"):
        for line in message.splitlines():
            warn(line)
        return ExitCode.USAGE
    path = context.command_path if context else NAME
    raise UsageError(message.rstrip("."), hint=f"see `{path} --help`")
