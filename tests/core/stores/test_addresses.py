"""Addresses of stores: folders, and places in buckets."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from sessionkit.core.stores import LocalStore
from sessionkit.core.stores.addresses import Bucket, parse_address, whole
from sessionkit.core.stores.opening import open_store
from sessionkit.core.stores.s3.store import S3Store


@pytest.mark.parametrize(
    ("text", "bucket", "folder"),
    [
        ("s3://team", Bucket("team"), "images"),
        ("s3://team/", Bucket("team"), "images"),
        ("s3://my.team-1/a", Bucket("my.team-1", "a"), "a/images"),
        ("s3://team/a/b=c/D_(1)!*'.x@+-/", Bucket("team", "a/b=c/D_(1)!*'.x@+-"), "a/b=c/D_(1)!*'.x@+-/images"),
        ("s3://team/images/a", Bucket("team", "images/a"), "images/a/images"),
    ],
)
def test_buckets(text: str, bucket: Bucket, folder: str) -> None:
    assert parse_address(text) == bucket
    assert bucket.folder == folder
    assert bucket.place("x.png") == f"s3://{bucket.name}/{folder}/x.png"
    assert parse_address(str(bucket)) == bucket
    assert pickle.loads(pickle.dumps(bucket)) == bucket  # noqa: S301  our own
    assert isinstance(open_store(bucket), S3Store)
    assert open_store(bucket).address == text.removesuffix("/")


@pytest.mark.parametrize("text", ["images", "/srv/images", "./s3:x", "a:b", "s3", "C:\\x", "s3/team", " a:b", "./ s3://x"])
def test_folders(text: str) -> None:
    assert parse_address(text) == Path(text)
    assert isinstance(open_store(Path(text)), LocalStore)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it is empty"),
        ("a\0b", "NUL"),
        ("S3://team", "neither a folder nor s3://BUCKET/PREFIX"),
        ("s3:/team", "neither a folder"),
        ("s3:team", "neither a folder"),
        ("s3a://team/x", "neither a folder"),
        ("gs://team/x", "neither a folder"),
        (" s3://team/x", "neither a folder"),
        ("\ts3://team/x", "neither a folder"),
        (" S3:team", "neither a folder"),
        ("s3://team/x ", "'x ' can be no part of a prefix"),
        ("https://team.s3.amazonaws.com/x", "neither a folder"),
        ("s3://", "'' is no name of a bucket"),
        ("s3:///x", "'' is no name of a bucket"),
        ("s3://ab", "'ab' is no name of a bucket"),
        ("s3://Team", "'Team' is no name of a bucket"),
        ("s3://my_team", "no name of a bucket"),
        ("s3://-team", "no name of a bucket"),
        ("s3://te..am", "no name of a bucket"),
        ("s3://127.0.0.1/x", "no name of a bucket"),
        ("s3://user@team/x", "no name of a bucket"),
        ("s3://team:9000/x", "no name of a bucket"),
        (f"s3://{'a' * 64}", "no name of a bucket"),
        ("s3://team//x", "'' can be no part of a prefix"),
        ("s3://team/a//", "'' can be no part of a prefix"),
        ("s3://team/../x", "'..' can be no part of a prefix"),
        ("s3://team/a/.", "'.' can be no part of a prefix"),
        ("s3://team/a b", "'a b' can be no part of a prefix"),
        ("s3://team/a?x=1", "can be no part of a prefix"),
        ("s3://team/a#x", "can be no part of a prefix"),
        ("s3://team/%41", "can be no part of a prefix"),
        ("s3://team/ü", "can be no part of a prefix"),
        ("s3://team/a\n", "can be no part of a prefix"),
        (f"s3://team/{'a' * 901}", "longer than 900"),
        ("s3://team/a/images", "leave the last 'images' out"),
        ("s3://team/images/", "leave the last 'images' out"),
    ],
)
def test_what_is_no_address(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why.replace("?", r"\?")) as caught:
        parse_address(text)
    assert len(str(caught.value)) < 400


def test_one_address_for_one_store() -> None:
    assert whole(Path("a/../b")) == Path.cwd() / "b"
    assert whole(Bucket("team", "a")) == Bucket("team", "a")
