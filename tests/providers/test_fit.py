"""Real pictures that exceed real limits, and what becomes of them."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from sessionkit.core.base64 import decode_canonical, encode, encoded_size
from sessionkit.core.model import Conversation, Inline, Media, MediaKind, Message, Origin, Role, Text, ToolResult, media_of
from sessionkit.core.pictures import Facts, Pictures
from sessionkit.core.pixels import Size
from sessionkit.core.sniff import JPEG, PNG
from sessionkit.core.stores.local import LocalStore
from sessionkit.providers.checks import BodySpot, Excess, Seen, Verdict
from sessionkit.providers.fit import Fitter
from sessionkit.providers.limits import Rule
from tests.pictures import animation, picture

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.core.model import Block


@pytest.fixture
def pictures(tmp_path: Path) -> Pictures:
    return Pictures(LocalStore(tmp_path))


def image(data: bytes, line: int = 1) -> Media:
    return Media(MediaKind.IMAGE, Inline(encode(data).decode()), origin=Origin(line=line))


def noise(width: int, height: int) -> bytes:
    """A PNG that no encoder makes much smaller."""
    out = io.BytesIO()
    Image.effect_noise((width, height), 70).save(out, "PNG")
    return out.getvalue()


def conversation(*blocks: Block) -> Conversation:
    return Conversation("plain", (Message(Role.USER, blocks),))


def verdict(pictures: Pictures, whole: Conversation, *excesses: tuple[Rule, int]) -> Verdict:
    """Say that a medium, by its number, breaks a rule; for REQUEST the number is what is allowed."""
    seen = tuple(Seen(media, facts) for media in media_of(whole.messages) if isinstance(facts := pictures.look(media), Facts))
    size = 100 + sum(encoded_size(one.facts.bytes) for one in seen)
    found = [
        Excess(rule, size, number) if rule is Rule.REQUEST else Excess(rule, 1, 0, BodySpot(("messages", 0), Origin(), seen[number]))
        for rule, number in excesses
    ]
    return Verdict(size, seen, tuple(found))


def facts_of(pictures: Pictures, whole: Conversation) -> list[Facts]:
    return [facts for media in media_of(whole.messages) if isinstance(facts := pictures.look(media), Facts)]


def test_only_what_exceeds_is_made_smaller(pictures: Pictures) -> None:
    wide, other = image(picture("PNG", size=(2400, 300))), image(picture("PNG", size=(2100, 10)))
    before = conversation(Text("Look:"), wide, other)
    fitter = Fitter(pictures)
    assert fitter.learn(verdict(pictures, before, (Rule.MANY_SIDE, 0)))
    after = fitter.apply(before)
    text, note, smaller, kept = after.messages[0].content
    assert text == Text("Look:")
    assert note == Text(
        "[Image: original 2400x300, displayed at 2000x250. Multiply coordinates by 1.20 to map to original image.]", origin=wide.origin
    )
    assert isinstance(smaller, Media)
    assert (smaller.media_type, smaller.size, smaller.origin) == ("image/png", Size(2000, 250), wide.origin)
    assert kept == other
    assert [facts.size for facts in facts_of(pictures, after)] == [Size(2000, 250), Size(2100, 10)]


def test_other_types_are_converted_in_results_too(pictures: Pictures) -> None:
    bmp = image(picture("BMP"))
    before = conversation(ToolResult("c", "read", (Text("Read"), bmp)))
    fitter = Fitter(pictures)
    fitter.learn(verdict(pictures, before, (Rule.TYPE, 0)))
    [result] = fitter.apply(before).messages[0].content
    assert isinstance(result, ToolResult)
    assert [type(block) for block in result.content] == [Text, Text, Text, Media]
    assert [block.text for block in result.content[1:3] if isinstance(block, Text)][1] == "[Image converted from image/bmp to image/png.]"
    assert [facts.type for facts in facts_of(pictures, fitter.apply(before))] == [PNG]


def test_the_same_picture_is_made_once_and_alike(pictures: Pictures) -> None:
    data = picture("PNG", size=(2400, 300))
    before = conversation(image(data, 1), image(data, 2))
    fitter = Fitter(pictures)
    fitter.learn(verdict(pictures, before, (Rule.SIDE, 0)))
    first, second = media_of(fitter.apply(before).messages)
    assert first.source == second.source
    assert (first.origin.line, second.origin.line) == (1, 2)
    assert [note.origin.line for note in fitter.notes(before)] == [1, 2]
    assert all(note.text == "made image/png of 2000x250 for this body alone; it has 2400x300" for note in fitter.notes(before))


def test_a_request_becomes_small_enough_by_its_largest_pictures(pictures: Pictures) -> None:
    before = conversation(image(noise(300, 300)), image(picture("PNG")), image(noise(500, 500)))
    sizes = [facts.bytes for facts in facts_of(pictures, before)]
    fitter = Fitter(pictures)
    allowed = 200_000
    assert fitter.learn(verdict(pictures, before, (Rule.REQUEST, allowed)))
    after = fitter.apply(before)
    smaller = [facts.bytes for facts in facts_of(pictures, after)]
    assert smaller[1] == sizes[1]
    assert smaller[2] < sizes[2]
    assert sum(map(encoded_size, smaller)) < allowed
    assert not fitter.learn(verdict(pictures, after))


def test_what_was_made_is_made_again_from_the_original(pictures: Pictures) -> None:
    before = conversation(image(noise(2100, 200)))
    fitter = Fitter(pictures)
    fitter.learn(verdict(pictures, before, (Rule.SIDE, 0)))
    once = fitter.apply(before)
    assert fitter.learn(verdict(pictures, once, (Rule.REQUEST, 100_000)))
    twice = fitter.apply(before)
    notes = [block.text for block in twice.messages[0].content if isinstance(block, Text)]
    assert len(notes) == 1
    assert notes[0].startswith("[Image: original 2100x200")
    assert facts_of(pictures, twice)[0].bytes < facts_of(pictures, once)[0].bytes


def test_nothing_is_learned_twice(pictures: Pictures) -> None:
    before = conversation(image(picture("PNG", size=(2400, 300))))
    fitter = Fitter(pictures)
    assert fitter.learn(verdict(pictures, before, (Rule.SIDE, 0)))
    assert not fitter.learn(verdict(pictures, before, (Rule.SIDE, 0)))


def test_what_cannot_be_made_smaller_stays_and_is_told(pictures: Pictures) -> None:
    broken = picture("PNG", size=(2400, 300))
    broken = broken[:60] + bytes(20) + broken[80:]
    before = conversation(image(broken))
    fitter = Fitter(pictures)
    assert fitter.learn(verdict(pictures, before, (Rule.SIDE, 0)))
    assert fitter.apply(before) == before
    assert [note.text.partition(":")[0] for note in fitter.notes(before)] == ["it cannot be made smaller"]
    assert not fitter.learn(verdict(pictures, before, (Rule.REQUEST, 1)))


@pytest.mark.parametrize("rule", [Rule.MEDIA, Rule.OUTPUT_TEXT])
def test_some_limits_have_nothing_to_do_with_pixels(pictures: Pictures, rule: Rule) -> None:
    before = conversation(image(picture("PNG")))
    excess = Excess(rule, 101, 100, BodySpot(("messages", 0), Origin(), None))
    assert not Fitter(pictures).learn(Verdict(1, (), (excess,)))
    assert not Fitter(pictures).learn(verdict(pictures, before, (Rule.MEDIA, 0)))


def test_the_original_bytes_are_those_that_are_left(pictures: Pictures) -> None:
    jpeg = picture("JPEG")
    before = conversation(image(jpeg), image(picture("BMP")))
    fitter = Fitter(pictures)
    fitter.learn(verdict(pictures, before, (Rule.TYPE, 1)))
    first, second = media_of(fitter.apply(before).messages)
    assert isinstance(first.source, Inline)
    assert decode_canonical(first.source.data.encode()) == jpeg
    assert [facts.type for facts in facts_of(pictures, fitter.apply(before))] == [JPEG, PNG]
    assert second.media_type == "image/png"


@pytest.mark.parametrize(("rule", "is_told"), [(Rule.SIDE, False), (Rule.TYPE, True)])
def test_a_conversion_is_told_of_types_that_are_not_taken(pictures: Pictures, rule: Rule, is_told: bool) -> None:
    """An oversized WebP becomes another file, too, but that is nothing the model has to know."""
    before = conversation(image(picture("WEBP", size=(2400, 300))))
    fitter = Fitter(pictures)
    fitter.learn(verdict(pictures, before, (rule, 0)))
    texts = [block.text for block in fitter.apply(before).messages[0].content if isinstance(block, Text)]
    assert ("[Image converted from image/webp to image/png.]" in texts) is is_told


def test_a_type_that_is_not_taken_stays_so_when_more_exceeds(pictures: Pictures) -> None:
    before = conversation(image(animation("GIF")))
    fitter = Fitter(pictures)
    fitter.learn(verdict(pictures, before, (Rule.TYPE, 0), (Rule.SIDE, 0), (Rule.REQUEST, 100)))
    assert [facts.type for facts in facts_of(pictures, fitter.apply(before))] == [PNG]
