"""Places that a refusal tells: whose numbers they are, and what is answered where something else stands there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from sessionkit.faults.base import Spot
from sessionkit.ops.conversations import Selection
from sessionkit.ops.locate import Certainty, Cured, Evidence, Incurable, Noted, Options
from sessionkit.providers.layouts import layout_of
from tests.faults.media_bases import HTML, of_codex, of_gemini, of_pi, pasted
from tests.faults.workshop import FIXTURES, Session
from tests.ops.locating import LABEL, found, spot, spots
from tests.pictures import picture

if TYPE_CHECKING:
    from pathlib import Path


AMONG_MANY = "At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels"
TOO_WIDE = "At least one of the image dimensions exceed max allowed size: 8000 pixels"


def test_a_sound_block_at_the_place(tmp_path: Path) -> None:
    session = of_pi()
    answer = found(tmp_path, session, f"messages.0.content.1.image.source.base64.data: {TOO_WIDE}").answer
    assert (answer.verdict, answer.hits) == (Certainty.NONE, ())
    (other,) = answer.others
    assert (other.spot, other.evidence, other.remedy) == (spot(session, 0), (Evidence.PLACE,), Noted(Spot(5, "/message/content/1")))
    assert [remark.split(" ")[0] for remark in answer.remarks] == ["nothing", "what"]


def test_all_places_that_are_listed_count(tmp_path: Path) -> None:
    session = of_pi().grown(1, 20).with_image(0, picture("PNG", size=(2600, 30))).with_image(3, picture("PNG", size=(30, 2600)))
    details = {"error_code": "image_dimensions_too_large", "max_side_length_pixels": 2000, "paths": ["messages.0.content.1"]}
    said = json.dumps({"error": {"message": AMONG_MANY, "details": details}})
    answer = found(tmp_path, session, said).answer
    assert (answer.verdict, spots(answer.hits)) == (Certainty.ONE, [spot(session, 0)])
    assert answer.hits[0].evidence == (Evidence.RULE, Evidence.PLACE)
    assert set(spots(answer.others)) >= {spot(session, 3)}
    details["paths"] = [".".join(map(str, hit.way)) for hit in (*answer.hits, *answer.others)]
    answer = found(tmp_path, session, json.dumps({"error": {"message": AMONG_MANY, "details": details}})).answer
    assert (answer.verdict, answer.remarks, answer.others) == (Certainty.SEVERAL, (), ())


def test_another_picture_at_the_place_makes_it_unsure(tmp_path: Path) -> None:
    ill = of_pi().with_label(1, "image/png")
    answer = found(tmp_path, ill, f"messages.0.content.1.image.source.base64.data: {LABEL.format('image/png', 'image/jpeg')}").answer
    assert (answer.verdict, spots(answer.hits), spots(answer.others)) == (Certainty.SEVERAL, [spot(ill, 1)], [spot(ill, 0)])


def test_a_note_about_what_stands_at_the_place_is_told(tmp_path: Path) -> None:
    ill = of_codex().with_label(1, "image/webp")
    remark = found(tmp_path, ill, "Invalid 'input[3].content[4].image_url'. … but got empty base64-encoded bytes").answer.remarks[1]
    assert remark.endswith("is not known to be refused, but `sessionkit check` has a note about it: wrong-media-type")


def test_what_breaks_the_rule_otherwise(tmp_path: Path) -> None:
    """The types that are told are those of two different pictures."""
    ill = of_pi().with_label(1, "image/webp")
    answer = found(tmp_path, ill, LABEL.format("image/png", "image/jpeg")).answer
    assert (answer.verdict, answer.remarks) == (
        Certainty.NONE,
        ("nothing that is sent has all that is told of it; what breaks this rule otherwise is listed",),
    )
    assert spots(answer.others) == [spot(ill, 1)]


def test_the_second_result_of_a_call(tmp_path: Path) -> None:
    ill = (FIXTURES / "faults/pi/unpaired-tool-result-second-of-a-call/bad.jsonl").read_bytes()
    said = "each tool_use must have a single result. Found multiple `tool_result` blocks with id: toolu_f56c63692a104c0abb1e"
    answer = found(tmp_path, ill, said).answer
    assert (answer.verdict, spots(answer.hits)) == (Certainty.ONE, [Spot(10, "/message")])


def test_a_full_context(tmp_path: Path) -> None:
    answer = found(tmp_path, of_pi(), "prompt is too long: 210345 tokens > 200000 maximum").answer
    assert (answer.verdict, answer.hits) == (Certainty.NONE, ())
    assert "`sessionkit compact`" in answer.remarks[0]


def test_unknown_words_at_a_broken_place(tmp_path: Path) -> None:
    session = of_pi().with_image(0, HTML, "image/png")
    answer = found(tmp_path, session, "messages.0.content.1.image: computer says no").answer
    assert (answer.verdict, spots(answer.hits)) == (Certainty.ONE, [spot(session, 0)])


def test_unknown_words_at_a_sound_place(tmp_path: Path) -> None:
    session = of_pi().with_image(0, HTML, "image/png")
    answer = found(tmp_path, session, "messages.0.content.2.image: computer says no").answer
    assert (answer.verdict, answer.hits) == (Certainty.NONE, ())
    assert [(other.spot, other.evidence) for other in answer.others] == [
        (spot(session, 1), (Evidence.PLACE,)),
        (spot(session, 0), (Evidence.RULE,)),
    ]


def test_a_place_alone(tmp_path: Path) -> None:
    """Of rules that cannot be seen in a session the place tells all."""
    said = "messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified"
    answer = found(tmp_path, of_pi(), said).answer
    (hit,) = answer.hits
    assert (answer.verdict, hit.spot.line, hit.evidence) == (Certainty.ONE, 6, (Evidence.PLACE,))
    assert isinstance(hit.remedy, Incurable)


def test_no_place_for_a_rule_that_cannot_be_seen(tmp_path: Path) -> None:
    answer = found(tmp_path, of_pi(), "`thinking` blocks in the latest assistant message cannot be modified").answer
    assert (answer.verdict, answer.hits, answer.others) == (Certainty.NONE, (), ())


def test_a_position_of_gemini(tmp_path: Path) -> None:
    said = "Function call is missing a thought_signature in functionCall parts. … `default_api:read_file` , position 2. Please refer to …"
    answer = found(tmp_path, of_gemini(), said).answer
    assert answer.verdict is Certainty.ONE
    assert of_gemini().lines[answer.hits[0].spot.line - 1].count(b'"toolCalls"')


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
    assert (answer.verdict, other.remedy) == (Certainty.NONE, Noted(Spot(18, "/payload/output/0")))
