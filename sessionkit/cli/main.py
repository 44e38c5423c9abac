"""The program: it runs a command line, and turns whatever comes of it into an exit code."""

from __future__ import annotations

import gc
import io
import os
import signal
import sys
from typing import TYPE_CHECKING, NoReturn

from sessionkit import __version__
from sessionkit.cli.voice import Style, warn, warn_of, writing_output
from sessionkit.errors import ExitCode, SessionkitError, Terminated

if TYPE_CHECKING:
    from collections.abc import Sequence

_OBJECTS_BETWEEN_COLLECTIONS = 100_000
"""Parsed lines are trees without cycles: looking for some every 700 objects, as Python does, only costs time."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line (without the program's name; by default this process's own) and return its exit code."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    signal.signal(signal.SIGTERM, _terminate)
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    _prepare_streams()
    try:
        code = _run(words)
    except SessionkitError as error:
        warn_of(error)
        code = error.exit_code
    except KeyboardInterrupt:
        warn("interrupted: what was begun is undone, what was finished stays")
        code = ExitCode.INTERRUPTED
    except Terminated:
        warn("terminated: what was begun is undone, what was finished stays")
        code = ExitCode.TERMINATED
    except BrokenPipeError:
        code = ExitCode.CLOSED_PIPE
    except (OSError, MemoryError) as error:
        code = _report_system(error)
    except Exception:  # noqa: BLE001  the last resort of the program
        _report_bug()
        code = ExitCode.BUG
    _settle_output()
    if arguments is None:
        gc.freeze()  # the process ends: to look for cycles among all that there is would take a sixth of the time of a small command
    return code


def _run(words: list[str]) -> ExitCode:
    code = _show_version() if words == ["--version"] else _call(words)
    with writing_output():
        sys.stdout.flush()
    return code


def _show_version() -> ExitCode:
    with writing_output():
        sys.stdout.write(f"sessionkit {__version__}\n")
    return ExitCode.OK


def _call(words: list[str]) -> ExitCode:
    """Do what is said, with typer only where it is needed: its import takes longer than all else."""
    from sessionkit.cli.quick import understand

    if call := understand(words):
        return call()
    from sessionkit.cli.app import run

    return run(words)


def _terminate(_number: int, _frame: object) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one must not cut the cleaning up short
    raise Terminated


def _prepare_streams() -> None:
    """Keep files of ours from becoming a standard stream that was closed, and names in foreign scripts from stopping a report.

    What is written to a closed standard output is lost, so it must fail; for what is said on standard error there is nobody left.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDONLY if descriptor == 1 else os.O_RDWR)
    sys.stdout = sys.stdout or os.fdopen(1, "w", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", closefd=False)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _settle_output() -> None:
    """Leave nothing behind that Python would fail to write when it exits, which would change the exit code."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _report_system(error: OSError | MemoryError) -> ExitCode:
    """Say what the system refused: it is no bug, even where nobody foresaw it."""
    from sessionkit.core.files import refused

    match error:
        case MemoryError():
            told = SessionkitError("not enough memory", hint="use fewer processes (-j 1), or a machine with more memory")
        case FileNotFoundError() if not _has_working_folder():
            told = SessionkitError("the working folder was removed", hint="cd to a folder that exists, and run again")
        case _:
            told = refused(error)
    warn_of(told)
    return told.exit_code


def _has_working_folder() -> bool:
    try:
        os.getcwd()  # noqa: PTH109  only the question matters
    except FileNotFoundError:
        return False
    return True


def _report_bug() -> None:
    import traceback

    for line in traceback.format_exc().splitlines():
        warn(line, Style.PLAIN)
    warn("this is a bug in sessionkit: please report it, with the lines above and what you ran", Style.ALARM)
