"""The options that several commands have, each with its names, type and help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, TypeAlias

from sessionkit.cli.declare import Argument, Option


def _address(text: str) -> object:
    """Read what names a store; its module is not imported before."""
    from sessionkit.core.stores.addresses import parse_address

    return parse_address(text)


def _scheduler(text: str) -> str:
    if not text:
        raise ValueError("it is empty; name a scheduler, such as tcp://host:8786")
    return text


def _share(text: str) -> str:
    from sessionkit.cli.budget import parse_share

    return parse_share(text)


def _gate(text: str) -> str:
    from sessionkit.cli.budget import parse_gate

    return parse_gate(text)


def _vision(text: str) -> str:
    from sessionkit.cli.choices import among

    return among("yes", "no", "auto")(text)


Paths: TypeAlias = Annotated[
    list[str] | None, Argument(metavar="PATH", help="Sessions, folders (with -r), quoted patterns, or - for standard input.")
]
OneSession: TypeAlias = Annotated[str, Argument(metavar="SESSION", help="One session, or - for standard input.")]
Recursive: TypeAlias = Annotated[bool, Option("-r", "--recursive", help="Search folders for .jsonl, .jsonl.gz and .jsonl.zst.")]
FilesFrom: TypeAlias = Annotated[Path | None, Option("--files-from", metavar="FILE", help="Read more paths from FILE (or -), one a line.")]

Out: TypeAlias = Annotated[Path | None, Option("--out", metavar="DIR", help="Write below DIR, at the same relative paths.")]
Output: TypeAlias = Annotated[
    Path | None, Option("-o", "--output", metavar="FILE", help="Write one session to FILE; - is standard output.")
]
InPlace: TypeAlias = Annotated[bool, Option("--in-place", help="Replace the sessions themselves.")]
_STORE = {"metavar": "STORE", "parser": _address}
Store: TypeAlias = Annotated[
    Any,  # an Address; typer takes no union
    Option("--store", **_STORE, help="Use this asset folder, or s3://BUCKET/PREFIX [default: images beside the spilled session]."),
]
OneStore: TypeAlias = Annotated[
    Any,  # the same
    Option("--store", **_STORE, help="Look at this asset folder, or s3://BUCKET/PREFIX [default: each `images` beside a session]."),
]
NewStore: TypeAlias = Annotated[
    Any,  # the same
    Option("--store", **_STORE, help="Put the bytes there: an asset folder, or s3://BUCKET/PREFIX [default: inline]."),
]
Leaf: TypeAlias = Annotated[str | None, Option("--leaf", metavar="ENTRY", help="Take the branch up to this entry [default: the newest].")]
Format: TypeAlias = Annotated[str | None, Option("--format", metavar="ID", help="Read sessions as this format, whatever they look like.")]
Decode: TypeAlias = Annotated[bool, Option("--decode", help="Decode every picture, to find damage that its first bytes do not show.")]

Window: TypeAlias = Annotated[int | None, Option("--window", metavar="N", min=1, help="Set how many tokens the model takes.")]
Watermark: TypeAlias = Annotated[
    str | None, Option("--watermark", metavar="SHARE", parser=_share, help="Stay below this share of the window [default: 0.8].")
]
Gate: TypeAlias = Annotated[
    str,
    Option(
        "--gate", metavar="NAME", parser=_gate, help="Set the limit by the watermark, or as an agent does: pi, qwen, codex, claude, gemini."
    ),
]
ImageTokens: TypeAlias = Annotated[
    int | None, Option("--image-tokens", metavar="N", min=1, help="Count N tokens for an image [default: those of the profile].")
]

Rules: TypeAlias = Annotated[
    str | None, Option("--profile", metavar="NAME", help="Judge by these rules [default: those of the session's agent and model].")
]
Direct: TypeAlias = Annotated[bool, Option("--direct", help="Judge for the vendor's own host alone, whose limits are wider.")]
MaxImages: TypeAlias = Annotated[int | None, Option("--max-images", metavar="N", min=1, help="Allow N images, if the model takes so many.")]
Catalog: TypeAlias = Annotated[Path | None, Option("--catalog", metavar="FILE", help="Read from FILE which models take images.")]
Vision: TypeAlias = Annotated[
    str,
    Option(
        "--vision",
        metavar="yes|no",
        parser=_vision,
        show_default=False,
        help="Say whether the model takes images, and so PDFs [default: by its name].",
    ),
]

DryRun: TypeAlias = Annotated[bool, Option("-n", "--dry-run", help="Do the work and report it, but write nothing.")]
Live: TypeAlias = Annotated[bool, Option("--live", help="Take sessions that are in use, or were written a moment ago.")]
NoFsync: TypeAlias = Annotated[
    bool, Option("--no-fsync", negative="--fsync", help="Skip the syncing of files: faster, but a power cut may lose what was written.")
]
LockTimeout: TypeAlias = Annotated[
    int, Option("--lock-timeout", metavar="SECONDS", min=0, help="Wait so long for an asset folder that others hold, then give up.")
]
LOCK_TIMEOUT = 60
Resume: TypeAlias = Annotated[
    Path | None, Option("--resume", metavar="FILE", help="Keep a journal in FILE, and skip what it says is done and still stands.")
]

Jobs: TypeAlias = Annotated[int | None, Option("-j", "--jobs", metavar="N", min=1, help="Run at most N processes [default: one a core].")]
Dask: TypeAlias = Annotated[
    str | None,
    Option("--dask", metavar="ADDRESS", parser=_scheduler, help="Let the workers of a dask.distributed scheduler do it (tcp://host:8786)."),
]
FailFast: TypeAlias = Annotated[
    bool, Option("--fail-fast", negative="--keep-going", help="Stop at the first session that fails, or go on with the others.")
]

Json: TypeAlias = Annotated[bool, Option("--json", help="Print JSON Lines: an object for each session, then a summary.")]
Quiet: TypeAlias = Annotated[bool, Option("-q", "--quiet", help="Print nothing but errors, and what is found to be wrong.")]
Verbose: TypeAlias = Annotated[bool, Option("-v", "--verbose", help="Print every session and every note.")]

Force: TypeAlias = Annotated[bool, Option("--force", help="Replace other files at the output, and what else is refused for its risk.")]
