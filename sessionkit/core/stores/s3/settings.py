"""What the environment says of servers: looked at before the library is, which panics at some of it."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeAlias

from sessionkit.errors import UnreachableError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Settings: TypeAlias = tuple[tuple[str, str], ...]
"""Variables that say something, by name."""

_BEGIN: Final = "AWS_"
_ENDPOINTS: Final = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT")
_WORDS: Final = (
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_TOKEN",
    "AWS_REGION",
    "AWS_DEFAULT_REGION",
    "AWS_SSE_KMS_KEY_ID",
)
"""What goes into the head of a request; some of it is secret."""
_YES: Final = {"1", "true", "yes", "on"}
_is_endpoint = re.compile(r"https?://([A-Za-z0-9._-]+|\[[0-9a-fA-F:.]+\])(:[0-9]+)?(/[A-Za-z0-9._~/-]*)?").fullmatch


def settings() -> Settings:
    """Read the environment; a variable that is empty counts as unset."""
    return tuple(sorted((name, value) for name, value in os.environ.items() if name.startswith(_BEGIN) and value))


def require_understood(settings: Settings, parse: Callable[[str], object]) -> None:
    """Raise UnreachableError for what cannot be meant, without the value of a secret; `parse` raises ValueError for what is no URL."""
    for name, value in settings:
        if name in _WORDS and not value.isprintable():
            raise _misunderstood(name, "it holds a line break, or something else that cannot be printed", "set it anew, without that")
        if name in _ENDPOINTS:
            _require_endpoint(name, value, parse)


def allows_http(settings: Settings) -> bool:
    """Whether requests may go unencrypted."""
    return dict(settings).get("AWS_ALLOW_HTTP", "").strip().lower() in _YES


@contextmanager
def without_empty() -> Iterator[None]:
    """Hide variables that are empty: the library reads the environment itself, and takes them for settings."""
    empty = {name: value for name, value in os.environ.items() if name.startswith(_BEGIN) and not value}
    for name in empty:
        del os.environ[name]
    try:
        yield
    finally:
        os.environ.update(empty)


def _require_endpoint(name: str, value: str, parse: Callable[[str], object]) -> None:
    hint = "it looks like https://host:port"
    if not _is_endpoint(value):
        raise _misunderstood(name, f"{_without_user(value)[:100]!r} is no address of a server", hint)
    try:
        parse(value)
    except ValueError as error:
        raise _misunderstood(name, f"{value[:100]!r} is no address of a server: {error}", hint) from error


def _without_user(value: str) -> str:
    """Leave out what stands before the host: it may be a password."""
    return re.sub(r"(?s)^([a-z]+://)?.*@", r"\1…@", value)


def _misunderstood(name: str, why: str, hint: str) -> UnreachableError:
    return UnreachableError(f"{name} is not understood", why=why, hint=hint)
