"""Remarks and references where the data of an image belong."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING

from sessionkit.core.assets import AssetName
from sessionkit.core.base64 import encode
from sessionkit.core.model import Inline, Stored
from sessionkit.core.pictures import Facts
from sessionkit.core.sniff import KNOWN_EXTENSIONS
from sessionkit.dataclass import replace
from sessionkit.faults.base import Severity, Stage, Uncured
from sessionkit.faults.blobs import blob_of, no_blob
from sessionkit.faults.cures import fill
from sessionkit.faults.judging import Charge, MediaFault, Remedy
from sessionkit.faults.note import NOT_BASE64
from sessionkit.faults.profiles import Rule
from sessionkit.faults.remedies import first_of, from_twin, healthy_twin, is_taken, noted, unsound
from sessionkit.faults.spellings import Spelling, spelling_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.model import Media
    from sessionkit.faults.base import Choices, Cure
    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit

_SHOWN = 60
_find_digest = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])").search


class PlaceholderInData(MediaFault):
    """A placeholder where an image belongs."""

    id = "placeholder-in-data"
    stage = Stage.LABELS
    rule = Rule.SPELLING
    severities = MappingProxyType({"claude-code": Severity.DEGRADES})
    page = """\
placeholder-in-data: a placeholder where an image belongs

Rule
  Some tool took the image out and left something in the place of its base64
  that no vendor understands: a remark such as [image removed], the path of a
  file, or a reference of its own such as blob:sha256:..., blobref:...,
  entire-asset:... or attachment://...

What you see
  Anthropic: ...image.source.base64: invalid base64 data
  OpenAI:    Invalid 'input[7].output[0].image_url'. Expected a valid URL,
             but got a value with an invalid format.
  Gemini:    ... Base64 decoding failed for "..."
  Pi, Codex, qwen-code and Gemini CLI are refused with every turn. Claude Code
  leaves the image out, and one more healthy image with every turn.

Cure
  If the agent kept the same picture a second time, its bytes are put back.
  If the reference names a SHA-256, and images/ beside the session holds that
  file, or the folder of the other tool (--blobs DIR), so are those. Where
  DIR does not have it, all stays as it is; without --blobs a short text takes
  its place.
  A session that sessionkit itself spilled is not at fault: `sessionkit
  restore` brings it back whole.

What it loses
  Nothing: there was no picture. What stood there is kept in images/."""

    def breaks(self, case: Case, exhibit: Exhibit) -> bool:
        return spelling_of(case, exhibit) is Spelling.PLACEHOLDER

    def charge(self, case: Case, exhibit: Exhibit) -> Charge:
        severity = Severity.BRICKS if case.profile.minds(Rule.ADDRESS) and not exhibit.prefix else None
        cause = f"where its base64 belongs stands {exhibit.text[:_SHOWN]!r}"
        remedy = _remedy(case, exhibit)
        obstacle = _obstacle(case, exhibit) if remedy is Remedy.NONE else ""
        return Charge(cause, remedy, obstacle, severity, is_blank=True)

    def mend(self, case: Case, exhibit: Exhibit, choices: Choices) -> Cure:
        return first_of(
            choices,
            lambda: from_twin(case, exhibit),
            lambda: _from_store(case, exhibit),
            lambda: noted(case, exhibit, NOT_BASE64, choices),
        )


def _remedy(case: Case, exhibit: Exhibit) -> Remedy:
    if healthy_twin(case, exhibit):
        return Remedy.TWIN
    if _named(case, exhibit):
        return Remedy.STORE
    return Remedy.NONE if case.blobs and _find_digest(exhibit.text) else Remedy.NOTE


def _obstacle(case: Case, exhibit: Exhibit) -> str:
    """Say why the folder that was named to take the picture from does not give it."""
    found = _find_digest(exhibit.text)
    if case.blobs is None or found is None:
        return ""
    return f"its blob in {case.blobs} is nothing that may be sent" if blob_of(case.blobs, found[0]) else no_blob(case.blobs, found[0])


def _from_store(case: Case, exhibit: Exhibit) -> Cure:
    named = _named(case, exhibit)
    if named is None:
        return Uncured("no asset holds it")
    return fill(case.lines, unsound(case, exhibit), case.pictures.data(named))


def _named(case: Case, exhibit: Exhibit) -> Media | None:
    """Find the picture whose hash the placeholder names, in the store or among the blobs of another tool."""
    found = _find_digest(exhibit.text)
    if found is None:
        return None
    sources = (replace(exhibit.media, source=source) for source in _sources(case, found[0]))
    return next((media for media in sources if isinstance(look := case.pictures.look(media), Facts) and is_taken(case, look)), None)


def _sources(case: Case, digest: str) -> Iterator[Stored | Inline]:
    yield from (Stored(AssetName(digest, ext)) for ext in sorted(KNOWN_EXTENSIONS))
    blob = blob_of(case.blobs, digest) if case.blobs else None
    if blob is not None:
        yield Inline(encode(blob).decode())
