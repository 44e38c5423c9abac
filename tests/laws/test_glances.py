"""A glance says what a look says, or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings

from sessionkit.core.assets import AssetName
from sessionkit.core.media.finder import find_sites, look_at
from sessionkit.core.media.glance import Glancer, Sight
from sessionkit.core.media.references import Kind, Reference, find_references
from sessionkit.core.media.triage import candidates
from sessionkit.core.pixels import Size
from tests.laws.lines import HASHES, sessions
from tests.laws.pipeline import spill_bytes

if TYPE_CHECKING:
    from sessionkit.core.media.finder import Look
    from sessionkit.core.media.triage import Candidate

PATH = HASHES[0]
RUN = b'"asset_path":"%b","width":3,"height":2,"asset_field":"data"' % PATH
PREFIXED = b'"asset_path":"%b","asset_prefix":"data:image/png;base64,","asset_field":"image_url"' % PATH
ASSET = AssetName.parse(PATH.decode())


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None)
@given(sessions)
def test_a_glance_says_what_a_look_says_or_nothing(session: bytes) -> None:
    for text in (session, spill_bytes(session).text):
        data = bytearray(text)
        glancer = Glancer()
        for candidate in candidates(data, len(data)):
            sights = glancer.glance(data, candidate)
            assert sights is None or by_place(sights) == by_place(seen(look_at(data, candidate)))


def seen(look: Look) -> list[Sight]:
    """All references of a line that holds nothing else of interest."""
    found = list(find_references(look))
    assert look.forest.error is None
    assert not find_sites(look)
    assert all(isinstance(reference, Reference) and reference.kind is Kind.MEMBER for reference in found)
    return [Sight(reference.asset, reference.size, reference.scope.pointer()) for reference in found if isinstance(reference, Reference)]


def by_place(sights: list[Sight]) -> list[Sight]:
    return sorted(sights, key=lambda sight: (sight.pointer, sight.asset.reference))


@pytest.mark.parametrize(
    ("line", "sights"),
    [
        (b'{"content":[{"type":"image",%b}]}' % RUN, [Sight(ASSET, Size(3, 2), "/content/0")]),
        (b'{"a/b":{%b,"x":null},"c":[[{%b}]]}' % (PREFIXED, RUN), [Sight(ASSET, None, "/a~1b"), Sight(ASSET, Size(3, 2), "/c/0/0")]),
        (b'{"type":"image","width":3,"height":2.0,%b}' % PREFIXED, [Sight(ASSET, None, "")]),
        (b'{"type":"image","mimeType":"image/png"}', []),
        (b'{"type":"image","text":"\\u001b[1mbold"}', []),
    ],
)
def test_a_glance_is_enough_for(line: bytes, sights: list[Sight]) -> None:
    data = bytearray(line)
    assert Glancer().glance(data, whole(data)) == sights == seen(look_at(data, whole(data)))


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(b'{"type":"image","data":"aGk="}', id="inline media"),
        pytest.param(b'{"x":"DATA:image/png;base64,aGk="}', id="a data URL"),
        pytest.param(rb'{"x":"\u0064ata:image/png;base64,aGk="}', id="an escaped one"),
        pytest.param(b'{"x":{%b},"x":{%b}}' % (RUN, RUN), id="a name twice"),
        pytest.param(b"{%b,%b}" % (RUN, RUN), id="two runs in an object"),
        pytest.param(b'{"asset_path":"%b","x":1,"asset_field":"data"}' % PATH, id="a gap"),
        pytest.param(b'{"asset_field":"data","asset_path":"%b"}' % PATH, id="another order"),
        pytest.param(b'{"asset_path":"images/0.png","asset_field":"data"}', id="an odd path"),
        pytest.param(b'{"arguments":{%b}}' % RUN, id="what is never searched"),
        pytest.param(b'{"asset_path":"%b","asset_field":"text"}' % PATH, id="a name that is never searched"),
        pytest.param(b'[{"asset_path":"%b","asset_field":null}]' % PATH, id="a whole string"),
        pytest.param(b'{"type":"image","asset_path":"%b"}' % PATH, id="an agent's own"),
        pytest.param(b"{%b}{}" % RUN, id="glued"),
        pytest.param(b"{%b" % RUN, id="torn"),
        pytest.param(b'{"text":"\\"asset_path\\"",%b}' % RUN, id="a text about references"),
        pytest.param(b'{%b,"height":0}' % RUN, id="no height"),
    ],
)
def test_a_glance_is_in_doubt_of(line: bytes) -> None:
    data = bytearray(line)
    assert Glancer().glance(data, whole(data)) is None


PLACED = b'{"type":"tool_result","input":[{%b}]}' % RUN
THERE = [Sight(ASSET, Size(3, 2), "/input/0")]


@pytest.mark.parametrize(
    ("line", "sights"),
    [
        pytest.param(PLACED, THERE, id="at the same place"),
        pytest.param(b'{"type":"tool_use","input":[{%b}]}' % RUN, None, id="there, where it is not searched"),
        pytest.param(b'{"input":[{},{%b}]}' % RUN, [Sight(ASSET, Size(3, 2), "/input/1")], id="behind it"),
        pytest.param(b'{"input":[],"content":{%b}}' % RUN, [Sight(ASSET, Size(3, 2), "/content")], id="elsewhere, without the place"),
        pytest.param(b'{"input":{"0":{%b}}}' % RUN, [Sight(ASSET, Size(3, 2), "/input/0")], id="with a name for a number"),
        pytest.param(b'[{"input":[{%b}]}]' % RUN, [Sight(ASSET, Size(3, 2), "/0/input/0")], id="below an array"),
        pytest.param(b'{"input":"text","x":{%b}}' % RUN, [Sight(ASSET, Size(3, 2), "/x")], id="a string on the way"),
        pytest.param(b'{"input":{"type":[]},"x":{%b}}' % RUN, [Sight(ASSET, Size(3, 2), "/x")], id="an object on the way"),
        pytest.param(b'{"input":[{%b},{%b}]}' % (RUN, RUN), [*THERE, Sight(ASSET, Size(3, 2), "/input/1")], id="there and behind it"),
        pytest.param(b'{"input":[{%b}],"input":[]}' % RUN, None, id="in a member that another one hides"),
        pytest.param(b'{"input":[{%b}]' % RUN, None, id="torn"),
        pytest.param(b'{"type":"image","input":[]}', [], id="nowhere"),
    ],
)
def test_where_the_last_one_stood_says_nothing_of_the_next(line: bytes, sights: list[Sight] | None) -> None:
    glancer = Glancer()
    data = bytearray(PLACED)
    assert glancer.glance(data, whole(data)) == THERE
    for _ in range(2):
        data = bytearray(line)
        assert glancer.glance(data, whole(data)) == sights


def whole(data: bytearray) -> Candidate:
    (candidate,) = candidates(data, len(data))
    return candidate
