"""The Gemini API, generateContent. The model stands in the address, not in the body; its version decides how the body is written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from sessionkit.core.model import Media, Role, Text, Thinking, ToolCall, ToolResult, Uri
from sessionkit.dataclass import dataclass
from sessionkit.providers.base import PLAIN, NameRule, Prompt, Provider, Signatures, Style, Target, Thoughts, Tool
from sessionkit.providers.body import Payload, Placed
from sessionkit.providers.results import media_of, results_of, text_of
from sessionkit.providers.signatures import checked, signature_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.core.model import Block, Message
    from sessionkit.providers.body import Tree

_MODERN = 3
"""Since this version results hold media, calls have ids, and the first call of a turn must be signed."""
_NESTED_TYPES = frozenset({"image/jpeg", "image/png", "image/webp", "application/pdf"})
"""Of media in a result, as documented; all others stand behind it."""

_BESIDE = "Tool result image:"
_UNSIGNED = "skip_thought_signature_validator"

_version = re.compile(r"gemini(?:-live)?-(\d+)").match


class Gemini(Provider):
    """Roles are user and model; the results of a turn are one content of the user, a part for each call."""

    id: ClassVar[str] = "gemini"
    vendor: ClassVar[str] = "google"
    api: ClassVar[str] = "google-generative-ai"
    list_name: ClassVar[str] = "contents"
    order: ClassVar[tuple[str, ...]] = ("systemInstruction", "tools", "contents")
    names: ClassVar[NameRule] = NameRule(inner="A-Za-z0-9_.:-", first="A-Za-z_")
    thoughts: ClassVar[Thoughts] = Thoughts.ALL
    image_types: ClassVar[frozenset[str]] = Provider.image_types | {"image/heic", "image/heif"}
    takes_strict: ClassVar[bool] = False
    model_folder: ClassVar[str] = "models/"

    def body(self, prompt: Prompt, target: Target, style: Style = PLAIN) -> dict[str, Tree]:
        writer = _Writer.of(target.model.removeprefix(self.model_folder), style.signatures)
        system: Tree = {"role": "user", "parts": [_text(prompt.system)]}
        tools: Tree = [{"functionDeclarations": [_tool(tool) for tool in prompt.tools]}]
        return {
            "contents": [writer.content(message) for message in prompt.messages],
            **({"systemInstruction": system} if prompt.system else {}),
            **({"tools": tools} if prompt.tools else {}),
        }


def _tool(tool: Tool) -> dict[str, Tree]:
    described = {} if tool.description is None else {"description": tool.description}
    return {"name": tool.name, **described, "parametersJsonSchema": tool.schema}


@dataclass(frozen=True, slots=True)
class _Writer:
    """How contents are written for one model. `version` is None for a name that states none."""

    version: int | None
    has_ids: bool
    signs: bool

    @classmethod
    def of(cls, model: str, signatures: Signatures) -> _Writer:
        found = _version(model)
        version = int(found[1]) if found else None
        is_modern = version is not None and version >= _MODERN
        signs = is_modern if signatures is Signatures.AUTO else signatures is Signatures.ALWAYS
        return cls(version, is_modern or model.startswith(("claude-", "gpt-oss-")), signs)

    def content(self, message: Message) -> Placed:
        match message.role:
            case Role.ASSISTANT:
                return _content("model", self._turn(message), message)
            case Role.TOOL:
                return _content("user", self._results(message), message)
            case _:
                return _content("user", map(_placed, message.content), message)

    def _turn(self, message: Message) -> Iterator[Placed]:
        lacking = _UNSIGNED if self.signs else ""
        for block in message.content:
            match block:
                case ToolCall(id_, name, arguments):
                    call = {"name": name, "args": arguments, **self._id(id_)}
                    yield Placed({"functionCall": call, **_signed(signature_of(block.carried) or lacking)}, block.origin)
                    lacking = ""
                case _:
                    yield _placed(block)

    def _results(self, message: Message) -> Iterator[Placed]:
        results = results_of(message)
        yield from (Placed({"functionResponse": self._response(result)}, result.origin) for result in results)
        beside = [media for result in results for media in media_of(result) if not self._nests(media)]
        if beside:
            yield Placed(_text(_BESIDE), beside[0].origin)
            yield from map(_placed, beside)

    def _response(self, result: ToolResult) -> dict[str, Tree]:
        said = {"error" if result.is_error else "output": text_of(result, nothing="")}
        nested = [_placed(media) for media in media_of(result) if self._nests(media)]
        return {"name": result.name, "response": said, **({"parts": nested} if nested else {}), **self._id(result.call_id)}

    def _nests(self, media: Media) -> bool:
        if isinstance(media.source, Uri):
            return False
        return self.version is None or (self.version >= _MODERN and media.media_type in _NESTED_TYPES)

    def _id(self, call: str) -> dict[str, Tree]:
        return {"id": call} if self.has_ids else {}


def _content(role: str, parts: Iterable[Placed], message: Message) -> Placed:
    return Placed({"role": role, "parts": list(parts)}, message.origin)


def _placed(block: Block) -> Placed:
    return Placed(_part(block), block.origin)


def _part(block: Block) -> dict[str, Tree]:
    """Write what is written alike for all models."""
    match block:
        case Text(text):
            return {**_text(text), **_signed(signature_of(block.carried))}
        case Thinking(text, signature):
            return {**_text(text), "thought": True, **_signed(checked(signature))}
        case Media(source=Uri(uri)):
            typed = {"mimeType": block.media_type} if block.media_type else {}
            return {"fileData": {**typed, "fileUri": uri}}
        case Media():
            return {"inlineData": {"mimeType": block.media_type, "data": Payload(block)}}
        case _:
            raise AssertionError(block)


def _text(text: str) -> dict[str, Tree]:
    return {"text": text}


def _signed(signature: str) -> dict[str, Tree]:
    return {"thoughtSignature": signature} if signature else {}
