"""Which models take images: what a user's catalogue says, else a table of names. State of November 2026."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sessionkit.core.model import Json


class Vision(StrEnum):
    """Whether a model takes images; AUTO finds it out."""

    AUTO = "auto"
    YES = "yes"
    NO = "no"


_BLIND, _SEES = False, True
_EXACT: Final = {"gpt-4": _BLIND, **dict.fromkeys(("opus", "sonnet", "haiku", "opusplan"), _SEES)}
"""Names that are another model when more follows."""

# The first prefix that fits decides, so what is narrower comes first.
_PREFIXES: Final[tuple[tuple[bool, tuple[str, ...]], ...]] = (
    (_BLIND, ("claude-2", "claude-v", "claude-instant")),
    (_SEES, ("claude-3", "claude-4", "claude-opus", "claude-sonnet", "claude-haiku", "claude-fable")),
    (_BLIND, ("gpt-3.5", "gpt-4-0", "gpt-4-32k", "o1-mini", "o1-preview", "o3-mini", "gpt-oss")),
    (_SEES, ("gpt-4o", "gpt-4.1", "gpt-4-turbo", "gpt-4-vision", "gpt-5", "gpt-6", "o1", "o3", "o4-mini", "computer-use")),
    (_SEES, ("chatgpt-4o", "codex-mini")),
    (_BLIND, ("gemini-1.0", "gemma-2", "gemma-1", "gemma-3-1b", "gemma-3-270m", "gemma3:1b", "gemma3:270m")),
    (_SEES, ("gemini-", "gemma-3", "gemma3")),
    (_SEES, ("qwen-vl", "qwen2-vl", "qwen2.5-vl", "qwen2.5vl", "qwen3-vl", "qwen3.5-plus", "qwen3.6-plus", "qvq")),
    (_BLIND, ("qwen3-coder", "qwen")),
    (_SEES, ("grok-4", "grok-2-vision", "pixtral", "mistral-medium-3", "mistral-small-3.", "mistral-large-3")),
    (_SEES, ("llama-4", "llama4", "llama-3.2-11b-vision", "llama-3.2-90b-vision", "llama3.2-vision", "llava")),
    (_SEES, ("nova-lite", "nova-pro", "nova-premier", "glm-4v", "glm-4.1v", "glm-4.5v", "glm-4.6v", "kimi-vl", "kimi-k2.5")),
    (_SEES, ("phi-3-vision", "phi-3.5-vision", "phi-4-multimodal", "internvl", "minicpm-v", "moondream", "deepseek-vl")),
    (_BLIND, ("grok-3", "grok-code", "deepseek", "mixtral", "nova-micro", "glm-4", "kimi-k2", "llama-3.1", "llama-3.3")),
)

_without_vendor = re.compile(
    r"\A(?:(?:us|us-gov|eu|apac|jp|au|ca|sa|global)\.)?(?:anthropic|amazon|google|meta|mistral|moonshot|openai|qwen|zai)\."
).sub


def sees_by_name(model: str) -> bool | None:
    """Tell by a model's name whether it takes images; None for a name that nobody here knows.

    A vendor before a `/` does not matter, nor do region and vendor as Bedrock writes them, nor a size of the context in brackets.
    """
    name = _without_vendor("", model.lower().rpartition("/")[2].partition("[")[0])
    if name in _EXACT:
        return _EXACT[name]
    return next((sees for sees, prefixes in _PREFIXES if name.startswith(prefixes)), None)


@dataclass(frozen=True, slots=True)
class Catalog:
    """What a user says of models: by vendor and id, whether they take images."""

    models: Mapping[tuple[str, str], bool]

    def sees(self, vendor: str, model: str) -> bool | None:
        """Look exactly this model up; None if it is not listed."""
        return self.models.get((vendor, model))


NO_CATALOG: Final = Catalog({})


def read_catalog(value: Json) -> Catalog:
    """Read `{"providers": {NAME: {"models": [{"id", "input"}]}}}`, as Pi keeps it, or a list of `{"provider", "id", "input"}`.

    A model that does not tell its `input` is left out. Raises ValueError for any other form.
    """
    match value:
        case {"providers": dict() as providers}:
            entries = [entry for name, members in providers.items() for entry in _entries(name, _models(name, members))]
        case list():
            entries = [entry for item in value for entry in _entries(None, [item])]
        case _:
            raise ValueError('neither {"providers": {…}} nor a list of models')
    return Catalog(dict(entries))


def _models(name: str, provider: Json) -> list[Json]:
    match provider:
        case {"models": list() as models}:
            return models
        case dict() if "models" not in provider:  # it changes a provider that its program knows
            return []
        case _:
            raise ValueError(f"the provider {name[:100]!r} has no list of models")


def _entries(provider: str | None, models: list[Json]) -> Iterator[tuple[tuple[str, str], bool]]:
    for model in models:
        match model:
            case {"id": str(id), **rest}:
                vendor = rest.get("provider") if provider is None else provider
            case _:
                raise ValueError("a model has no id")
        if not isinstance(vendor, str):
            raise ValueError(f"the model {id[:100]!r} has no provider")  # noqa: TRY004  the file has a wrong value, not our caller
        match rest:
            case {"input": list() as kinds}:
                yield (vendor, id), "image" in kinds
