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
from sessionkit.ops.conversations import Selection
from sessionkit.ops.locate import Cured, Evidence, Incurable, Located, Noted, Options, Verdict, locate
from sessionkit.ops.sources import find_one
from sessionkit.providers.layouts import layout_of
from tests.faults.media_bases import HTML, PNG, briefly_read, of_codex, of_gemini, of_pi, pasted, plain
from tests.faults.recipes.blocks import answered
from tests.faults.workshop import FIXTURES, Session, opened
from tests.ops.refusing import respelled
from tests.pictures import picture

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.ops.locate import Hit

LABEL = "The image was specified using the {} media type, but the image appears to be a {} image"
TOO_WIDE = "At least one of the image dimensions exceed max allowed size: 8000 pixels"
AMONG_MANY = "At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels"


def found(folder: Path, session: Session | bytes, text: str, options: Options | None = None) -> Located:
    path = folder / "a.jsonl"
    path.write_bytes(session if isinstance(session, bytes) else session.content)
    return locate(find_one(str(path)), text, options or Options())


def spots(hits: tuple[Hit, ...]) -> list[Spot]:
    return [hit.spot for hit in hits]


def spot(session: Session, number: int) -> Spot:
    return session.picture(number)[0].spot


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
    assert (answer.verdict, hit.spot, hit.evidence) == (Verdict.ONE, spot(session, 2), (Evidence.NUMBER,))
    assert hit.remedy == Cured("image-too-large")
    assert spots(answer.others) == [spot(session, 0)]
    assert any("holds something else" in remark for remark in answer.remarks)


def test_a_number_that_nothing_has(tmp_path: Path) -> None:
    session = briefly_read().with_image(0, padded(5_300_000))
    answer = found(tmp_path, session, "image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes").answer
    assert (answer.verdict, answer.hits, spots(answer.others)) == (Verdict.NONE, (), [spot(session, 0)])
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
    assert (answer.verdict, spots(answer.hits)) == (Verdict.ONE, [spot(session, 2)])


def test_the_types_that_are_told(tmp_path: Path) -> None:
    session = of_pi().with_label(0, "image/webp").with_label(1, "image/png")
    answer = found(tmp_path, session, LABEL.format("image/png", "image/jpeg")).answer
    assert (answer.verdict, spots(answer.hits)) == (Verdict.ONE, [spot(session, 1)])


def test_several_that_break_the_rule(tmp_path: Path) -> None:
    session = of_pi().with_image(0, HTML, "image/png").with_image(3, HTML[:-1], "image/png")
    answer = found(tmp_path, session, "Could not process image").answer
    assert (answer.verdict, spots(answer.hits)) == (Verdict.SEVERAL, [spot(session, 0), spot(session, 3)])
    assert [hit.remedy for hit in answer.hits] == [Cured("undecodable-image")] * 2


def test_all_places_that_are_listed_count(tmp_path: Path) -> None:
    session = of_pi().grown(1, 20).with_image(0, picture("PNG", size=(2600, 30))).with_image(3, picture("PNG", size=(30, 2600)))
    details = {"error_code": "image_dimensions_too_large", "max_side_length_pixels": 2000, "paths": ["messages.0.content.1"]}
    said = json.dumps({"error": {"message": AMONG_MANY, "details": details}})
    answer = found(tmp_path, session, said).answer
    assert (answer.verdict, spots(answer.hits)) == (Verdict.ONE, [spot(session, 0)])
    assert answer.hits[0].evidence == (Evidence.RULE, Evidence.PLACE)
    assert set(spots(answer.others)) >= {spot(session, 3)}
    details["paths"] = [".".join(map(str, hit.way)) for hit in (*answer.hits, *answer.others)]
    answer = found(tmp_path, session, json.dumps({"error": {"message": AMONG_MANY, "details": details}})).answer
    assert (answer.verdict, answer.remarks, answer.others) == (Verdict.SEVERAL, (), ())


def test_a_copy_with_the_right_label_is_not_it(tmp_path: Path) -> None:
    """The second picture stands there twice; where its label is right a refusal cannot mean it."""
    session = of_pi()
    session = session.with_value(11, "/message/content/1/mimeType", "image/png")
    assert session.exhibits[1].media.source == session.exhibits[3].media.source
    answer = found(tmp_path, session, f"messages.0.content.2.image.source.base64: {LABEL.format('image/png', 'image/jpeg')}").answer
    (hit,) = answer.hits
    assert (hit.spot, hit.evidence) == (Spot(11, "/message/content/1/data"), (Evidence.RULE,))
    assert hit.elsewhere == (Spot(5, "/message/content/2/data"),)


def test_a_sound_block_at_the_place(tmp_path: Path) -> None:
    session = of_pi()
    answer = found(tmp_path, session, f"messages.0.content.1.image.source.base64.data: {TOO_WIDE}").answer
    assert (answer.verdict, answer.hits) == (Verdict.NONE, ())
    (other,) = answer.others
    assert (other.spot, other.evidence, other.remedy) == (spot(session, 0), (Evidence.PLACE,), Noted(Spot(5, "/message/content/1")))
    assert [remark.split(" ")[0] for remark in answer.remarks] == ["nothing", "what"]


def test_what_breaks_the_rule_and_is_not_sent(tmp_path: Path) -> None:
    session = Session.recorded("pi/compacted")
    with opened(tmp_path, session) as case:
        asleep = next(one for one in case.exhibits if not one.is_live)
    session = respelled(session, asleep, "image/png", encode(picture("PNG", size=(8001, 9))).decode())
    answer = found(tmp_path, session, TOO_WIDE).answer
    assert (answer.verdict, spots(answer.others)) == (Verdict.NONE, [asleep.spot])
    assert "not sent" in answer.remarks[0]


def test_unknown_words_at_a_broken_place(tmp_path: Path) -> None:
    session = of_pi().with_image(0, HTML, "image/png")
    answer = found(tmp_path, session, "messages.0.content.1.image: computer says no").answer
    assert (answer.verdict, spots(answer.hits)) == (Verdict.ONE, [spot(session, 0)])


def test_unknown_words_at_a_sound_place(tmp_path: Path) -> None:
    session = of_pi().with_image(0, HTML, "image/png")
    answer = found(tmp_path, session, "messages.0.content.2.image: computer says no").answer
    assert (answer.verdict, answer.hits) == (Verdict.NONE, ())
    assert [(other.spot, other.evidence) for other in answer.others] == [
        (spot(session, 1), (Evidence.PLACE,)),
        (spot(session, 0), (Evidence.RULE,)),
    ]


@pytest.mark.parametrize("text", ["computer says no", "messages.7777.content.0: computer says no"])
def test_words_that_say_nothing(text: str, tmp_path: Path) -> None:
    answer = found(tmp_path, of_pi(), text).answer
    assert (answer.verdict, answer.hits, answer.others, len(answer.remarks)) == (Verdict.NONE, (), (), 1)


def test_a_place_alone(tmp_path: Path) -> None:
    """Of rules that cannot be seen in a session the place tells all."""
    said = "messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified"
    answer = found(tmp_path, of_pi(), said).answer
    (hit,) = answer.hits
    assert (answer.verdict, hit.spot.line, hit.evidence) == (Verdict.ONE, 6, (Evidence.PLACE,))
    assert isinstance(hit.remedy, Incurable)


def test_no_place_for_a_rule_that_cannot_be_seen(tmp_path: Path) -> None:
    answer = found(tmp_path, of_pi(), "`thinking` blocks in the latest assistant message cannot be modified").answer
    assert (answer.verdict, answer.hits, answer.others) == (Verdict.NONE, (), ())


def test_a_position_of_gemini(tmp_path: Path) -> None:
    said = "Function call is missing a thought_signature in functionCall parts. … `default_api:read_file` , position 2. Please refer to …"
    answer = found(tmp_path, of_gemini(), said).answer
    assert answer.verdict is Verdict.ONE
    assert of_gemini().lines[answer.hits[0].spot.line - 1].count(b'"toolCalls"')


def test_ids(tmp_path: Path) -> None:
    """Pi: a call is deleted, so its result stands alone."""
    lines = list(of_pi().lines)
    id_ = json.loads(lines[8])["message"]["toolCallId"]
    session = replace(of_pi(), lines=tuple(line for at, line in enumerate(lines, 1) if at != 8))
    answer = found(tmp_path, session, f"unexpected `tool_use_id` found in `tool_result` blocks: {id_}. Each `tool_result` …").answer
    (hit,) = answer.hits
    assert (answer.verdict, hit.evidence, hit.spot.line) == (Verdict.ONE, (Evidence.ID,), 8)
    assert hit.remedy == Cured("unpaired-tool-result")


def test_the_text_that_is_quoted(tmp_path: Path) -> None:
    session = of_gemini().with_text(0, "[image removed]").with_text(1, "[image too large]")
    answer = found(tmp_path, session, 'Invalid value (TYPE_BYTES), Base64 decoding failed for "[image too large]"').answer
    assert answer.verdict is Verdict.ONE
    assert answer.hits[0].spot in {one.spot for one in session.picture(1)}


def test_empty_text(tmp_path: Path) -> None:
    session = briefly_read().with_items(9, "/message/content/0/content", {"type": "text", "text": ""})
    answer = found(tmp_path, session, "messages: text content blocks must be non-empty").answer
    (hit,) = answer.hits
    assert (answer.verdict, hit.what, hit.remedy) == (Verdict.ONE, "text", Cured("empty-text"))
    assert hit.spot == Spot(9, "/message/content/0/content/1")


def test_an_image_of_the_assistant(tmp_path: Path) -> None:
    session = answered(Session.recorded("claude-code/compacted", 24), 23)
    said = "messages.16.content: 'image' blocks are not permitted within assistant turns"
    answer = found(tmp_path, session, said).answer
    assert (answer.verdict, answer.hits[0].spot.line, answer.hits[0].remedy) == (Verdict.ONE, 23, Cured("assistant-image"))


def test_an_image_of_a_call_that_failed(tmp_path: Path) -> None:
    session = of_pi().with_value(9, "/message/isError", True)
    answer = found(tmp_path, session, "all content must be type `text` if `is_error` is true").answer
    (hit,) = answer.hits
    assert (answer.verdict, hit.spot, hit.remedy) == (Verdict.ONE, Spot(9, "/message/content/1/data"), Noted(Spot(9, "/message/content/1")))


def test_no_single_one_is_too_many(tmp_path: Path) -> None:
    answer = found(tmp_path, of_pi().grown(0, 95), "Too much media: 0 document pages + 104 images > 100").answer
    assert answer.verdict is Verdict.SEVERAL
    assert {hit.remedy for hit in answer.hits} == {Cured("too-many-images")}
    assert answer.remarks == ("all of them together are too much, and no single one is to blame",)


def test_nothing_of_the_session(tmp_path: Path) -> None:
    answer = found(tmp_path, of_gemini(), "Multimodal function responses are not supported for this model").answer
    assert (answer.verdict, answer.hits, answer.others) == (Verdict.NONE, (), ())


def test_a_session_that_spoke_to_several_vendors(tmp_path: Path) -> None:
    """Pi's newest answer came from Gemini; the refusal is Anthropic's, and so are the rules, of which repair has to be told."""
    session = Session.recorded("pi/session").with_label(1, "image/png")
    said = f"messages.0.content.2.image.source.base64: {LABEL.format('image/png', 'image/jpeg')}"
    located = found(tmp_path, session, said, Options(selection=Selection(leaf="e14ef23d")))
    assert (located.provider, located.profile, located.format) == ("anthropic", "anthropic", "pi")
    (hit,) = located.answer.hits
    assert (hit.spot, hit.remedy) == (spot(session, 1), Cured("wrong-media-type", profile="anthropic"))


def test_the_turn_behind_the_results(tmp_path: Path) -> None:
    """Chat has no pictures in results: a message that no session holds stands for them."""
    session = of_pi().with_text(2, "[image removed]").with_text(4, "[image removed too]")
    said = "Invalid image URL: 'messages[{}].content[1].image_url.url'. … but got a value without the 'data:' prefix."
    lines = {at: found(tmp_path, session, said.format(at)).answer.hits[0].spot.line for at in (6, 12)}
    assert lines == {6: spot(session, 2).line, 12: spot(session, 4).line}
    whole = found(tmp_path, session, "Invalid 'messages[6]'. Image URLs are only allowed for messages with role 'user', …").answer
    assert spots(whole.hits) == [spot(session, 2)]


def test_the_numbers_of_another_client(tmp_path: Path) -> None:
    """A body of `rehydrate` has no reminder in front."""
    session = pasted().with_label(0, "image/webp").with_label(1, "image/webp")
    said = f"messages.0.content.3.image.source.base64: {LABEL.format('image/webp', 'image/jpeg')}"
    numbers = [found(tmp_path, session, said, Options(layout_of(client))).answer.hits[0] for client in ("pi", "claude-code")]
    assert [hit.spot for hit in numbers] == [spot(session, 1)] * 2
    assert [hit.evidence for hit in numbers] == [(Evidence.RULE, Evidence.PLACE), (Evidence.RULE,)]


def test_a_branch(tmp_path: Path) -> None:
    session = Session.recorded("pi/session").with_image(0, HTML, "image/png")
    located = found(tmp_path, session, "Could not process image", Options(selection=Selection(leaf="94ffdd7a")))
    assert spots(located.answer.hits) == [spot(session, 0)]


def test_a_picture_that_is_refused_though_it_is_sound(tmp_path: Path) -> None:
    answer = found(tmp_path, of_codex(), "Invalid 'input[7].output[0].image_url'. Unheard of.").answer
    (other,) = answer.others
    assert (answer.verdict, other.remedy) == (Verdict.NONE, Noted(Spot(18, "/payload/output/0")))


def test_a_spilled_session(tmp_path: Path) -> None:
    """What a picture is, its asset tells."""
    shutil.copytree(FIXTURES / "native" / "spilled" / "images", tmp_path / "images")
    session = Session.recorded("native/spilled").with_value(2, "/message/content/1/mime_type", "image/webp")
    answer = found(tmp_path, session, f"messages.0.content.1.image.source.base64: {LABEL.format('image/webp', 'image/png')}").answer
    (hit,) = answer.hits
    assert (answer.verdict, hit.spot.line, hit.evidence) == (Verdict.ONE, 2, (Evidence.RULE, Evidence.PLACE))
    assert hit.image is not None
    assert (tmp_path / "images" / f"{hit.image.sha256}.png").exists()


def test_patches(tmp_path: Path) -> None:
    tall = picture("PNG", "1", (3000, 10_300))
    session = of_codex().with_image(0, tall).with_image(2, picture("PNG", "1", (3100, 10_300)))
    said = "The image you provided requires {} patches after processing, exceeding the limit of 30000. Please resize the image"
    exact = found(tmp_path, session, said.format(94 * 322)).answer
    (hit,) = exact.hits
    assert (exact.verdict, hit.evidence) == (Verdict.ONE, (Evidence.NUMBER,))
    assert hit.remedy == Noted(Spot(spot(session, 0).line, session.picture(0)[0].block))
    other = found(tmp_path, session, said.format(35721)).answer
    assert (other.verdict, len(other.others)) == (Verdict.NONE, 2)


def test_documents(tmp_path: Path) -> None:
    session = plain().with_text(1, encode(PNG).decode())
    answer = found(tmp_path, session, "messages.0.content.2.document.source.base64.data: The PDF specified was not valid.").answer
    (hit,) = answer.hits
    assert (answer.verdict, hit.what, hit.spot) == (Verdict.ONE, "document", spot(session, 1))


def test_what_is_no_session(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="no record could be read"):
        found(tmp_path, b"hello\n", "Could not process image")


def test_nothing_is_written(tmp_path: Path) -> None:
    session = of_pi().with_image(0, HTML, "image/png")
    found(tmp_path, session, "Could not process image")
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]
    assert (tmp_path / "a.jsonl").read_bytes() == session.content
