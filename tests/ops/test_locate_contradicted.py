"""What a refusal tells as a fact is never overruled by its place, nor by a rule that something else breaks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.ops.locate import Certainty, Cured, Evidence, locate
from sessionkit.ops.sources import find_one
from tests.faults.media_bases import HTML, briefly_read, of_codex, of_gemini, of_pi

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sessionkit.ops.locate import Answer
    from tests.faults.workshop import Session

LABEL = "The image was specified using the {} media type, but the image appears to be a {} image"


def answered(folder: Path, session: Session, text: str) -> Answer:
    path = folder / "a.jsonl"
    path.write_bytes(session.content)
    return locate(find_one(str(path)), text).answer


@pytest.mark.parametrize(
    ("make", "said", "remark"),
    [
        (of_gemini, "contents[0].parts[2]: Unsupported MIME type: image/svg+xml", "no medium is labelled image/svg+xml"),
        (
            of_codex,
            "Invalid 'input[7].output[0].image_url'. … but got unsupported MIME type 'image/tiff'",
            "no medium is labelled image/tiff",
        ),
        (of_pi, f"messages.0.content.1.image: {LABEL.format('image/png', 'image/heic')}", "no medium is of the type image/heic"),
        (of_pi, "Image base64 size (5.9MB) exceeds API limit (5MB).", "no picture has 5.9 MB of base64"),
        (of_gemini, 'contents[0].parts[2]: Base64 decoding failed for "<html>"', "no picture begins with what is quoted"),
        (of_pi, "messages.4.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_9.", "nothing has the id toolu_9"),
    ],
)
def test_facts_that_nothing_has_are_no_hit(make: Callable[[], Session], said: str, remark: str, tmp_path: Path) -> None:
    """What breaks the rule otherwise, and what stands at the place, is only listed."""
    ill = make().with_image(1, HTML, "image/jpeg") if "decoding" in said else make().with_label(1, "image/bmp")
    answer = answered(tmp_path, ill, said)
    assert (answer.verdict, answer.hits) == (Certainty.NONE, ())
    assert answer.remarks == (f"{remark}: it was changed since, or it is another session",)
    assert {one.spot for one in ill.picture(1)}.intersection(hit.spot for hit in answer.others)


def test_what_is_quoted_is_found_whatever_rule_it_breaks(tmp_path: Path) -> None:
    """Of a HEIC that is called a PNG the vendor says that its label is wrong; here it is one of those that nobody takes."""
    heic = b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + bytes(64)
    session = briefly_read().with_image(1, heic, "image/png")
    (hit,) = answered(tmp_path, session, f"messages.9.content.9.image: {LABEL.format('image/png', 'image/heic')}").hits
    assert (hit.spot, hit.remedy, hit.evidence) == (session.picture(1)[0].spot, Cured("undecodable-image"), (Evidence.NUMBER,))


@pytest.mark.parametrize(
    ("said", "spot"),
    [
        ("messages.0.content.1.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'", (5, "/data")),
        ("Invalid 'input[2].call_id': string too long. Expected a string with maximum length 64, but got a string …", (6, "")),
        ("Invalid 'messages[1].content[0]'. Image URLs are only allowed for messages with role 'user', …", (5, "")),
    ],
)
def test_a_place_that_holds_something_else(said: str, spot: tuple[int, str], tmp_path: Path) -> None:
    answer = answered(tmp_path, of_pi(), said)
    (other,) = answer.others
    assert (answer.verdict, answer.hits, other.evidence) == (Certainty.NONE, (), ())
    assert (other.spot.line, other.spot.pointer.endswith(spot[1])) == (spot[0], True)
    assert answer.remarks[0].startswith("the place that is named holds something else")
