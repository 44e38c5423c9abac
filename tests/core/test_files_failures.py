from __future__ import annotations

import errno
import os
import stat

import pytest

from sessionkit.core.files import NotFolderError, NotRegularError, refused, unreadable, unwritable


def system(number: int) -> OSError:
    return OSError(number, os.strerror(number), "named")


@pytest.mark.parametrize(
    ("error", "reading", "writing"),
    [
        (NotRegularError(stat.S_IFIFO), "name a regular file; a pipe is named -", "choose another output; standard output is named -"),
        (NotFolderError(stat.S_IFREG), "put a real folder in its place", "put a real folder in its place"),
        (system(errno.ENOENT), "check the path", "create the folder first"),
        (system(errno.ENOTDIR), "check the path", "a file stands where a folder should be"),
        (system(errno.ENAMETOOLONG), "choose a shorter name", "choose a shorter name for the output"),
        (system(errno.EACCES), "check who owns the file", "check who owns the file"),
        (system(errno.EXDEV), "check the path and the disk", "check the path and the disk"),
    ],
)
def test_hints_for_reading_and_for_writing(error: OSError, reading: str, writing: str) -> None:
    assert unreadable("session.jsonl", error).hint.startswith(reading)
    assert unwritable("session.jsonl", error).hint.startswith(writing)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_assets_may_be_stored_by_then(number: int) -> None:
    assert unwritable("standard output", system(number)).hint.endswith("; no file was changed")


@pytest.mark.parametrize(("name", "place"), [("a.jsonl", "a.jsonl"), (b"a\xff", "a\udcff"), (3, "None"), (None, "None")])
def test_refused_names_the_file_if_the_system_does(name: object, place: str) -> None:
    error = refused(OSError(errno.EIO, "Input/output error", name))
    assert (str(error.place), error.why) == (place, "input/output error")
