"""Pictures that the user names, and that the model never saw."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sessionkit.core.entries import Entry
from sessionkit.core.model import Media, Role, Text, UserKind
from sessionkit.faults.base import Consent, Fault, Finding, Severity, Spot, Stage, State, Uncured

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sessionkit.core.model import Message
    from sessionkit.faults.base import Choices, Cure
    from sessionkit.faults.case import Case

_OBSTACLE: Final = "attach it, or ask the agent to read it"
_SHOWN: Final = 3
_READING: Final = frozenset({"arguments", "input", "args", "attachment"})
"""Members that say what an agent looked at."""

_ROOT: Final = r"(?:~?/|\.{1,2}/|[A-Za-z]:[\\/])"
_EXTENSION: Final = r"\.(?:png|jpe?g|gif|webp|bmp|tiff?|heic)"
_has_extension = re.compile(_EXTENSION, re.IGNORECASE).search
_LETTER: Final = r"(?:\\ |[^\s\"'<>|:;,()\\]|\\(?=\w))"
"""Of a path without quotes; a space has a backslash before it, as a terminal writes it."""
_paths = re.compile(
    rf"(?P<quote>['\"])(?P<quoted>{_ROOT}[^'\"\n]{{1,1000}}?{_EXTENSION})(?P=quote)"
    rf"|(?<![\w:/.\\-])(?P<bare>{_ROOT}{_LETTER}{{1,1000}}?{_EXTENSION})(?![\w/-]|\.\w)",
    re.IGNORECASE,
).finditer


class UnreadPicture(Fault):
    """A picture that is named by its path, and was never read."""

    id = "unread-picture"
    stage = Stage.TEXTS
    consent = Consent.ASKED
    page = """\
unread-picture: a picture that is named by its path, and was never read

Rule
  You wrote the path of a picture, no picture came with your message, and no
  call of the agent names that file. This is what a terminal makes of a
  picture that is dropped into it.

What you see
  An answer that talks about a picture nobody saw, or "I cannot see it".

Cure
  None: attach the picture, or ask the agent to read the file.

What it loses
  Nothing."""

    def find(self, case: Case) -> Iterator[Finding]:
        named = dict(_named(case.conversation.messages))
        if not named:
            return
        unread = {name for names in named.values() for name in names} - _read(case, named)
        for spot, names in named.items():
            missing = [name for name in names if name in unread]
            if missing:
                cause = f"it names what nobody read: {', '.join(missing[:_SHOWN])}"
                yield Finding(self.id, Severity.HARMLESS, State.LIVE, spot, cause, obstacle=_OBSTACLE)

    def cure(self, case: Case, finding: Finding, choices: Choices) -> Cure:
        return Uncured(_OBSTACLE)


def _named(messages: tuple[Message, ...]) -> Iterator[tuple[Spot, tuple[str, ...]]]:
    """Names of picture files in what the user wrote, text by text; messages that came with a picture are passed over."""
    for message in messages:
        is_prompt = message.role is Role.USER and message.kind is UserKind.PROMPT
        if not is_prompt or any(isinstance(block, Media) for block in message.content):
            continue
        for block in message.content:
            names = tuple(dict.fromkeys(_names(block.text))) if isinstance(block, Text) else ()
            if names:
                yield Spot(block.origin.line, block.origin.pointer), names


def _names(text: str) -> Iterator[str]:
    for found in _paths(text) if _has_extension(text) else ():
        path = (found["quoted"] or found["bare"]).replace("\\ ", " ")
        yield re.split(r"[/\\]", path)[-1]


def _read(case: Case, named: Mapping[Spot, tuple[str, ...]]) -> set[str]:
    """Names that stand in some call of the session, or in what the agent attached by itself, on whatever branch."""
    left = {name for names in named.values() for name in names}
    found: set[str] = set()
    for entry in case.lines.entries():
        if not left:
            break
        if isinstance(entry, Entry):
            said = " ".join(_said(entry.value))
            now = {name for name in left if name in said}
            found |= now
            left -= now
    return found


def _said(value: object) -> Iterator[str]:
    """Texts of the calls of an entry."""
    todo: list[tuple[object, bool]] = [(value, False)]
    while todo:
        node, is_said = todo.pop()
        match node:
            case dict():
                todo += ((member, is_said or name in _READING) for name, member in node.items() if name != "prompt")
            case list():
                todo += ((item, is_said) for item in node)
            case str() if is_said:
                yield node
