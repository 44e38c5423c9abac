"""Whatever stands beside a store: what any root names in its raw bytes is never taken away, and all else that is old is.

Where one of them cannot be read, say because it looks packed, nothing is taken away.
"""

from __future__ import annotations

import gzip
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import zstandard
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sessionkit.core.files import Durability
from sessionkit.errors import UnreadableError
from sessionkit.ops.gc import Options, survey
from sessionkit.ops.writing import Writing
from tests.ops.collecting import NOW, asset, kept

if TYPE_CHECKING:
    from collections.abc import Callable

    from sessionkit.core.assets import AssetName

MIB = 1 << 20
OPTIONS = Options(writing=Writing(durability=Durability.NO_SYNC), clock=lambda: NOW)
OLD, YOUNG = timedelta(days=20), timedelta(days=1)
ASSETS = 6

FORMS: list[tuple[str, Callable[[bytes], bytes]]] = [
    *((f"{name}.jsonl", bytes) for name in ("a", "b", "deep/c", "images/d")),
    *((f"a.jsonl.repair-20260901T100000Z.{end}", bytes) for end in ("bak", "json")),
    *((f"{name}.gz", gzip.compress) for name in ("a.jsonl", "old.tar", "e.jsonl.bak")),
    *((f"{name}.zst", zstandard.compress) for name in ("a.jsonl", "f.jsonl")),
    ("g.jsonl.gz", lambda content: gzip.compress(content[:70]) + gzip.compress(content[70:]) + bytes(100)),
    ("h.jsonl.orig", gzip.compress),
    ("chat.json", bytes),
]
"""Names of roots, and how what they hold becomes what stands on the disk."""

_digests = st.integers(0, ASSETS - 1).map(lambda number: b"%d" % number)
_ways = st.sampled_from(
    [
        lambda digest: b'{"asset_path":"images/' + digest + b'.bin"}\n',
        lambda digest: b'{"assetPath": "file:///x/' + digest + b'.png", ',
        lambda digest: b'{"note":"kept as images/' + digest + b'.bin]"}\n',
        lambda digest: digest,
        lambda digest: digest.upper(),
        lambda digest: b"f" + digest + b"0",
        lambda digest: digest[:-1],
        lambda digest: digest[1:],
        lambda digest: digest[:32] + b"\n" + digest[32:],
        lambda digest: bytes(MIB - 40) + digest,
    ]
)
_noise = st.one_of(st.binary(max_size=40), st.sampled_from([b"\n", b'{"type":"message"}\n', b"\0" * 9, b"\xef\xbb\xbf", b"ab" * 50, b"0"]))
pieces = st.lists(st.one_of(st.tuples(_digests, _ways), st.tuples(_noise, st.none())), max_size=6)
roots = st.lists(st.tuples(st.integers(0, len(FORMS) - 1), pieces), min_size=1, max_size=4, unique_by=lambda root: root[0])
ages = st.lists(st.sampled_from([OLD, OLD, YOUNG]), min_size=ASSETS, max_size=ASSETS)


def content_of(parts: list[tuple[bytes, Callable[[bytes], bytes] | None]], names: list[AssetName]) -> bytes:
    return b"".join(way(names[int(text)].digest.encode()) if way else text for text, way in parts)


@settings(max_examples=150, deadline=None)
@given(roots, ages)
@example([(0, [(b"PK\x03\x04", None)])], [OLD] * ASSETS)
def test_no_asset_that_a_root_names_is_taken_away(
    made: list[tuple[int, list[tuple[bytes, Callable[[bytes], bytes] | None]]]], how_old: list[timedelta]
) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        names = [asset(folder, number, age) for number, age in enumerate(how_old)]
        (folder / "always.jsonl").touch()
        said = b""
        for form, parts in made:
            name, pack = FORMS[form]
            content = content_of(parts, names)
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(pack(content))
            said += b"|" + content
        try:
            list(survey([folder], OPTIONS).plan(lambda _size: None).run())
        except UnreadableError:
            assert kept(folder) == set(names)
            return
        named = {name for name in names if name.digest.encode() in said.lower()}
        young = {name for name, age in zip(names, how_old, strict=True) if age == YOUNG}
        assert kept(folder) == named | young
