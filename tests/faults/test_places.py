"""Bytes of values, by pointers."""

from __future__ import annotations

import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sessionkit.core.media.scopes import escape_step
from sessionkit.faults.places import NoPlaceError, Places, outer_of, steps_of

LINE = b'{ "a" : [1, {"b":"x\\/y"} ,[]], "c~/d":null,"a":{"e":[true]} }\n'


@pytest.mark.parametrize(
    ("pointer", "text", "key"),
    [
        ("", LINE.strip(), None),
        ("/a", b'{"e":[true]}', b'"a"'),
        ("/a/e/0", b"true", None),
        ("/c~0~1d", b"null", b'"c~/d"'),
    ],
)
def test_values_and_keys(pointer: str, text: bytes, key: bytes | None) -> None:
    places = Places(LINE)
    assert places.text(pointer) == text
    span = places.key(pointer) if pointer else None
    assert (span and LINE[span.start : span.stop]) == key


@pytest.mark.parametrize("pointer", ["/x", "/a/0", "/a/e/1", "/a/e/-", "/c~0~1d/0", "/a/e/0/x"])
def test_a_pointer_to_nothing(pointer: str) -> None:
    assert not Places(LINE).has(pointer)
    with pytest.raises(NoPlaceError, match="nothing stands at"):
        Places(LINE).value(pointer)


@pytest.mark.parametrize("raw", [b"", b"\n", b'{"a":1', b'{"a":1}x', b"{}{}"])
def test_what_is_not_one_value_has_no_places(raw: bytes) -> None:
    with pytest.raises(NoPlaceError):
        Places(raw)


def test_padding_around_a_value_counts() -> None:
    raw = b'\xef\xbb\xbf\0\0 {"a":1}\0\n'
    span = Places(raw).value("/a")
    assert raw[span.start : span.stop] == b"1"


values = st.recursive(
    st.none() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5)
)


@given(values, st.data())
def test_taking_out_leaves_the_rest(value: object, data: st.DataObject) -> None:
    """Whatever goes from a container, what is left is the same JSON without it."""
    raw = json.dumps(value, ensure_ascii=data.draw(st.booleans()), indent=data.draw(st.sampled_from([None, 1]))).encode()
    raw = raw.replace(b"\n", b" ")
    assume(_containers(value, ""))
    pointer = data.draw(st.sampled_from(_containers(value, "")))
    container = _at(value, pointer)
    steps = data.draw(st.lists(st.sampled_from(list(_steps(container))), min_size=1, unique=True))
    cuts = Places(raw).taken_out([f"{pointer}/{escape_step(step)}" for step in steps])
    left, position = b"", 0
    for _, cut in cuts:
        assert cut.start >= position
        left, position = left + raw[position : cut.start], cut.stop
    left += raw[position:]
    for step in sorted(steps, reverse=True, key=lambda step: step if isinstance(step, int) else 0):
        del container[step]  # type: ignore[attr-defined]
    assert json.loads(left) == value


@given(values)
def test_every_value_is_found(value: object) -> None:
    raw = json.dumps(value).encode()
    places = Places(raw)
    for pointer in _containers(value, ""):
        container = _at(value, pointer)
        assert json.loads(places.text(pointer)) == container
        assert places.size(pointer) == len(list(_steps(container)))
        assert raw[places.end(pointer) : places.end(pointer) + 1] in {b"]", b"}"}
        for step in _steps(container):
            below = f"{pointer}/{escape_step(step)}"
            assert outer_of(below) == pointer
            assert steps_of(below)[-1] == str(step)
            assert json.loads(places.text(below)) == container[step]  # type: ignore[index]


def _containers(value: object, pointer: str) -> list[str]:
    inner = [found for step in _steps(value) for found in _containers(value[step], f"{pointer}/{escape_step(step)}")]  # type: ignore[index]
    return [pointer, *inner] if isinstance(value, dict | list) and value else inner


def _steps(value: object) -> list[str | int]:
    return list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []


def _at(value: object, pointer: str) -> object:
    for step in steps_of(pointer):
        value = value[int(step)] if isinstance(value, list) else value[step]  # type: ignore[index]
    return value
