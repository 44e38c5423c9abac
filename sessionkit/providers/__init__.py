"""Request bodies: a shelf of interfaces, each of one vendor. A book is imported when it is asked for: one body needs one of them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

from sessionkit.errors import UsageError

if TYPE_CHECKING:
    from typing import Final

    from sessionkit.providers.base import Provider

    PROVIDERS: tuple[Provider, ...]
    """All of them, variants too."""

__all__ = ["IDS", "PROVIDERS", "VARIANTS", "provider_of"]

_HOMES: Final = {
    "anthropic": ("sessionkit.providers.anthropic", "Anthropic"),
    "openai-chat": ("sessionkit.providers.openai_chat", "OpenAIChat"),
    "openai-responses": ("sessionkit.providers.openai_responses", "OpenAIResponses"),
    "codex-responses": ("sessionkit.providers.openai_responses", "CodexResponses"),
    "gemini": ("sessionkit.providers.gemini", "Gemini"),
}
"""Module and class of each book, by its id."""

VARIANTS: Final = {"codex-responses": "openai-responses"}
"""Interfaces that another host has with habits of its own, and what they are variants of."""
IDS: Final = tuple(id_ for id_ in _HOMES if id_ not in VARIANTS)


def provider_of(id: str, variant: str | None = None) -> Provider:  # noqa: A002  books call it so
    """Find a provider by its id, or a variant of it; UsageError for what is not on the shelf."""
    if id not in IDS:
        raise UsageError(f"unknown provider: {id}", hint=f"one of {', '.join(IDS)}")
    if variant is None:
        return _load(id)
    if VARIANTS.get(variant) != id:
        known = ", ".join(f"{name} of {whole}" for name, whole in VARIANTS.items())
        raise UsageError(f"{id} has no variant {variant}", hint=f"known are: {known}")
    return _load(variant)


def _load(id_: str) -> Provider:
    module, book = _HOMES[id_]
    return cast("Provider", getattr(import_module(module), book)())


def __getattr__(name: str) -> object:
    """Import all books (PEP 562)."""
    if name != "PROVIDERS":
        raise AttributeError(f"module 'sessionkit.providers' has no attribute {name!r}")
    return tuple(map(_load, _HOMES))
