"""The Responses API of OpenAI, and the one that Codex talks to."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, ClassVar

from sessionkit.core.model import Text
from sessionkit.providers.base import PLAIN, IdRule, Prompt, Provider, Style, Target, Thoughts, Tool
from sessionkit.providers.body import Placed
from sessionkit.providers.openai import system_role
from sessionkit.providers.openai_responses.item_ids import with_ids_of_their_own
from sessionkit.providers.openai_responses.items import Speller, types_of_calls

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionkit.providers.body import Tree

_ENCRYPTED: Tree = ["reasoning.encrypted_content"]


class OpenAIResponses(Provider):
    """The instructions are the first item: in their own field they would stand behind the others, and end the cached prefix."""

    id: ClassVar[str] = "openai-responses"
    vendor: ClassVar[str] = "openai"
    api: ClassVar[str] = "openai-responses"
    list_name: ClassVar[str] = "input"
    order: ClassVar[tuple[str, ...]] = ("tools", "input")
    ids: ClassVar[IdRule] = IdRule(item="fc_")
    thoughts: ClassVar[Thoughts] = Thoughts.ENCRYPTED
    takes_animation: ClassVar[bool] = False
    own_formats: ClassVar[frozenset[str]] = frozenset({"codex"})

    def body(self, prompt: Prompt, target: Target, style: Style = PLAIN) -> dict[str, Tree]:
        role = system_role(target)
        system = [{"role": role, "content": prompt.system}] if prompt.system else []
        speller = Speller(role, style.detail, types_of_calls(prompt.messages))
        items = [*system, *with_ids_of_their_own(speller.items(prompt.messages))]
        return {
            "model": target.model or "MODEL",
            "input": items,
            "store": False,
            **self._fields(prompt, items),
            **({"tools": [_tool(tool) for tool in prompt.tools]} if prompt.tools else {}),
        }

    def _fields(self, _prompt: Prompt, items: Sequence[Tree]) -> dict[str, Tree]:
        """What is asked for beside the answer."""
        return {"include": _ENCRYPTED} if any(map(_is_reasoning, items)) else {}


class CodexResponses(OpenAIResponses):
    """The same input with the settings that its backend expects."""

    id: ClassVar[str] = "codex-responses"
    vendor: ClassVar[str] = "openai-codex"
    api: ClassVar[str] = "openai-codex-responses"

    def _fields(self, prompt: Prompt, _items: Sequence[Tree]) -> dict[str, Tree]:
        return {
            "stream": True,
            "text": {"verbosity": "low"},
            "include": _ENCRYPTED,
            "prompt_cache_key": _cache_key(prompt),
            "tool_choice": "auto",
            "parallel_tool_calls": True,
        }


def _tool(tool: Tool) -> Tree:
    described = {} if tool.description is None else {"description": tool.description}
    return {"type": "function", "name": tool.name, **described, "parameters": tool.schema, "strict": tool.strict}


def _is_reasoning(item: Tree) -> bool:
    match item:
        case Placed({"type": "reasoning"}):
            return True
        case _:
            return False


def _cache_key(prompt: Prompt) -> str:
    """Make a key out of what a conversation begins with, so that it stays while the conversation grows."""
    first = (block.text for message in prompt.messages[:1] for block in message.content if isinstance(block, Text))
    beginning = "\n".join((prompt.system, *first))
    return sha256(beginning.encode("utf-8", "surrogatepass")).hexdigest()[:32]
