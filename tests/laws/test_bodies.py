"""What holds for the request body of every conversation: the vendor takes it, and nothing is lost, made up or moved without need."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionkit.core.assets import AssetName
from sessionkit.core.model import Conversation, Inline, Media, Stored, ToolResult
from sessionkit.core.pictures import Pictures
from sessionkit.core.sniff import sniff
from sessionkit.core.stores.local import LocalStore
from sessionkit.providers.replay import Choices
from tests.laws.aims import AIMS, WITH_IDS, Aim, aims, all_aims, patient
from tests.providers.bodies import encoded
from tests.providers.conversations import CONTENTS, wild_conversations
from tests.providers.scripts import Script, numbers_in, results_in, scripts
from tests.providers.strict.base import decode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.model import Block
    from tests.providers.strict.base import Loaded

B = TypeVar("B", bound="Block")

ASSETS = {encoded(data): AssetName.of(data, sniff(data)) for data in CONTENTS}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalStore]:
    """Holds all that conversations may show."""
    with LocalStore(tmp_path_factory.mktemp("session") / "images") as store:
        for text, name in ASSETS.items():
            store.put(name, decode(text) or b"")
        store.flush()
        yield store


def body_of(conversation: Conversation, aim: Aim, store: LocalStore) -> Loaded:
    written = aim.written(conversation, Pictures(store))
    assert written is not None
    body: Loaded = json.loads(written)
    return body


def spilled(block: B) -> B:
    """Put a medium into the store, if it would be migrated at all."""
    match block:
        case Media(source=Inline(text)) if text in ASSETS:
            return replace(block, source=Stored(ASSETS[text]))
        case ToolResult(content=content):
            return replace(block, content=tuple(map(spilled, content)))
        case _:
            return block


@patient
@given(conversation=wild_conversations, aim=all_aims)
def test_vendor_takes_it(store: LocalStore, conversation: Conversation, aim: Aim) -> None:
    body = body_of(conversation, aim, store)
    assert aim.refusals(body) == []
    assert aim.faults(body) == []


@patient
@given(conversation=wild_conversations, aim=aims)
def test_what_cannot_be_sent_stops_all_or_is_accepted(store: LocalStore, conversation: Conversation, aim: Aim) -> None:
    written = aim.written(conversation, Pictures(store), Choices())
    assert written is None or aim.refusals(json.loads(written)) == []


@patient
@given(conversation=wild_conversations, aim=aims)
def test_body_is_the_same_wherever_media_lie(store: LocalStore, conversation: Conversation, aim: Aim) -> None:
    messages = tuple(replace(message, content=tuple(map(spilled, message.content))) for message in conversation.messages)
    once = aim.written(conversation, Pictures(store))
    assert aim.written(replace(conversation, messages=messages), Pictures(store, budget=0)) == once


@patient
@given(script=scripts())
def test_everything_is_sent_once_and_in_order(store: LocalStore, script: Script) -> None:
    results = [number for turn in script.turns for number in (*turn.texts, *turn.images)]
    for aim in AIMS:
        found = list(numbers_in(body_of(script.conversation, aim, store)[aim.provider.list_name]))
        assert sorted(found) == sorted([*script.prompts, *script.answers, *script.drawings, *results])
        assert _among(found, script.prompts) == script.prompts
        assert _among(found, [*script.prompts, *script.answers]) == sorted([*script.prompts, *script.answers])
        assert _among(found, script.drawings) == script.drawings
        for turn in script.turns:
            assert _among(found, turn.texts) == turn.texts
            assert aim.provider.id == "anthropic" or _among(found, turn.images) == turn.images


@patient
@given(script=scripts())
def test_vendor_takes_what_may_be_said(store: LocalStore, script: Script) -> None:
    for aim in AIMS:
        assert aim.refusals(body_of(script.conversation, aim, store)) == []


@patient
@given(script=scripts())
def test_every_result_is_that_of_its_call(store: LocalStore, script: Script) -> None:
    for aim in WITH_IDS:
        assert dict(results_in(body_of(script.conversation, aim, store)[aim.provider.list_name])) == script.results


@patient
@given(script=scripts(), aim=aims)
def test_blind_models_get_no_image(store: LocalStore, script: Script, aim: Aim) -> None:
    body = body_of(script.conversation, replace(aim, sees=False), store)
    shown = {*script.drawings, *(number for turn in script.turns for number in turn.images)}
    assert "base64" not in json.dumps(body)
    assert not shown.intersection(numbers_in(body[aim.provider.list_name]))


@patient
@given(script=scripts(), data=st.data())
def test_longer_conversation_begins_with_the_shorter(store: LocalStore, script: Script, data: st.DataObject) -> None:
    """So the vendor's cache holds. It is asked when the user speaks and no call is open; the system's prompt stands at the top."""
    if not script.asked:
        return
    shorter = Conversation("plain", tuple(script.messages[: data.draw(st.sampled_from(script.asked)) + 1]))
    for aim in AIMS:
        before, after = (_spoken(body_of(conversation, aim, store), aim) for conversation in (shorter, script.conversation))
        assert after[: len(before)] == before


def _spoken(body: Loaded, aim: Aim) -> list[Loaded]:
    return [item for item in body[aim.provider.list_name] if item.get("role") not in ("system", "developer")]


def _among(found: list[int], wanted: list[int]) -> list[int]:
    return [number for number in found if number in set(wanted)]
