"""What `rehydrate` tells of what is not sent as the session holds it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.cli.sending import ANTHROPIC, PNG, WIDE, image, pi, written

if TYPE_CHECKING:
    from tests.cli.running import Cli


def test_notes_in_few_words_or_all(cli: Cli) -> None:
    path = pi("a.jsonl", *([image(PNG, "image/jpeg")] * 5))
    few = cli("rehydrate", path, *ANTHROPIC)
    assert "… and 4 more (-v shows them)" in few.err
    assert cli("rehydrate", path, *ANTHROPIC, "-v").err.count("a.jsonl:2 at /message/content/") == 5
    assert cli("rehydrate", path, *ANTHROPIC, "-q").err == ""


def test_what_was_passed_over(cli: Cli) -> None:
    path = pi("a.jsonl")
    with path.open("a") as file:
        file.write('{"torn": \n' + "[" * 2000 + "]" * 2000 + "\n")
    few = cli("rehydrate", path, *ANTHROPIC)
    assert few.err == "2 things passed over (-v shows what), first a.jsonl:4: not JSON: the line ends\n  in the middle of a value\n"
    told = cli("rehydrate", path, *ANTHROPIC, "-v").err
    assert told.startswith("passed over:\n")
    assert "nested too deep: about a thousand levels are read\n      a.jsonl:5" in told
    assert cli("rehydrate", path, *ANTHROPIC, "-q").err == ""
    told = cli("compact", path, "--compare").out
    assert "2 things passed over (-v shows what), first a.jsonl:4:" in told


def test_what_is_moved_put_in_or_left_out_is_told_with_its_place(cli: Cli) -> None:
    answered = {"provider": "p", "api": "a", "model": "m"}
    late = {"role": "toolResult", "toolCallId": "c", "toolName": "read", "content": "late"}
    call = {"type": "toolCall", "id": "c", "name": "read a", "arguments": {"x": float("inf")}}
    path = written(
        "a.jsonl",
        {"role": "assistant", "content": [{"type": "text", "text": "See:"}, image(PNG)], **answered},
        {"role": "assistant", "content": [call], **answered},
        {"role": "user", "content": "Half \ud800"},
        late,
        {"role": "user", "content": " "},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "Hm", "thinkingSignature": "s"}], **answered},
        {"role": "assistant", "content": "Done", **answered},
    )
    ran = cli("rehydrate", path, *ANTHROPIC, "--model", "claude-opus-4-6", "--json")
    assert {record["line"]: record["cause"].partition(":")[0] for record in ran.records() if record["type"] == "note"} == {
        2: "the user does not speak first",
        3: "the interface takes no tool of the name 'read a'",
        4: "halves of surrogate pairs are no characters",
        5: "the result stands behind a message of the user",
        6: "the message is empty",
        7: "the turn is nothing but thinking that cannot be sent back",
        8: "the request ends with the words of a model, and claude-opus-4-6 refuses to go on from there",
    }
    told = " ".join(cli("rehydrate", path, *ANTHROPIC).err.split())
    assert "the image stands in a turn of the model: the user attaches it behind that a.jsonl:2 at /message/content/1" in told
    assert "null stands for a number that JSON does not know at /x in the arguments of read a call c a.jsonl:3 at" in told


def test_what_is_not_sent_is_not_passed_over_as_well(cli: Cli) -> None:
    ran = cli("rehydrate", pi("a.jsonl", {"type": "hologram"}), *ANTHROPIC)
    assert "a block of the unknown type hologram is not sent" in ran.err
    assert "passed over" not in ran.err


def test_where_the_conversation_begins_in_the_middle(cli: Cli) -> None:
    path = written("a.jsonl", {"role": "user", "content": "one"}, {"role": "user", "content": "two"})
    path.write_text(path.read_text().replace('"parentId": "entry0"', '"parentId": "lost"'))
    told = "a.jsonl:3: the conversation begins here: its parent lost is missing: 1 earlier entry is out of reach"
    for command in ("rehydrate", path, *ANTHROPIC), ("messages", path):
        assert told in " ".join(cli(*command).err.split())


def test_blocks_in_results_that_cannot_be_sent(cli: Cli) -> None:
    call = {"type": "toolCall", "id": "c", "name": "read", "arguments": {}}
    content = [
        {"type": "hologram"},
        {"type": "resource", "resource": {"uri": "a://b", "text": "said"}},
        {"type": "document", "source": {"type": "text", "data": "written"}},
    ]
    path = written(
        "a.jsonl",
        {"role": "user", "content": "Look"},
        {"role": "assistant", "content": [call]},
        {"role": "toolResult", "toolCallId": "c", "toolName": "read", "content": content},
    )
    ran = cli("rehydrate", path, *ANTHROPIC, "--json", "-o", "b.json")
    told = [record for record in ran.records() if record["type"] == "note" and record["line"]]
    assert [record["cause"] for record in told] == ["a block cannot be sent in a result: `[unsupported block: hologram]` stands for it"]
    assert r'"content":"[unsupported block: hologram]\nsaid\nwritten"' in cli("rehydrate", path, *ANTHROPIC, "-q").out


def test_who_speaks_is_not_sent(cli: Cli) -> None:
    path = Path("a.jsonl")
    path.write_text('{"role":"user","content":"hi","name":"Bob"}\n{"role":"developer","content":"Be brief."}\n')
    told = cli("rehydrate", path, *ANTHROPIC).err
    assert "1 × the name of who speaks is not sent\n      a.jsonl:1\n" in told
    assert "1 × a message of the system stands behind others: it is sent before them all\n      a.jsonl:2\n" in told


def test_many_breaches_of_one_limit(cli: Cli) -> None:
    path = pi("a.jsonl", *([image(WIDE)] * 6))
    few = cli("rehydrate", path, *ANTHROPIC).err
    assert few.count("error: messages.0.content.") == 3
    assert "error: 3 more exceed the limit side, which -v shows\n" in few
    assert cli("rehydrate", path, *ANTHROPIC, "-v").err.count("error: messages.0.content.") == 6


def test_names_that_stand_twice(cli: Cli) -> None:
    path = pi("a.jsonl")
    path.write_text(path.read_text().replace('"text": "I see."', '"text": "I saw.", "text": "I see."'))
    ran = cli("rehydrate", path, *ANTHROPIC)
    assert '1 × the name "text" stands more than once in an object: the last value is\n    taken\n      a.jsonl:3\n' in ran.err
