"""Where two requests part, and what that costs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from sessionkit.cli.reports.jsonlines import JsonLines, Record, name, text
from sessionkit.cli.sizes import count, size
from sessionkit.cli.tables import Column, Table
from sessionkit.cli.voice import Style, Voice
from sessionkit.errors import ExitCode
from sessionkit.providers.differences import path_of
from sessionkit.providers.prefix import CACHED_PRICE, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.providers.prefix import Comparison, Load, Side

_COLUMNS = (Column("units", 7), Column("media", 7), Column("tokens", 11))


def tell(comparison: Comparison, paths: Sequence[str], as_json: bool) -> None:
    """Write on standard output how the requests of two paths compare."""
    voice = Voice(sys.stdout)
    if as_json:
        JsonLines(voice, "rehydrate").write("difference", _record(comparison, paths))
        return
    voice.paragraph(_verdict(comparison), 0, Style.HEADING)
    sides = list(zip(("earlier", "later"), paths, (comparison.earlier, comparison.later), strict=True))
    for which, path, _ in sides:
        voice.paragraph(f"{which}: {path}", 0)
    if comparison.outcome is not Outcome.EQUAL:
        for which, _, side in sides:
            voice.paragraph(f"{which} there: {_spot(side)}", 0)
    _tabulate(comparison, voice)
    for sentence in _sentences(comparison):
        voice.paragraph(sentence, 0)


def _verdict(comparison: Comparison) -> str:
    units = count(comparison.equal, "unit")
    match comparison.outcome:
        case Outcome.EQUAL:
            return f"both requests are alike: {units}"
        case Outcome.EXTENDED:
            return f"the later request begins with all of the earlier one: {units}"
        case Outcome.SHORTENED:
            return f"the earlier request begins with all of the later one: {units}"
        case Outcome.BROKEN:
            return f"the requests part behind {units}" if comparison.equal else "the requests part at their beginning"


def _spot(side: Side) -> str:
    return "it has ended" if side.spot is None else f"{path_of(side.spot.steps)}: {side.spot.value}"


def _tabulate(comparison: Comparison, voice: Voice) -> None:
    table = Table(voice, "", _COLUMNS)
    earlier, later = comparison.earlier, comparison.later
    rows = (
        ("alike in both", comparison.equal, later.before),
        ("behind that in the earlier one", earlier.units - comparison.equal, earlier.behind),
        ("behind that in the later one", later.units - comparison.equal, later.behind),
    )
    for title, units, load in rows:
        table.row(title, f"{units:,}", f"{load.media:,}", f"{load.tokens:,}")


def _sentences(comparison: Comparison) -> Iterator[str]:
    if comparison.again:
        yield (
            f"billed again: about {count(comparison.again, 'token')}, which the cache would have served at {CACHED_PRICE:g} of the price; "
            f"the later request's input costs {comparison.cost_ratio:.1f} times what it would without the break"
        )
    yield f"uploaded all the same: {size(comparison.uploaded)}"


def _record(comparison: Comparison, paths: Sequence[str]) -> Record:
    earlier, later = (_side(side, path) for side, path in zip((comparison.earlier, comparison.later), paths, strict=True))
    return {
        "interface": comparison.wire.value,
        "outcome": comparison.outcome.value,
        "equal_units": comparison.equal,
        "earlier": earlier,
        "later": later,
        "billed_again_tokens": comparison.again,
        "cost_ratio": round(comparison.cost_ratio, 4),
        "uploaded_bytes": comparison.uploaded,
        "exit_code": int(ExitCode.OK),
    }


def _side(side: Side, path: str) -> Record:
    return {
        "request": name(path),
        "units": side.units,
        "path": path_of(side.spot.steps) if side.spot else None,
        "value": text(side.spot.value) if side.spot else None,
        "before": _load(side.before),
        "behind": _load(side.behind),
    }


def _load(load: Load) -> Record:
    return {"tokens": load.tokens, "media": load.media}
