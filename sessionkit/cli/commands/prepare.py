"""`sessionkit prepare`."""

from __future__ import annotations

from typing import Annotated

from sessionkit.cli import options
from sessionkit.cli.catalog import catalog_of
from sessionkit.cli.choices import among
from sessionkit.cli.declare import Argument, Option
from sessionkit.cli.sizes import parse_size
from sessionkit.errors import ExitCode, UsageError

_LEAST_BYTES = 5
"""One more than the base64 of a single byte."""

EPILOG = """\b
Examples:
  sessionkit prepare shot.png --as anthropic
  sessionkit prepare shot.png --store session/images --model gpt-5.5
  curl -s $URL | sessionkit prepare - --as pi
  sessionkit prepare 'shots/*' --json | jq -r 'select(.is_error) | .blocks[0].text'

\b
A line for each image: a list of blocks, a text and the image, as the content
of a tool's result. native are those of an agent that reads references into an
asset folder; into the others --store puts what `migrate` would.
PNG, JPEG, GIF and WebP that fit stay as they are, byte for byte. What does
not fit gets smaller, as PNG or JPEG, upright, and the text tells by how much;
what is not taken, such as BMP and TIFF, or GIF in results of gemini, becomes
PNG. What is no image, or a broken one, has a text alone that says why.

\b
Exit codes: 3 none of them is an image that can be read; 4 some are not. An
image that does not fit, however small, is left out of its blocks: exit 0.
"""


def prepare(  # noqa: PLR0913  an option is a parameter
    *,
    images: Annotated[list[str] | None, Argument(metavar="IMAGE", help="Images, quoted patterns, or - for standard input.")] = None,
    files_from: options.FilesFrom = None,
    shape: Annotated[
        str,
        Option(
            "--as",
            metavar="NAME",
            parser=among("native", "pi", "anthropic", "openai-chat", "openai-responses", "gemini"),
            help="Make blocks for native, pi, anthropic, openai-chat, openai-responses, gemini.",
        ),
    ] = "native",
    max_pixels: Annotated[int, Option("--max-pixels", metavar="N", min=1, help="Allow a side N pixels at most.")] = 2000,
    max_bytes: Annotated[
        int | None, Option("--max-bytes", metavar="SIZE", parser=parse_size, help="Keep its base64 below SIZE [default: 4.5MiB].")
    ] = None,
    no_resize: Annotated[bool, Option("--no-resize", negative="--resize", help="Keep all pixels: only the base64 is measured.")] = False,
    vision: options.Vision = "auto",
    model: Annotated[
        str | None, Option("--model", metavar="NAME", help="Say which model will see it [default: one that takes images].")
    ] = None,
    catalog: options.Catalog = None,
    store: options.NewStore = None,
    dry_run: options.DryRun = False,
    no_fsync: options.NoFsync = False,
    lock_timeout: options.LockTimeout = options.LOCK_TIMEOUT,
    fail_fast: Annotated[
        bool, Option("--fail-fast", negative="--keep-going", help="Stop at the first image that fails, or go on with the others.")
    ] = False,
    as_json: Annotated[bool, Option("--json", help="Print JSON Lines: an object for each image, then a summary.")] = False,
    quiet: options.Quiet = False,
) -> ExitCode:
    """Make images fit for a session, as blocks of text and image."""
    from sessionkit.cli.reports.prepare import report_for
    from sessionkit.cli.voice import Verbosity
    from sessionkit.core.files import Durability
    from sessionkit.core.ladder import PORTABLE, Bounds
    from sessionkit.ops.batch import OnFailure
    from sessionkit.ops.prepare import Options, Plan, Resizing, find_images, shape_of
    from sessionkit.ops.sources import read_list
    from sessionkit.ops.writing import Effect, Writing
    from sessionkit.providers.vision import Vision

    if model is not None and not model.strip():
        raise UsageError("--model names no model", hint="leave it away for one that takes images, or name one")
    if max_bytes is not None and max_bytes < _LEAST_BYTES:
        raise UsageError(
            f"--max-bytes {max_bytes} has no room for any image", hint="give the size that its base64 stays below, such as 4.5MiB"
        )
    named = find_images([*(images or ()), *(read_list(files_from) if files_from else ())])
    chosen = Options(
        shape=shape_of(shape),
        bounds=Bounds(max_pixels, PORTABLE.base64 if max_bytes is None else max_bytes),
        resizing=Resizing.REFUSE if no_resize else Resizing.ALLOW,
        vision=Vision(vision),
        model=model,
        catalog=catalog_of(catalog),
        store=store,
        writing=Writing(
            Effect.REHEARSE if dry_run else Effect.APPLY,
            durability=Durability.NO_SYNC if no_fsync else Durability.SYNC,
            lock_timeout=lock_timeout,
        ),
    )
    report = report_for(chosen, as_json, Verbosity.QUIET if quiet else Verbosity.NORMAL)
    for outcome in Plan(tuple(named), chosen).run(OnFailure.FAIL_FAST if fail_fast else OnFailure.KEEP_GOING):
        report.add(outcome)
    return report.close()
