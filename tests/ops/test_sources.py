"""Which files a command line means."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sessionkit.errors import UnreadableError, UsageError
from sessionkit.ops.sources import STDIN, Descent, Source, find_one, find_sources, read_list

if TYPE_CHECKING:
    from tests.ops.conftest import Feed

TREE = [
    *("a.jsonl", "b.jsonl.gz", "c.jsonl.zst", "notes.txt", "session.json", "a.jsonl.repair-20261130T100000Z.bak"),
    *("sub/a.jsonl", "sub/a.jsonl.gz", "sub/deep/d.jsonl", "images/e.jsonl", "images/0a.png", "[x].jsonl"),
]
BELOW = ["[x].jsonl", "a.jsonl", "b.jsonl.gz", "c.jsonl.zst", "images/e.jsonl", "sub/a.jsonl", "sub/deep/d.jsonl"]


@pytest.fixture(autouse=True)
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder `tree` below the working directory."""
    for name in TREE:
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path / "tree"


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        pytest.param(["tree"], [(f"tree/{name}", name) for name in BELOW], id="a folder gives its sessions in order of path"),
        pytest.param(
            ["tree/sub"], [("tree/sub/a.jsonl", "a.jsonl"), ("tree/sub/deep/d.jsonl", "deep/d.jsonl")], id="relative to the folder"
        ),
        pytest.param(["tree/sub/a.jsonl.gz"], [("tree/sub/a.jsonl.gz", "a.jsonl.gz")], id="an archive by name, whatever stands beside it"),
        pytest.param(["tree/notes.txt"], [("tree/notes.txt", "notes.txt")], id="a file by name, whatever it is called"),
        pytest.param(["tree/c*"], [("tree/c.jsonl.zst", "c.jsonl.zst")], id="a pattern"),
        pytest.param(["tree/**/d.jsonl"], [("tree/sub/deep/d.jsonl", "d.jsonl")], id="a pattern over folders"),
        pytest.param(["tree/[x].jsonl"], [("tree/[x].jsonl", "[x].jsonl")], id="a name that looks like a pattern"),
        pytest.param(["tree/a.jsonl", "tree/../tree/a.jsonl", "./tree/a.jsonl"], [("tree/a.jsonl", "a.jsonl")], id="each file once"),
        pytest.param(["tree/sub/deep", "tree/a.jsonl"], [("tree/sub/deep/d.jsonl", "d.jsonl"), ("tree/a.jsonl", "a.jsonl")], id="as named"),
        pytest.param(["gone.jsonl"], [("gone.jsonl", "gone.jsonl")], id="a missing file, which reading will explain"),
    ],
)
def test_arguments_become_sources(arguments: list[str], found: list[tuple[str, str]]) -> None:
    sources = find_sources(arguments, Descent.RECURSIVE)
    assert [(str(source.path), str(source.relative)) for source in sources] == found


def test_a_file_is_the_same_by_its_whole_path(tree: Path) -> None:
    assert len(find_sources([str(tree / "a.jsonl"), "tree", str(tree / "sub"), "tree/b.jsonl.gz"], Descent.RECURSIVE)) == len(BELOW)


def test_only_whole_paths_are_found_from_a_working_folder_that_is_gone(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / "gone").mkdir()
    monkeypatch.chdir(tree / "gone")
    (tree / "gone").rmdir()
    assert len(find_sources([str(tree)], Descent.RECURSIVE)) == len(BELOW)
    with pytest.raises(FileNotFoundError):
        find_sources(["a.jsonl"], Descent.RECURSIVE)


@pytest.mark.parametrize(
    ("arguments", "descent", "what"),
    [
        (["tree"], Descent.REFUSE_FOLDERS, "this is a folder"),
        (["tree/*.none"], Descent.RECURSIVE, "no file matches the pattern"),
        (["tree/images"], Descent.REFUSE_FOLDERS, "this is a folder"),
        ([], Descent.RECURSIVE, "no sessions to work on"),
    ],
)
def test_what_means_nothing_is_a_usage_error(arguments: list[str], descent: Descent, what: str) -> None:
    with pytest.raises(UsageError, match=what):
        find_sources(arguments, descent)


def test_a_folder_without_sessions_is_a_usage_error(tree: Path) -> None:
    (tree / "empty").mkdir()
    with pytest.raises(UsageError, match="no sessions"):
        find_sources([str(tree / "empty")], Descent.RECURSIVE)


def test_links_to_folders_are_not_followed(tree: Path) -> None:
    (tree / "loop").symlink_to(tree)
    assert len(find_sources([str(tree)], Descent.RECURSIVE)) == len(BELOW)


def test_a_folder_that_cannot_be_listed_is_a_source_that_fails_alone(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scandir = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: scandir(f"{path}-gone" if str(path).endswith("deep") else path))
    sources = find_sources([str(tree)], Descent.RECURSIVE)
    assert len(sources) == len(BELOW)
    assert sources[-1].path.name == "deep-gone"


def test_an_archive_beside_its_session_is_left_out_and_told(tree: Path) -> None:
    sources = find_sources([str(tree / "sub")], Descent.RECURSIVE)
    assert [source.shadowed for source in sources] == [(tree / "sub" / "a.jsonl.gz",), ()]


@pytest.mark.parametrize("name", ["a\0b", "\0"])
def test_a_path_with_a_nul_is_a_usage_error(name: str) -> None:
    with pytest.raises(UsageError, match="NUL"):
        find_sources([name], Descent.RECURSIVE)


def test_a_name_that_is_too_long_is_a_source_that_reading_will_explain() -> None:
    assert len(find_sources(["a" * 300], Descent.RECURSIVE)) == 1


def test_names_between_nul_bytes_are_a_list(tmp_path: Path) -> None:
    (tmp_path / "list").write_bytes(b"a.jsonl\0with\nbreak.jsonl\0")
    assert read_list(tmp_path / "list") == ["a.jsonl", "with\nbreak.jsonl"]


def test_a_session_is_no_list(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(b'{"data":"' + b"A" * 5000 + b'"}\n')
    with pytest.raises(UsageError, match="no list") as caught:
        read_list(tmp_path / "s.jsonl")
    assert "AAAA" not in str(caught.value)


def test_a_dash_is_standard_input() -> None:
    assert find_sources(["-", "-"], Descent.REFUSE_FOLDERS) == [Source(STDIN, Path("stdin.jsonl"), is_stdin=True)]


LIST = b"a.jsonl\n\n  \nwith space.jsonl\nna\xffme.jsonl\n[x].jsonl"
LISTED = ["a.jsonl", "with space.jsonl", os.fsdecode(b"na\xffme.jsonl"), "[x].jsonl"]


def test_a_list_has_one_path_a_line(tree: Path) -> None:
    (tree / "list").write_bytes(LIST)
    assert read_list(tree / "list") == LISTED


def test_a_list_comes_whole_through_a_pipe(standard_input: Feed) -> None:
    many = b"".join(b"sessions/%d.jsonl\n" % number for number in range(20_000))
    with standard_input(many + LIST):
        listed = read_list(STDIN)
    assert listed[:20_000] == [f"sessions/{number}.jsonl" for number in range(20_000)]
    assert listed[20_000:] == LISTED


def test_a_list_that_is_missing_is_told(tree: Path) -> None:
    with pytest.raises(UnreadableError, match="the list of files"):
        read_list(tree / "gone")


def test_the_size_of_what_cannot_be_looked_at_is_nothing(tree: Path) -> None:
    assert Source(tree / "gone", Path("gone")).size() == 0
    (tree / "a.jsonl").write_bytes(b"{}\n")
    assert Source(tree / "a.jsonl", Path("a.jsonl")).size() == 3


def test_one_session() -> None:
    assert find_one("tree/a.jsonl") == Source(Path("tree/a.jsonl"), Path("a.jsonl"))
    assert find_one("tree/c*").path == Path("tree/c.jsonl.zst")
    assert find_one("-").is_stdin


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("tree", "tree: this is a folder\n  next: name one session in it"),
        ("tree/[ab].jsonl*", "3 sessions match"),
        ("nothing*", "no file matches"),
    ],
)
def test_what_is_not_one_session(word: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        find_one(word)
