"""Commands of the user, as Pi tells them."""

from __future__ import annotations

import pytest

from sessionkit.core.model import Message, Role, Shell, Text, UserKind
from sessionkit.providers.replay import shell_text
from sessionkit.providers.replay.shell import tell_commands
from tests.providers.prompts import user


@pytest.mark.parametrize(
    ("shell", "text"),
    [
        (Shell("make", "ok"), "Ran `make`\n```\nok\n```"),
        (Shell("make", "ok", 0), "Ran `make`\n```\nok\n```"),
        (Shell("true", ""), "Ran `true`\n(no output)"),
        (Shell("make", "no rule", 2), "Ran `make`\n```\nno rule\n```\n\nCommand exited with code 2"),
        (Shell("sleep 9", "", 130, cancelled=True), "Ran `sleep 9`\n(no output)\n\n(command cancelled)"),
        (Shell("cat a", "…", truncated_to="/var/a"), "Ran `cat a`\n```\n…\n```\n\n[Output truncated. Full output: /var/a]"),
        (
            Shell("cat a", "…", 1, truncated_to="/var/a"),
            "Ran `cat a`\n```\n…\n```\n\nCommand exited with code 1\n\n[Output truncated. Full output: /var/a]",
        ),
    ],
)
def test_text(shell: Shell, text: str) -> None:
    assert shell_text(shell) == text


def test_only_what_is_for_the_model_is_told() -> None:
    command = Message(Role.USER, (Shell("make", "ok"), Shell("env", "SECRET", excluded=True)), kind=UserKind.SHELL)
    told = Message(Role.USER, (Text("Ran `make`\n```\nok\n```"),), kind=UserKind.SHELL)
    assert tell_commands((user(Text("1")), command)).messages == (user(Text("1")), told)
