"""Real pictures, made by Pillow, and hand-made heads of what Pillow does not write."""

from __future__ import annotations

import io
import struct
from functools import cache

from PIL import Image

WIDTH, HEIGHT = 37, 23


def picture(kind: str, mode: str = "RGB", size: tuple[int, int] = (WIDTH, HEIGHT), **options: object) -> bytes:
    """One picture of a Pillow format; `options` go to its writer."""
    out = io.BytesIO()
    _gradient(mode, size).save(out, kind, **options)
    return out.getvalue()


def animation(kind: str) -> bytes:
    """Three frames."""
    frames = [_gradient("RGB", (WIDTH, HEIGHT)).rotate(angle) for angle in (90, 180)]
    return picture(kind, save_all=True, append_images=frames)


def bmp(header_size: int, width: int, height: int) -> bytes:
    """A black 24-bit BMP with the header of that size."""
    core = header_size == 12
    fields = struct.pack("<IHHHH" if core else "<IiiHH", header_size, width, height, 1, 24)
    pixels_at = 14 + header_size
    pixels = bytes((width * 3 + 3) // 4 * 4 * abs(height))
    return struct.pack("<2sIII", b"BM", pixels_at + len(pixels), 0, pixels_at) + fields.ljust(header_size, b"\0") + pixels


def ftyp(*brands: str) -> bytes:
    """The first box of a file of the MP4 family: major brand, version, compatible brands."""
    major, *compatible = (brand.encode().ljust(4) for brand in brands)
    body = b"ftyp" + major + bytes(4) + b"".join(compatible)
    return struct.pack(">I", len(body) + 4) + body + b"\0\0\0\x08free"


def heic(*extents: tuple[int, int]) -> bytes:
    """The head of a HEIC with one extents property for each tile, thumbnail and picture."""
    properties = b"".join(struct.pack(">I4sIII", 20, b"ispe", 0, *extent) for extent in extents)
    return ftyp("heic", "mif1", "heic") + struct.pack(">I4sI", len(properties) + 12, b"meta", 0) + properties


@cache
def images() -> dict[str, tuple[str, bytes]]:
    """By name: the extension that the content earns, and the bytes; every one opens in Pillow with its real size."""
    exif = Image.Exif()
    exif[0x0112] = 6
    modes = {f"png {mode}": ("png", picture("PNG", mode)) for mode in ("1", "L", "LA", "P", "RGB", "RGBA", "I;16")}
    tiffs = {
        f"tiff {compression}": ("tiff", picture("TIFF", compression=compression))
        for compression in ("raw", "tiff_lzw", "jpeg", "tiff_adobe_deflate")
    }
    bmps = {
        f"bmp header {header_size}, height {height}": ("bmp", bmp(header_size, WIDTH, height))
        for header_size in (12, 40, 52, 56, 64, 108, 124)
        for height in ((HEIGHT,) if header_size == 12 else (HEIGHT, -HEIGHT))
    }
    return {
        **modes,
        **tiffs,
        **bmps,
        "png wide": ("png", picture("PNG", size=(9000, 1))),
        "apng": ("png", animation("PNG")),
        "jpeg baseline": ("jpg", picture("JPEG")),
        "jpeg grey": ("jpg", picture("JPEG", "L")),
        "jpeg cmyk": ("jpg", picture("JPEG", "CMYK")),
        "jpeg progressive": ("jpg", picture("JPEG", progressive=True)),
        "jpeg exif": ("jpg", picture("JPEG", exif=exif)),
        "jpeg colour profile": ("jpg", picture("JPEG", icc_profile=bytes(150_000))),
        "jpeg comment": ("jpg", picture("JPEG", comment=b"\xff\xc0\x00\x11\x08\x00\x01\x00\x01")),
        "jpeg fill bytes": ("jpg", picture("JPEG").replace(b"\xff\xc0", b"\xff\xff\xff\xc0", 1)),
        "jpeg several pictures": ("jpg", animation("MPO")),
        "gif": ("gif", picture("GIF", "P")),
        "gif animated": ("gif", animation("GIF")),
        "gif 87a": ("gif", picture("GIF", "L").replace(b"89a", b"87a", 1)),
        "webp lossy": ("webp", picture("WEBP")),
        "webp lossless": ("webp", picture("WEBP", lossless=True)),
        "webp extended": ("webp", picture("WEBP", "RGBA", exif=exif)),
        "webp animated": ("webp", animation("WEBP")),
        "bmp 1 bit": ("bmp", picture("BMP", "1")),
        "bmp palette": ("bmp", picture("BMP", "P")),
        "tiff sideways": ("tiff", picture("TIFF", exif=exif)),
        "tiff big-endian": ("tiff", _big_endian_tiff()),
        "avif": ("avif", picture("AVIF")),
        "avif alpha": ("avif", picture("AVIF", "RGBA")),
        "avif exif": ("avif", picture("AVIF", exif=exif)),
        "avif animated": ("avif", animation("AVIF")),
    }


def _gradient(mode: str, size: tuple[int, int]) -> Image.Image:
    return Image.radial_gradient("L").resize(size).convert("RGBA").convert(mode if mode != "I;16" else "L").convert(mode)


def _big_endian_tiff() -> bytes:
    fields = ((256, 3, WIDTH << 16), (257, 4, HEIGHT), (258, 3, 8 << 16), (259, 3, 1 << 16), (262, 3, 1 << 16), (273, 4, 8))
    entries = b"".join(struct.pack(">HHII", tag, kind, 1, value) for tag, kind, value in fields)
    pixels = bytes(WIDTH * HEIGHT)
    return b"MM\0*" + struct.pack(">I", 8 + len(pixels)) + pixels + struct.pack(">H", len(fields)) + entries + bytes(4)
