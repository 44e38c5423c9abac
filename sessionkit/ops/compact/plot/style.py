"""Names and colours of the parts, for light and dark paper."""

from __future__ import annotations

from sessionkit.dataclass import dataclass
from sessionkit.ops.compact.result import Part


@dataclass(frozen=True, slots=True)
class Look:
    """What a part is called, and its colours on white and on nearly black."""

    name: str
    light: str
    dark: str


PARTS = {
    Part.SYSTEM: Look("system", "#737373", "#9a9a9a"),
    Part.EARLIER: Look("summarised before", "#a3a3a3", "#6e6e6e"),
    Part.HISTORY: Look("summarised", "#c2410c", "#ff8a50"),
    Part.PREFIX: Look("summarised: turn prefix", "#d99000", "#f2bf4a"),
    Part.CLEARED: Look("cleared in place", "#a8327d", "#e58fc6"),
    Part.DROPPED: Look("dropped", "#262626", "#f5f5f5"),
    Part.KEPT: Look("kept", "#0067a8", "#5bb2ee"),
}

_FONTS = "'DejaVu Sans','Liberation Sans','Noto Sans',Arial,Helvetica,sans-serif"


def _colours(paper: str, ink: str, faint: str) -> str:
    return f".paper{{fill:{paper}}}text{{fill:{ink}}}.mark{{stroke:{ink}}}.grid{{stroke:{faint}}}.halo{{stroke:{paper}}}"


STYLE = "".join(
    (
        f"text{{font-family:{_FONTS};font-size:12px}}.title{{font-size:16px;font-weight:bold}}",
        "rect,path{shape-rendering:crispEdges}",
        ".end{text-anchor:end}.middle{text-anchor:middle}.halo{paint-order:stroke;stroke-width:3px}",
        ".grid{stroke-width:1px}.mark{fill:none;stroke-width:1.5px;stroke-dasharray:6 4}.words{fill-opacity:.4}",
        _colours("#ffffff", "#1f1f1f", "#e2e2e2"),
        *(f".{part}{{fill:{look.light}}}" for part, look in PARTS.items()),
        "@media (prefers-color-scheme:dark){",
        _colours("#18181b", "#ececec", "#3a3a40"),
        *(f".{part}{{fill:{look.dark}}}" for part, look in PARTS.items()),
        "}",
    )
)
"""Light where a reader knows no schemes."""
