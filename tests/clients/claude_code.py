"""Claude Code: another host in the environment, print mode, the session by its id below the name of the project."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.clients.client import MODULES, Client, Place, Turn, run

if TYPE_CHECKING:
    from pathlib import Path

    from tests.faults.workshop import Session
    from tests.providers.loopback import Loopback

_LISTS = {
    b'"type":"agent_listing_delta"': b',"addedTypes":[],"addedLines":[],"removedTypes":[]',
    b'"type":"skill_listing"': b',"content":"","skillCount":0',
}
"""What the recorded sessions leave out of attachments, and the agent asks for."""
_session_id = re.compile(rb'"sessionId":"([^"]+)"').search


class ClaudeCode(Client):
    """It heals itself: what is refused is left out and tried again, which costs pictures, and at last the context."""

    format = "claude-code"

    def settle(self, session: Session, place: Place) -> Path:
        content, found = session.content, _session_id(session.content)
        assert found
        for kind, members in _LISTS.items():
            content = content.replace(kind, kind + members)
        folder = place.home / ".claude" / "projects" / re.sub(r"[^A-Za-z0-9]", "-", str(place.project))
        folder.mkdir(parents=True)
        path = folder / f"{found[1].decode()}.jsonl"
        path.write_bytes(content)
        return path

    def resume(self, session: Path, place: Place, server: Loopback) -> Turn:
        (program,) = MODULES.glob("@anthropic-ai/claude-code-linux-*/claude")
        host = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "none", "ANTHROPIC_MODEL": "claude-fable-5"}
        quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}
        return run((program, "--print", "--resume", session.stem, "And now?"), place, {**host, **quiet})
