"""A shortened line maps back to the line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sessionkit.core.media.skeleton import skeleton_of
from sessionkit.core.media.tree import Text, parse
from sessionkit.core.media.triage import Candidate, long_runs

STRINGS = st.one_of(
    st.integers(0, 3000).map(lambda size: b"A" * size),
    st.integers(1000, 2000).map(lambda size: b"data:;base64," + b"B" * size + b"=="),
    st.sampled_from([rb"a\"b", rb"\/" * 700, b"word " * 300, b""]),
)


@given(st.lists(STRINGS, max_size=5), st.integers(0, 1500))
def test_every_token_maps_back_to_its_bytes(strings: list[bytes], before: int) -> None:
    line = b"[" + b",".join(b'"%b"' % string for string in strings) + b"]"
    data = bytearray(b" " * before + b"\n" + line)
    candidate = Candidate(before + 1, len(data), tuple(long_runs(data, 0, len(data))))
    skeleton = skeleton_of(data, candidate)
    assert len(skeleton.text) <= len(line)
    (root,) = parse(skeleton.text).roots
    found = [node for node in getattr(root, "items", []) if isinstance(node, Text)]
    assert [bytes(data[skeleton.origin(node.start) : skeleton.origin(node.stop)])[1:-1] for node in found] == strings
    assert (skeleton.origin(0), skeleton.origin(len(skeleton.text))) == (before + 1, len(data))


def test_what_is_left_keeps_head_and_structure() -> None:
    data = bytearray(b'{"a":"data:image/png;base64,iVBOR%b","b":1}' % (b"A" * 5000))
    skeleton = skeleton_of(data, Candidate(0, len(data), tuple(long_runs(data, 0, len(data)))))
    assert skeleton.text.startswith(b'{"a":"data:image/png;base64,iVBOR')
    assert skeleton.text.endswith(b'A","b":1}')
    assert len(skeleton.text) < 200
