"""Previews of compactions, above all of the session that Pi has compacted itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sessionkit.compaction import STRATEGIES
from sessionkit.compaction.base import Settings
from sessionkit.ops import compact
from sessionkit.ops.compact import Compacted, Options
from sessionkit.ops.conversations import Selection
from sessionkit.ops.sources import Descent, Source, find_sources
from sessionkit.providers import provider_of
from tests.ops.runs import AT_ONCE, FIXTURES, SESSIONS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionkit.ops.batch import Batch
    from sessionkit.ops.failed import Failed


RECORDED = FIXTURES / "pi" / "compacted" / "session.jsonl"
BEFORE = Selection(leaf="d467aa53")
"""The entry that Pi's compaction of the session was made behind."""
KEEPING = Settings(keep_recent_tokens=3000)
CONVERSATIONS = [path for path in SESSIONS if path.parts[-3] not in {"hostile", "shapes"}]
NAMES = [strategy.name for strategy in STRATEGIES]
LOGIN = "54bc732333ced2322195ee7c23dd7e7e15aa927fe79ca9b1bdcf453ac273b114"
PROVIDER = provider_of("openai-chat")


def compact_all(paths: Iterable[Path | str], options: Options, batch: Batch = AT_ONCE) -> list[Compacted | Failed]:
    sources = find_sources(map(str, paths), Descent.RECURSIVE)
    return list(compact.Plan(tuple(sources), options).run(batch))


def preview(path: Path | str, **options: Any) -> Compacted:  # noqa: ANN401
    [result] = compact_all([path], Options(**options))
    assert isinstance(result, Compacted), result
    return result


def recorded(**options: Any) -> Compacted:  # noqa: ANN401
    """Of the recorded session, as it was when Pi compacted it."""
    return preview(RECORDED, **{"settings": KEEPING, "selection": BEFORE} | options)


def source(path: Path) -> Source:
    return Source(path, Path(path.name))
