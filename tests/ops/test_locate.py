"""What locate answers: facts before rules, rules before places, and nothing where nothing is known."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.base64 import encode
from sessionkit.errors import UnreadableError
from sessionkit.faults.base import Spot
from sessionkit.ops.locate import Certainty, Cured, Evidence, Noted
from tests.faults.media_bases import HTML, PNG, briefly_read, of_codex, of_gemini, of_pi, plain
from tests.faults.recipes.blocks import answered
from tests.faults.workshop import FIXTURES, Session, opened
from tests.ops.locating import LABEL, found, spot, spots
from tests.ops.refusing import respelled
from tests.pictures import picture

if TYPE_CHECKING:
    from pathlib import Path


TOO_WIDE = "At least one of the image dimensions exceed max allowed size: 8000 pixels"


def padded(length: int) -> bytes:
    """A PNG whose base64 has so many characters: what stands behind its end is nobody's concern."""
    data = picture("PNG")
    return data + bytes(length // 4 * 3 - len(data))


def test_an_exact_number_is_it(tmp_path: Path) -> None:
    """Two are too large; the number tells which, though the place is another client's."""
    session = briefly_read().with_image(0, padded(5_300_000)).with_image(2, padded(5_400_000))
    said = "messages.99.content.0.image.source.base64: image exceeds 5 MB maximum: 5400000 bytes > 5242880 bytes"
    answer = found(tmp_path, session, said).answer
    (hit,) = answer.hits
    assert (answer.verdict, hit.spot, hit.evidence) == (Certainty.ONE, spot(session, 2), (Evidence.NUMBER,))
    assert hit.remedy == Cured("image-too-large")
    assert spots(answer.others) == [spot(session, 0)]
    assert any("holds something else" in remark for remark in answer.remarks)


def test_a_number_that_nothing_has(tmp_path: Path) -> None:
    session = briefly_read().with_image(0, padded(5_300_000))
    answer = found(tmp_path, session, "image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes").answer
    assert (answer.verdict, answer.hits, spots(answer.others)) == (Certainty.NONE, (), [spot(session, 0)])
    assert answer.remarks == ("no picture has 6000000 characters of base64: it was changed since, or it is another session",)


def test_the_limit_that_is_told_counts(tmp_path: Path) -> None:
    """Under the limit of today it is, over the one of some host."""
    session = of_pi().with_image(0, padded(4_000_000))
    answer = found(tmp_path, session, "image exceeds 3 MB maximum: 4000000 bytes > 3145728 bytes").answer
    assert answer.hits[0].finding is not None
    assert "3,145,728 are allowed" in answer.hits[0].finding.cause


def test_a_rounded_number(tmp_path: Path) -> None:
    session = briefly_read().with_image(0, padded(5_300_000)).with_image(2, padded(6_200_000))
    answer = found(tmp_path, session, "Image base64 size (5.9MB) exceeds API limit (5MB). Please resize the image before sending.").answer
    assert (answer.verdict, spots(answer.hits)) == (Certainty.ONE, [spot(session, 2)])


def test_the_types_that_are_told(tmp_path: Path) -> None:
    session = of_pi().with_label(0, "image/webp").with_label(1, "image/png")
    answer = found(tmp_path, session, LABEL.format("image/png", "image/jpeg")).answer
    assert (answer.verdict, spots(answer.hits)) == (Certainty.ONE, [spot(session, 1)])


def test_several_that_break_the_rule(tmp_path: Path) -> None:
    session = of_pi().with_image(0, HTML, "image/png").with_image(3, HTML[:-1], "image/png")
    answer = found(tmp_path, session, "Could not process image").answer
    assert (answer.verdict, spots(answer.hits)) == (Certainty.SEVERAL, [spot(session, 0), spot(session, 3)])
    assert [hit.remedy for hit in answer.hits] == [Cured("undecodable-image")] * 2


def test_a_copy_with_the_right_label_is_not_it(tmp_path: Path) -> None:
    """The second picture stands there twice; where its label is right a refusal cannot mean it."""
    session = of_pi()
    session = session.with_value(11, "/message/content/1/mimeType", "image/png")
    assert session.exhibits[1].media.source == session.exhibits[3].media.source
    answer = found(tmp_path, session, f"messages.0.content.2.image.source.base64: {LABEL.format('image/png', 'image/jpeg')}").answer
    (hit,) = answer.hits
    assert (hit.spot, hit.evidence) == (Spot(11, "/message/content/1/data"), (Evidence.RULE,))
    assert hit.elsewhere == (Spot(5, "/message/content/2/data"),)


def test_what_breaks_the_rule_and_is_not_sent(tmp_path: Path) -> None:
    session = Session.recorded("pi/compacted")
    with opened(tmp_path, session) as case:
        asleep = next(one for one in case.exhibits if not one.is_live)
    session = respelled(session, asleep, "image/png", encode(picture("PNG", size=(8001, 9))).decode())
    answer = found(tmp_path, session, TOO_WIDE).answer
    assert (answer.verdict, spots(answer.others)) == (Certainty.NONE, [asleep.spot])
    assert "not sent" in answer.remarks[0]


@pytest.mark.parametrize("text", ["computer says no", "messages.7777.content.0: computer says no"])
def test_words_that_say_nothing(text: str, tmp_path: Path) -> None:
    answer = found(tmp_path, of_pi(), text).answer
    assert (answer.verdict, answer.hits, answer.others, len(answer.remarks)) == (Certainty.NONE, (), (), 1)


def test_ids(tmp_path: Path) -> None:
    """Pi: a call is deleted, so its result stands alone."""
    lines = list(of_pi().lines)
    id_ = json.loads(lines[8])["message"]["toolCallId"]
    session = replace(of_pi(), lines=tuple(line for at, line in enumerate(lines, 1) if at != 8))
    answer = found(tmp_path, session, f"unexpected `tool_use_id` found in `tool_result` blocks: {id_}. Each `tool_result` …").answer
    (hit,) = answer.hits
    assert (answer.verdict, hit.evidence, hit.spot.line) == (Certainty.ONE, (Evidence.ID,), 8)
    assert hit.remedy == Cured("unpaired-tool-result")


def test_the_text_that_is_quoted(tmp_path: Path) -> None:
    session = of_gemini().with_text(0, "[image removed]").with_text(1, "[image too large]")
    answer = found(tmp_path, session, 'Invalid value (TYPE_BYTES), Base64 decoding failed for "[image too large]"').answer
    assert answer.verdict is Certainty.ONE
    assert answer.hits[0].spot in {one.spot for one in session.picture(1)}


def test_empty_text(tmp_path: Path) -> None:
    session = briefly_read().with_items(9, "/message/content/0/content", {"type": "text", "text": ""})
    answer = found(tmp_path, session, "messages: text content blocks must be non-empty").answer
    (hit,) = answer.hits
    assert (answer.verdict, hit.what, hit.remedy) == (Certainty.ONE, "text", Cured("empty-text"))
    assert hit.spot == Spot(9, "/message/content/0/content/1")


def test_an_image_of_the_assistant(tmp_path: Path) -> None:
    session = answered(Session.recorded("claude-code/compacted", 24), 23)
    said = "messages.16.content: 'image' blocks are not permitted within assistant turns"
    answer = found(tmp_path, session, said).answer
    assert (answer.verdict, answer.hits[0].spot.line, answer.hits[0].remedy) == (Certainty.ONE, 23, Cured("assistant-image"))


def test_an_image_of_a_call_that_failed(tmp_path: Path) -> None:
    session = of_pi().with_value(9, "/message/isError", True)
    answer = found(tmp_path, session, "all content must be type `text` if `is_error` is true").answer
    (hit,) = answer.hits
    assert (answer.verdict, hit.spot, hit.remedy) == (
        Certainty.ONE,
        Spot(9, "/message/content/1/data"),
        Noted(Spot(9, "/message/content/1")),
    )


def test_no_single_one_is_too_many(tmp_path: Path) -> None:
    answer = found(tmp_path, of_pi().grown(0, 95), "Too much media: 0 document pages + 104 images > 100").answer
    assert answer.verdict is Certainty.SEVERAL
    assert {hit.remedy for hit in answer.hits} == {Cured("too-many-images")}
    assert answer.remarks == ("all of them together are too much, and no single one is to blame",)


def test_nothing_of_the_session(tmp_path: Path) -> None:
    answer = found(tmp_path, of_gemini(), "Multimodal function responses are not supported for this model").answer
    assert (answer.verdict, answer.hits, answer.others) == (Certainty.NONE, (), ())


def test_a_spilled_session(tmp_path: Path) -> None:
    """What a picture is, its asset tells."""
    shutil.copytree(FIXTURES / "native" / "spilled" / "images", tmp_path / "images")
    session = Session.recorded("native/spilled").with_value(2, "/message/content/1/mime_type", "image/webp")
    answer = found(tmp_path, session, f"messages.0.content.1.image.source.base64: {LABEL.format('image/webp', 'image/png')}").answer
    (hit,) = answer.hits
    assert (answer.verdict, hit.spot.line, hit.evidence) == (Certainty.ONE, 2, (Evidence.RULE, Evidence.PLACE))
    assert hit.image is not None
    assert (tmp_path / "images" / f"{hit.image.sha256}.png").exists()


def test_patches(tmp_path: Path) -> None:
    tall = picture("PNG", "1", (3000, 10_300))
    session = of_codex().with_image(0, tall).with_image(2, picture("PNG", "1", (3100, 10_300)))
    said = "The image you provided requires {} patches after processing, exceeding the limit of 30000. Please resize the image"
    exact = found(tmp_path, session, said.format(94 * 322)).answer
    (hit,) = exact.hits
    assert (exact.verdict, hit.evidence) == (Certainty.ONE, (Evidence.NUMBER,))
    assert hit.remedy == Noted(Spot(spot(session, 0).line, session.picture(0)[0].block))
    other = found(tmp_path, session, said.format(35721)).answer
    assert (other.verdict, len(other.others)) == (Certainty.NONE, 2)


def test_documents(tmp_path: Path) -> None:
    session = plain().with_text(1, encode(PNG).decode())
    answer = found(tmp_path, session, "messages.0.content.2.document.source.base64.data: The PDF specified was not valid.").answer
    (hit,) = answer.hits
    assert (answer.verdict, hit.what, hit.spot) == (Certainty.ONE, "document", spot(session, 1))


def test_what_is_no_session(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="no record could be read"):
        found(tmp_path, b"hello\n", "Could not process image")


def test_nothing_is_written(tmp_path: Path) -> None:
    session = of_pi().with_image(0, HTML, "image/png")
    found(tmp_path, session, "Could not process image")
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]
    assert (tmp_path / "a.jsonl").read_bytes() == session.content
