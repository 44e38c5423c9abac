"""Several images, one after the other: each of them may need half a gigabyte."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass
from sessionkit.errors import SessionkitError
from sessionkit.ops.batch import Batch, OnFailure, Sized, Tick, run_here
from sessionkit.ops.prepare.image import prepare_named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.ops.prepare.options import Options
    from sessionkit.ops.prepare.reading import Named
    from sessionkit.ops.prepare.result import Prepared


@dataclass(frozen=True, slots=True)
class Unprepared:
    """An image that could not be prepared, and why."""

    name: str
    error: SessionkitError


@dataclass(frozen=True, slots=True)
class Plan:
    """The images and what is to be done with them."""

    images: tuple[Named, ...]
    options: Options

    def run(self, on_failure: OnFailure = OnFailure.KEEP_GOING) -> Iterator[Prepared | Unprepared]:
        """Prepare each image, or try to, in their order."""
        store = self.options.store
        if isinstance(store, Path) and not os.path.islink(store):  # noqa: PTH114  Path.is_symlink raises for names that are too long
            self.options.writing.clean_up([store])
        tasks = [Sized(image, 0) for image in self.images]
        outcomes = run_here(self._prepare, tasks, Batch(on_failure=on_failure))
        for image, outcome in zip(self.images, outcomes, strict=True):
            yield Unprepared(image.name, outcome) if isinstance(outcome, SessionkitError) else outcome

    def _prepare(self, image: Named, _tick: Tick) -> Prepared:
        return prepare_named(image, self.options)
