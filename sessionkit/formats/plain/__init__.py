"""Messages as providers take them, one or a whole conversation on a line: fine-tuning sets, logs, batches."""

from __future__ import annotations

from sessionkit.formats.plain.book import Plain

__all__ = ["Plain"]
