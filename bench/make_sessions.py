"""Write seeded sessions to measure with: half of the entries hold an image, and 30 % of the images were there before."""

from __future__ import annotations

import argparse
import json
import uuid
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING

from bench.agents import Agent, ClaudeCode, Codex, Names, Pi
from bench.pictures import Picture, picture
from bench.prose import prose, seeded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

_AGENTS = (Pi(), ClaudeCode(), Codex())


@dataclass(frozen=True, slots=True)
class Recipe:
    """What goes into a session: its seed, bytes in all, characters of a text entry, the pictures to choose from."""

    seed: int
    size: int
    text: tuple[int, int]
    shots: Sequence[Picture]


def write_session(path: Path, agent: Agent, recipe: Recipe) -> None:
    """Write entries until the session has its size."""
    size = 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for entry in _entries(agent, recipe):
            size += file.write(json.dumps(entry, ensure_ascii=False, separators=(",", ":")) + "\n")
            if size >= recipe.size:
                return


def _entries(agent: Agent, recipe: Recipe) -> Iterator[dict[str, object]]:
    rng = seeded(recipe.seed)
    used: list[Picture] = []
    fresh = iter(recipe.shots)
    parent = "root"
    yield from agent.header
    while True:
        shot = _next_shot(rng, used, fresh) if recipe.shots and rng.random() < 0.5 else None
        names = Names(str(uuid.UUID(int=rng.getrandbits(128))), parent)
        if shot:
            yield agent.image(names, f"Read image file [{shot.media}] {prose(rng, 200)}", shot)
        else:
            yield agent.text(names, prose(rng, rng.randint(*recipe.text)))
        parent = names.own


def _next_shot(rng: Random, used: list[Picture], fresh: Iterator[Picture]) -> Picture:
    shot = None if used and rng.random() < 0.3 else next(fresh, None)
    if shot is None:
        return rng.choice(used)
    used.append(shot)
    return shot


def main() -> None:
    """Write big_pi.jsonl, big_claude.jsonl, mid/ and texts/ into a folder."""
    parser = argparse.ArgumentParser(prog="python -m bench.make_sessions", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--mb", type=int, default=300, help="size of the two big sessions (%(default)s)")
    parser.add_argument("--files", type=int, default=100, help="sessions of 5 MB in mid/ (%(default)s)")
    parser.add_argument("--texts", type=int, default=2000, help="sessions of 50 KB without an image in texts/ (%(default)s)")
    options = parser.parse_args()
    (options.out / "mid").mkdir(parents=True)
    (options.out / "texts").mkdir()
    shots = [picture(seed) for seed in range(max(40, options.mb * 6 // 5))]
    big = Recipe(7, options.mb * 1_000_000, (1000, 20000), shots)
    write_session(options.out / "big_pi.jsonl", Pi(), big)
    write_session(options.out / "big_claude.jsonl", ClaudeCode(), big)
    rng = seeded(5)
    for number, agent in enumerate(islice(cycle(_AGENTS), options.files)):
        mid = Recipe(1000 + number, 5_000_000, big.text, rng.sample(shots, 40))
        write_session(options.out / "mid" / f"{number:04}.jsonl", agent, mid)
    for number, agent in enumerate(islice(cycle(_AGENTS), options.texts)):
        write_session(options.out / "texts" / f"{number:04}.jsonl", agent, Recipe(1000 + number, 50_000, (300, 8000), ()))


if __name__ == "__main__":
    main()
