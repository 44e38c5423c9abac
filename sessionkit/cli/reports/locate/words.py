"""The answer of `locate` in words, and as the commands that cure it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Final

from sessionkit.cli.reports.findings import flag_of, safe
from sessionkit.ops.locate import Cured, Evidence, Incurable, Noted
from sessionkit.ops.sessions import STANDARD_INPUT

if TYPE_CHECKING:
    from sessionkit.ops.locate import Hit, Located, Refusal
    from sessionkit.ops.sources import Source
    from sessionkit.providers.body import Steps

_EVIDENCE: Final = {
    Evidence.NUMBER: "its number, to the letter",
    Evidence.ID: "its id",
    Evidence.RULE: "its rule",
    Evidence.PLACE: "its place",
}


def name_of(source: Source) -> str:
    """What a session is called."""
    return str(STANDARD_INPUT if source.is_stdin else source.path)


def evidence_words(hit: Hit) -> str:
    """Why it is taken for what was refused."""
    return " and ".join(_EVIDENCE[evidence] for evidence in hit.evidence)


def way_words(steps: Steps) -> str:
    """A way into a request: `messages.3.content.1`."""
    return ".".join(map(str, steps))


def place_words(refusal: Refusal) -> str:
    """The places that a refusal names."""
    return ", ".join(map(way_words, refusal.ways))


def command_of(located: Located, hit: Hit) -> str:
    """The command that cures it; empty if there is none."""
    words = ["sessionkit", "repair", "SESSION" if located.source.is_stdin else str(located.source.path)]
    match hit.remedy:
        case Cured(fault, option, profile):
            words += ["--only", fault]
            words += flag_of(option).split() if option != fault else ()
            words += ["--profile", profile] if profile else ()
        case Noted(spot):
            words += ["--line", str(spot.line), "--path", spot.pointer, "--note"]
        case Incurable():
            return ""
    return shlex.join([*words, "--apply"])


def obstacle_of(hit: Hit) -> str:
    """Why no command cures it; empty if one does."""
    return safe(hit.remedy.reason) if isinstance(hit.remedy, Incurable) else ""
