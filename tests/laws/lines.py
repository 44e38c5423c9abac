"""Lines of sessions as bytes, put together by hand: a JSON library would write none of the spellings that agents and accidents do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from sessionkit.core.base64 import encode
from tests.pictures import ftyp, picture

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypothesis.strategies import SearchStrategy

SMALL = [picture("PNG", size=(1, 1)), picture("GIF", "P", (2, 1)), picture("JPEG", size=(3, 2)), b"GIF", b"%PDF-1.7 small", b"<svg/>"]
LARGE = [picture("PNG", size=(90, 40)), picture("JPEG", size=(180, 180)), picture("BMP", size=(20, 30)), b"%PDF-1.7" + bytes(3000)]
OTHERS = [b"\0", b"\xff\xff", b"hello world", b"\xfb\xef\xbe" * 300, b"RIFF\0\0\0\0WAVEfmt ", ftyp("isom", "mp42"), b"ID3\x04" + bytes(900)]

KEYS = [
    *(
        "data",
        "base64",
        "image_data",
        "result",
        "bytes",
        "image",
        "images",
        "file_data",
        "url",
        "image_url",
        "imageUrl",
        "blob",
        "screenshot",
    ),
    *("type", "source", "inlineData", "inline_data", "file", "format", "mimeType", "media_type", "mime", "originalSize", "filename"),
    *("arguments", "args", "input", "input_audio", "content", "text", "thinking", "summary", "signature", "encrypted_content", "output"),
    *("asset_path", "asset_prefix", "asset_field", "assetPath", "width", "height", "data:image/png;base64,QUJD", "a/b~c", "A" * 1200, ""),
]
TYPES = [
    *("image", "document", "base64", "media", "file", "image-data", "pdf", "image_url", "input_image", "image_generation_call", "resource"),
    *("tool_use", "custom_tool_call", "redacted_thinking", "input_audio", "text", "data:image/png;base64,QUJD"),
]
PREFIXES = [
    *(
        b"data:image/png;base64,",
        b"DATA:Image/PNG;BASE64,",
        b"data:;base64,",
        b"data:image;base64,",
        b"data:image/svg+xml;charset=x;base64,",
    ),
    *(b"data:audio/wav;base64,", b"data:application/pdf;base64,", b"data: \xc3\xa9\xff;base64,", b"data:" + b"x" * 1100 + b";base64,"),
    *(
        rb"data:image\/png;base64,",
        rb"\u0064ata:;base64,",
        rb"data:\ud800;base64,",
        rb"data:\";base64,",
        b"data:image/png,",
        b"data:;BASE64",
    ),
]
TEXTS = [
    *(
        b"",
        b"x",
        rb"\ud83d",
        rb"\ud83d\ude00 \u0000",
        b"\xe2\x80\xa8\xff",
        b"tab\tand\x01",
        rb"C:\\new\\folder",
        b"/tmp/a.png",
        b"{}",
        b"]}",
    ),
    *(b"http://host/a.png", b"blob:sha256:" + b"0" * 64, b"blobref:image/png;00", b"asset://0.png", b"[Image #1]", rb"a\nb", b"data:"),
    *(rb"\"data\":\"iVBORw0KGgoAAAANSUhEUg==\"", rb"{\"type\":\"image\",\"data\":\"R0lGODlh\"}", rb"\"asset_path\":\"images/0.png\""),
    *(rb"\"" + encode(LARGE[0]), encode(LARGE[1]) + rb"\"", b"see " + encode(LARGE[1]), encode(LARGE[1]) + b" [cut]"),
]
SCALARS = [b"null", b"true", b"NaN", b"-Infinity", b"1e5", b"1.0", b"-0.0", b"9" * 60, b"1" * 1500, b"12345678901234567890"]
HASHES = [b"images/" + digit * 64 + b"." + ext for digit in (b"0", b"f") for ext in (b"png", b"bin")]
PATHS = [*HASHES, b"images/" + b"F" * 64 + b".png", b"images/../" + b"0" * 64 + b".png", b"/etc/passwd", HASHES[0] + b"x"]
GLUE = [b"", b" ", b"\r", b"\0\0", b"\xef\xbb\xbf", b'{"type":"mess', b"12", b"garbage", b'"x"']


def pick(choices: list[bytes]) -> SearchStrategy[bytes]:
    """One of the choices, by number: hypothesis shows its strategies, and these would fill the screen."""
    return st.integers(0, len(choices) - 1).map(lambda number: choices[number])


white = st.sampled_from([b"", b"", b"", b" ", b"\t \r"])


def quoted(text: bytes) -> bytes:
    return b'"' + text + b'"'


def _escape_one(text: str, place: int) -> bytes:
    place %= len(text)
    return b'"%b\\u%04X%b"' % (text[:place].encode(), ord(text[place]), text[place + 1 :].encode())


def word(words: list[str]) -> SearchStrategy[bytes]:
    """A token of one of the words, now and then with an escaped letter."""
    plain = st.sampled_from(words).map(lambda text: quoted(text.encode()))
    escaped = st.builds(_escape_one, st.sampled_from([text for text in words if text]), st.integers(0, 40))
    return st.one_of(plain, plain, plain, escaped)


SPOILS: list[Callable[[bytes], bytes]] = [
    lambda text: text.replace(b"/", rb"\/"),
    lambda text: text.replace(b"+", b"-").replace(b"/", b"_"),
    lambda text: text.rstrip(b"="),
    lambda text: rb"\n".join(text[start : start + 76] for start in range(0, len(text), 76)),
    lambda text: text[:-1] + b"B",
    lambda text: text[: len(text) // 2],
    lambda text: text + rb"\r\n",
    lambda text: text.replace(b"A", rb"\u0041", 3),
]
"""What happens to base64 on its way into a session."""

_contents = st.one_of(pick(SMALL), pick(LARGE), pick(OTHERS), st.binary(max_size=12))
payloads = st.one_of(
    _contents.map(encode), st.builds(lambda text, how: SPOILS[how](text), _contents.map(encode), st.integers(0, len(SPOILS) - 1))
)
media = st.one_of(payloads, st.builds(bytes.__add__, pick(PREFIXES), payloads)).map(quoted)
texts = pick(TEXTS).map(quoted)
leaves = st.one_of(media, media, texts, pick(SCALARS), st.sampled_from(PATHS).map(quoted))


def _join(pieces: list[bytes], space: bytes) -> bytes:
    return (space + b"," + space).join(pieces)


def array(values: SearchStrategy[bytes]) -> SearchStrategy[bytes]:
    return st.builds(lambda items, space: b"[" + _join(items, space) + space + b"]", st.lists(values, max_size=3), white)


def member(values: SearchStrategy[bytes]) -> SearchStrategy[bytes]:
    named = st.builds(lambda key, space, value: key + space + b":" + value, word(KEYS), white, values)
    typed = word(TYPES).map(lambda text: b'"type":' + text)
    return st.one_of(named, named, typed)


def object_of(members: SearchStrategy[list[bytes]]) -> SearchStrategy[bytes]:
    return st.builds(lambda items, space: b"{" + space + _join(items, space) + b"}", members, white)


_run_paths = st.sampled_from([*HASHES, *PATHS]).map(lambda path: b'"asset_path":' + quoted(path))
_run_sizes = st.sampled_from([[], [], [b'"width":3', b'"height":2'], [b'"width":3'], [b'"width":1e5', b'"height":-2'], [b'"x":0']])
_run_prefixes: SearchStrategy[list[bytes]] = st.one_of(
    st.just([]), pick(PREFIXES).map(lambda prefix: [b'"asset_prefix":' + quoted(prefix)])
)
_run_fields = st.one_of(st.just(b"null"), word(KEYS)).map(lambda field: [b'"asset_field":' + field])


def runs(values: SearchStrategy[bytes]) -> SearchStrategy[list[bytes]]:
    """Members of a reference and what only looks like one: gaps, odd paths, members that are missing or too many."""
    parts = st.tuples(_run_paths, _run_sizes, _run_prefixes, st.one_of(_run_fields, st.just([])), st.lists(member(values), max_size=1))
    return parts.map(lambda part: [part[0], *part[1], *part[2], *part[3], *part[4]])


def shapes(values: SearchStrategy[bytes]) -> SearchStrategy[list[bytes]]:
    """Members of objects that agents write, with something else beside them."""
    known = st.sampled_from(
        [
            (b'"type":"image"', b'"data":%b', b'"mimeType":"image/png"'),
            (b'"type":"image"', b'"source":{"data":%b,"media_type":"image/png","type":"base64"}'),
            (b'"type":"document"', b'"source":{"data":%b}'),
            (b'"inlineData":{"mimeType":"image/png","data":%b}',),
            (b'"file":{"base64":%b,"type":"image/png"}', b'"type":"image"'),
            (b'"type":"input_image"', b'"image_url":%b', b'"detail":"high"'),
            (b'"image_url":{"url":%b}',),
            (b'"images":[%b]',),
            (b'"format":"png"', b'"source":{"bytes":%b}'),
            (b'"type":"file"', b'"source_type":"x"', b'"data":%b'),
            (b'"type":"image_generation_call"', b'"result":%b'),
        ],
    )
    filled = st.builds(lambda shape, text: [part.replace(b"%b", text) for part in shape], known, media)
    return st.builds(lambda before, shape, behind: before + shape + behind, beside(values), filled, beside(values))


def beside(values: SearchStrategy[bytes]) -> SearchStrategy[list[bytes]]:
    return st.lists(member(values), max_size=1)


def _deeper(values: SearchStrategy[bytes]) -> SearchStrategy[bytes]:
    members = st.one_of(st.lists(member(values), max_size=4), shapes(values), shapes(values), runs(values))
    return st.one_of(object_of(members), object_of(members), array(values))


values = st.recursive(leaves, _deeper, max_leaves=8)
_whole = st.one_of(object_of(shapes(values)), object_of(st.lists(member(values), max_size=4)), values)
_torn = st.builds(lambda text, cut: text[: cut % (len(text) + 1)], _whole, st.integers(0, 400))
_glued = st.lists(st.one_of(_whole, st.sampled_from(GLUE)), min_size=2, max_size=4).map(b"".join)
lines = st.one_of(_whole, _whole, _whole, _glued, _torn)
sessions = st.builds(
    lambda mark, body, end, close: mark + end.join(body) + close,
    st.sampled_from([b"", b"", b"\xef\xbb\xbf", b"\n\0\n"]),
    st.lists(lines, min_size=1, max_size=4),
    st.sampled_from([b"\n", b"\n", b"\r\n"]),
    st.sampled_from([b"\n", b""]),
)
"""Whole files: whole, glued and torn lines, in one of the usual line ends or without the last one."""
