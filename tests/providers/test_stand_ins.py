"""Texts for images that an interface would refuse."""

from __future__ import annotations

from pathlib import Path

import pytest

from sessionkit.core.base64 import encode
from sessionkit.core.model import Conversation, Inline, Media, MediaKind, Message, Origin, Role, Text, ToolResult
from sessionkit.core.pictures import Facts, Pictures
from sessionkit.core.stores.local import LocalStore
from sessionkit.providers.checks import BodySpot, Excess, Seen, Verdict
from sessionkit.providers.limits import Rule
from sessionkit.providers.openai_chat import OpenAIChat
from sessionkit.providers.stand_ins import StandIns
from tests.pictures import animation, picture

PICTURES = Pictures(LocalStore(Path("/nonexistent")))


def image(data: bytes, line: int = 0, kind: MediaKind = MediaKind.IMAGE) -> Media:
    return Media(kind, Inline(encode(data).decode()), origin=Origin(line=line))


def verdict(rule: Rule, *media: Media) -> Verdict:
    """All of them break the rule."""
    seen = [Seen(one, facts) for one in media if isinstance(facts := PICTURES.look(one), Facts)]
    return Verdict(1, tuple(seen), tuple(Excess(rule, 2, 1, BodySpot(("messages", 0), Origin(), one)) for one in seen))


def test_a_text_stands_for_each_image_that_exceeds_a_limit() -> None:
    wide, other = image(picture("PNG", size=(30, 2)), 3), image(picture("PNG"), 4)
    before = Conversation("plain", (Message(Role.USER, (wide, other, ToolResult("a", "read", (wide,)))),))
    stand_ins = StandIns(OpenAIChat(), PICTURES)
    assert stand_ins.learn(verdict(Rule.SIDE, wide))
    first, kept, result = stand_ins.apply(before).messages[0].content
    assert isinstance(first, Text)
    assert first.text.startswith("[image unavailable: too large; image/png 30x2; sha256:")
    assert kept == other
    assert isinstance(result, ToolResult)
    assert result.content == (first,)
    assert [str(note) for note in stand_ins.notes(before)] == ["line 3: inline image: too large, so a text stands for it"] * 2
    assert not stand_ins.learn(verdict(Rule.SIDE, wide))


def test_why_a_type_is_not_taken() -> None:
    moving = image(animation("GIF"))
    stand_ins = StandIns(OpenAIChat(), PICTURES)
    stand_ins.learn(verdict(Rule.TYPE, moving))
    [note] = stand_ins.notes(Conversation("plain", (Message(Role.USER, (moving,)),)))
    assert note.text == "inline image: animations are not accepted, so a text stands for it"


@pytest.mark.parametrize(
    ("rule", "kind"), [(Rule.MEDIA, MediaKind.DOCUMENT), (Rule.REQUEST, MediaKind.IMAGE), (Rule.BASE64, MediaKind.DOCUMENT)]
)
def test_what_no_single_image_is_to_blame_for(rule: Rule, kind: MediaKind) -> None:
    assert not StandIns(OpenAIChat(), PICTURES).learn(verdict(rule, image(picture("PNG"), kind=kind)))


def test_the_oldest_of_too_many_images_by_their_places() -> None:
    equal = [image(picture("PNG"), line) for line in (1, 2, 3, 4)]
    wide = image(picture("PNG", size=(30, 2)), 5)
    seen = verdict(Rule.SIDE, wide)
    counted = verdict(Rule.MEDIA, *equal)
    stand_ins = StandIns(OpenAIChat(), PICTURES)
    too_many = Excess(Rule.MEDIA, 5, 2)
    assert stand_ins.learn(Verdict(1, (*counted.media, *seen.media), (*seen.breaches, too_many)))
    before = Conversation("plain", (Message(Role.USER, (*equal, wide)),))
    after = stand_ins.apply(before).messages[0].content
    assert [isinstance(block, Text) for block in after] == [True, True, False, False, True]
    assert [note.text for note in stand_ins.notes(before)][:2] == [
        "too many images: this is one of the oldest, so a text stands for it"
    ] * 2
