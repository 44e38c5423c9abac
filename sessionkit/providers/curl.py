"""A command for curl that sends a body, with the key taken from the environment."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, Final
from urllib.parse import quote as escape

from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from sessionkit.providers.base import Target


@dataclass(frozen=True, slots=True)
class _Door:
    """Where an interface is: the vendor's host, the variable that names another one, and the path; headers as the shell reads them."""

    host: str
    variable: str
    path: str
    headers: tuple[str, ...]


_OPENAI: Final = ("https://api.openai.com/v1", "OPENAI_BASE_URL")
_BEARER: Final = ("Authorization: Bearer $OPENAI_API_KEY",)
_CODEX_HEADERS: Final = (
    "Authorization: Bearer $CODEX_ACCESS_TOKEN",
    "chatgpt-account-id: $CODEX_ACCOUNT_ID",
    "OpenAI-Beta: responses=experimental",
)

_DOORS: Final = {
    "anthropic-messages": _Door(
        "https://api.anthropic.com",
        "ANTHROPIC_BASE_URL",
        "/v1/messages",
        ("x-api-key: $ANTHROPIC_API_KEY", "anthropic-version: 2023-06-01"),
    ),
    "openai-completions": _Door(*_OPENAI, "/chat/completions", _BEARER),
    "openai-responses": _Door(*_OPENAI, "/responses", _BEARER),
    "openai-codex-responses": _Door("https://chatgpt.com/backend-api/codex", "CODEX_BASE_URL", "/responses", _CODEX_HEADERS),
    "google-generative-ai": _Door(
        "https://generativelanguage.googleapis.com",
        "GOOGLE_GEMINI_BASE_URL",
        "/v1beta/models/{model}:generateContent",
        ("x-goog-api-key: $GEMINI_API_KEY",),
    ),
}
"""By the interface's name in sessions."""

_NAMELESS: Final = "MODEL"
_FOLDER: Final = "models/"
"""Stands in Gemini's path already."""


def curl_command(target: Target, file: str) -> str:
    """Write the command, in several lines; the body comes from `file`, or from standard input for `-`.

    The variables that name hosts are those of the vendors' own libraries.
    """
    door = _DOORS[target.api]
    path = door.path.format(model=escape(target.model.removeprefix(_FOLDER) or _NAMELESS, safe="", errors="surrogateescape"))
    lines = (
        f'curl -sS "${{{door.variable}:-{door.host}}}{path}"',
        *(f'-H "{header}"' for header in ("content-type: application/json", *door.headers)),
        f"--data-binary {_quoted(f'@{file}')}",
    )
    return " \\\n  ".join(lines)


def _quoted(word: str) -> str:
    """Quote a word for the shell; what is not printable is written out, as most shells read it, and does not act on a terminal."""
    if word.isprintable():
        return shlex.quote(word)
    return "$'" + "".join(f"\\x{byte:02x}" for byte in os.fsencode(word)) + "'"
