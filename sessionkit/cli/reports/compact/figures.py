"""The figures of a compaction, and the fates of media, as records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.reports.jsonlines import Record, text
from sessionkit.cli.reports.messages.elision import without_base64

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionkit.ops.compact import Compacted, Destiny, Portion, Side


def figure_records(result: Compacted) -> Record:
    """Parts, before and after, cache and gate."""
    figures, gate = result.figures, result.gate
    return {
        "parts": [_portion(portion) for portion in figures.portions],
        "gone": figures.gone,
        "images_gone": figures.images_gone,
        "input_tokens": figures.input_tokens,
        "before": _side(figures.before),
        "after": _side(figures.after) if figures.after else None,
        "verdict": figures.verdict.value if figures.verdict else None,
        "cache": {
            "stable_messages": figures.cache.stable_messages,
            "stable_tokens": figures.cache.stable_tokens,
            "first_changed": figures.cache.first_changed,
            "tokens_behind": figures.cache.tokens_behind,
        },
        "gate": {
            "name": gate.gate,
            "window": gate.window,
            "threshold": gate.threshold,
            "tokens": gate.tokens,
            "fires": gate.fires,
            "request_limit": result.request_limit,
        },
    }


def media_records(media: Iterable[Destiny]) -> list[Record]:
    """Tell each medium and its fate, in order."""
    return [_destiny(destiny) for destiny in media]


def _portion(portion: Portion) -> Record:
    return {
        "part": portion.part.value,
        "messages": portion.messages,
        "tokens": portion.tokens,
        "by_kind": {kind.value: tokens for kind, tokens in portion.by_kind.items()},
        "images": portion.images,
        "documents": portion.documents,
        "media_bytes": portion.media_bytes,
        "bytes": portion.bytes,
    }


def _side(side: Side) -> Record:
    return {
        "tokens": side.tokens,
        "context": side.context,
        "images": side.images,
        "documents": side.documents,
        "media_bytes": side.media_bytes,
        "wire_bytes": side.wire_bytes,
    }


def _destiny(destiny: Destiny) -> Record:
    return {
        "message": destiny.message,
        "line": destiny.origin.line or None,
        "entry": text(destiny.origin.entry),
        "pointer": text(destiny.origin.pointer),
        "part": destiny.part.value,
        "fate": destiny.fate.value,
        "kind": destiny.kind.value,
        "media_type": None if destiny.media_type is None else text(without_base64(destiny.media_type)),
        "width": destiny.size.width if destiny.size else None,
        "height": destiny.size.height if destiny.size else None,
        "bytes": destiny.bytes,
        "sha256": destiny.sha256,
        "tombstone": text(destiny.tombstone) or None,
        "fault": text(destiny.trouble) or None,
    }
