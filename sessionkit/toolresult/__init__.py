"""Results of tools, cut to what a conversation can bear, and never in the middle of a character or of base64.

    from sessionkit.toolresult import Keep, Limits, event_view, message_view

    block = {"type": "tool_result", "tool_use_id": "t1", "content": output}
    history.append(message_view(block, Limits(keep=Keep.TAIL)))
    print(event_view(block, Limits(lines=20, keep=Keep.TAIL)))

A result is what any vendor or agent writes as one: a string, a list of blocks, or the object that holds them (Anthropic's `tool_result`,
`role: "tool"` of a chat, `function_call_output`, `functionResponse`, Pi's `toolResult`, MCP's content). Nothing is changed in place.
Texts are what blocks call so, and all other strings in a result that are long and neither media, ids, addresses nor signatures.
"""

from __future__ import annotations

from sessionkit.toolresult.cutting import Change, changes, cut_text, extent_of
from sessionkit.toolresult.limits import LEAST_BYTES, LEAST_LINES, LIMITS, Keep, Limits
from sessionkit.toolresult.prose import Result, Spot
from sessionkit.toolresult.results import NoResultError, find_results
from sessionkit.toolresult.views import event_view, message_view
from sessionkit.toolresult.window import Window

__all__ = [
    "LEAST_BYTES",
    "LEAST_LINES",
    "LIMITS",
    "Change",
    "Keep",
    "Limits",
    "NoResultError",
    "Result",
    "Spot",
    "Window",
    "changes",
    "cut_text",
    "event_view",
    "extent_of",
    "find_results",
    "message_view",
]
