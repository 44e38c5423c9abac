"""How much the model takes, and what an image costs of it: options that several commands read in the same way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.declare import Origin
from sessionkit.errors import UsageError

_LONG = 40
"""Characters of a number that nobody means: Python refuses to read thousands of digits."""

if TYPE_CHECKING:
    from fractions import Fraction

    from sessionkit.cli.declare import Origins
    from sessionkit.ops.estimate import ImageTokens
    from sessionkit.tokens.gates import Gate


def parse_gate(text: str) -> str:
    """Take the name of a gate; ValueError."""
    from sessionkit.cli.choices import among
    from sessionkit.tokens.gates import GATES

    return among(*(gate.name for gate in GATES))(text)


def parse_share(text: str) -> str:
    """Take a share of a window, above 0 and at most 1, and give it as a number; ValueError."""
    return str(_share(text, "a window, such as 0.8 or 80%"))


def parse_part(text: str) -> str:
    """Take a share of a conversation, which leaves some of it, in the same way; ValueError."""
    whole = "a conversation, such as 0.7 or 70%"
    share = _share(text, whole)
    if share == 1:
        raise ValueError(f"{text!r} is no share of {whole}")
    return str(share)


def choose_gate(origins: Origins, name: str, watermark: str | None, reserve: int | None = None) -> Gate:
    """Settle --gate, --watermark and --reserve: the one that was said more explicitly; what it leaves open, the others may say."""
    from sessionkit.cli.inputs import most_explicit
    from sessionkit.tokens.gates import GATES, PiGate, Watermark

    meant = {"gate": name, "watermark": Watermark.name, "reserve": PiGate.name}
    given = {"gate": name, "watermark": watermark, "reserve": reserve}
    options = most_explicit(origins, [option for option, value in given.items() if value is not None])
    if len({meant[option] for option in options}) > 1:
        said = " and ".join(f"--gate {name}" if option == "gate" else f"--{option}" for option in options)
        raise UsageError(f"{said} name two limits", hint="choose one")
    match meant[options[0]]:
        case Watermark.name if watermark is not None:
            from fractions import Fraction

            return Watermark(Fraction(watermark))
        case PiGate.name if reserve is not None:
            return PiGate(reserve)
        case chosen:
            return next(gate for gate in GATES if gate.name == chosen)


def require_window(origins: Origins, window: int | None) -> None:
    """Refuse a limit that is typed without the window that it is a part of; one of the settings waits for a window."""
    for name in ("gate", "watermark", "reserve"):
        if window is None and origins.get(name) is Origin.TYPED:
            raise UsageError(f"--{name} needs a window", why="a limit is a part of one", hint="add --window, in tokens, such as 200000")


def choose_image_tokens(origins: Origins, tokens: int | None) -> ImageTokens:
    """Rank the settings: one of a file comes behind qwen-code's variable, all others before it."""
    import os

    from sessionkit.ops.estimate import resolve_image_tokens

    if origins["image_tokens"] is Origin.FILE:
        return resolve_image_tokens(None, os.environ, tokens)
    return resolve_image_tokens(tokens, os.environ, None)


def _share(text: str, whole: str) -> Fraction:
    import re
    from fractions import Fraction

    if re.fullmatch(r"(?:[0-9]*\.?[0-9]+(?:[eE]-?[0-9])?%?|[0-9]+/0*[1-9][0-9]*)", text) and len(text) < _LONG:
        share = Fraction(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        if 0 < share <= 1:
            return share
    raise ValueError(f"{text!r} is no share of {whole}")
