"""The tools whose old results microcompact clears, as each agent calls them."""

from __future__ import annotations

_BY_FORMAT = {
    "qwen-code": "read_file run_shell_command grep_search glob web_fetch web_search read_mcp_resource edit write_file skill",
    "pi": "read bash grep find ls edit write",
    "claude-code": "Read Bash PowerShell Grep Glob WebSearch WebFetch Edit Write",
    "codex": "exec_command shell view_image apply_patch",
}


def compactable_tools(session_format: str) -> frozenset[str]:
    """Names of the agent that writes this format; those of all agents where it is none of them."""
    return frozenset(_BY_FORMAT.get(session_format, " ".join(_BY_FORMAT.values())).split())
