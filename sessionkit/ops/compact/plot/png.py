"""The chart as pixels, by a library that is no part of the common installation: the only door to resvg."""

from __future__ import annotations

from sessionkit.errors import RefusedError
from sessionkit.ops.compact.plot.style import STYLE

_ZOOM = 2
"""So that it is sharp on the screens of today."""
_BLANK = f'<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><style>{STYLE}</style></svg>'
_WORDS = _BLANK.replace("</style>", '</style><text x="2" y="16">tokens</text>')
_SVG_HINT = "or name a file that ends in .svg"


def rasterize(svg: str) -> bytes:
    """Turn a drawing into a PNG, on light paper. Raises RefusedError without the library, and without any font."""
    try:
        import resvg_py  # noqa: PLC0415  an extra, which few have
    except ImportError as error:
        hint = f"pip install 'resvg_py>=0.5', which is the extra plot, {_SVG_HINT}"
        raise RefusedError("a PNG cannot be drawn", why="the library resvg_py is not installed", hint=hint) from error
    if resvg_py.svg_to_bytes(svg_string=_WORDS) == resvg_py.svg_to_bytes(svg_string=_BLANK):
        hint = f"install one, such as Debian's fonts-dejavu-core, {_SVG_HINT}"
        raise RefusedError("a PNG cannot be drawn", why="none of the fonts is there that its words could be written in", hint=hint)
    return resvg_py.svg_to_bytes(svg_string=svg, zoom=_ZOOM)
