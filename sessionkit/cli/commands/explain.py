"""`sessionkit explain`."""

from __future__ import annotations

from typing import Annotated

from sessionkit.cli.declare import Argument
from sessionkit.errors import ExitCode

EPILOG = """\b
Examples:
  sessionkit explain
  sessionkit explain image-too-large
"""


def explain(
    *, fault: Annotated[str | None, Argument(metavar="FAULT", help="A fault by its id [default: a list of all].")] = None
) -> ExitCode:
    """Tell what a fault is and how it is cured. Its page has the rule, what you see of it, the cure, and what that loses."""
    import sys

    from sessionkit.cli.reports.explain import list_faults, show_page
    from sessionkit.cli.voice import Voice
    from sessionkit.faults import FAULTS, fault_of

    voice = Voice(sys.stdout)
    if fault is None:
        list_faults(voice, FAULTS)
    else:
        show_page(voice, fault_of(fault))
    return ExitCode.OK
