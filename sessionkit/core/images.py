"""Pictures decoded, and the only door to Pillow, which is slow to import and therefore opened late."""

from __future__ import annotations

import io
import logging
import os
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sessionkit.core.pixels import Size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PIL import Image
    from typing_extensions import Buffer

MAX_PIXELS = 120_000_000
"""A picture with more is not decoded: at four bytes a pixel it would take half a gigabyte."""

# Only what sessions hold. Pillow also knows formats that start other programs (EPS) or read other files.
_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF", "AVIF")
_NO_LOG = logging.NullHandler()
_STDERR = 2


def header_size(data: Buffer) -> Size | None:
    """Read the size as Pillow understands the header; None when it does not."""
    try:
        with _opened(data) as image:
            return Size(*image.size)
    except Exception:  # noqa: BLE001 - on hostile bytes Pillow raises almost anything
        return None


def decode_fault(data: Buffer) -> str | None:
    """Decode every pixel of the first frame; say why that fails in a few words, None when it does not."""
    from PIL import Image, UnidentifiedImageError

    try:
        with _opened(data) as image:
            _load(image)
    except UnidentifiedImageError:
        return "not a picture in a known format"
    except Image.DecompressionBombError:
        return f"more than {MAX_PIXELS // 1_000_000} megapixels"
    except Exception as error:  # noqa: BLE001 - on hostile bytes Pillow raises almost anything
        return str(error).partition("\n")[0] or type(error).__name__
    return None


@contextmanager
def _opened(data: Buffer) -> Iterator[Image.Image]:
    """Open without warnings, and without Pillow's log, which goes to stderr when nobody has set up logging."""
    from PIL import Image

    logging.getLogger("PIL").addHandler(_NO_LOG)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
            yield image


def _load(image: Image.Image) -> None:
    from PIL import Image

    if image.width * image.height > MAX_PIXELS:
        raise Image.DecompressionBombError
    if image.format != "TIFF":
        image.load()
        return
    with _mute_stderr():
        image.load()


@contextmanager
def _mute_stderr() -> Iterator[None]:
    """Point the process's stderr at nothing: libtiff writes its complaints there, past Python."""
    kept = os.dup(_STDERR)
    try:
        with open(os.devnull, "wb") as nothing:  # noqa: PTH123 - a device, not a path
            os.dup2(nothing.fileno(), _STDERR)
        yield
    finally:
        os.dup2(kept, _STDERR)
        os.close(kept)
