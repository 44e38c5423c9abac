from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from sessionkit.tokens import PROFILES, Profile
from sessionkit.tokens.anchors import context, find_anchor
from sessionkit.tokens.claude import Claude
from sessionkit.tokens.gates import GATES, ClaudeGate
from sessionkit.tokens.pi import Generation, Pi
from tests.vectors.loader import Vector, vectors

ESTIMATES = vectors("estimate")
GATE_READINGS = vectors("gate")


def test_no_vector_is_left_out() -> None:
    assert (len(ESTIMATES), len(GATE_READINGS), len(vectors())) == (35, 10, 178)


def profile_of(vector: Vector) -> Profile:
    options = dict(vector.options)
    name = options.pop("profile")
    [profile] = [profile for profile in PROFILES if profile.name == name]
    match profile, options:
        case _, _ if not options:
            return profile
        case Pi(), {"generation": generation}:
            return Pi(generation=Generation(generation))
        case Claude(), {"claude_factor": factor}:
            return Claude(factor=Fraction(factor).limit_denominator(1000))
        case _, {"image_chars": characters}:
            return replace(profile, image_tokens=characters // 4)
        case _:
            raise AssertionError(options)


@pytest.mark.parametrize("vector", ESTIMATES, ids=repr)
def test_estimates(vector: Vector) -> None:
    profile = profile_of(vector)
    anchor = find_anchor(vector.messages)
    seen = [message for message in vector.messages if message.role not in profile.unseen]
    found = {
        "total": profile.total(vector.messages),
        "context": context(vector.messages, profile),
        "anchor_index": None if anchor is None else anchor.index,
        "per_message": [sum(cost.tokens for cost in costs) for costs in profile.costs(vector.messages)],
        "chars_per_content": [profile.units(message) for message in seen],
    }
    assert {key: found[key] for key in vector.expected} == vector.expected


@pytest.mark.parametrize("vector", GATE_READINGS, ids=repr)
def test_gates(vector: Vector) -> None:
    [gate] = [gate for gate in GATES if gate.name == vector.options["gate"]]
    if "max_output" in vector.options:
        gate = ClaudeGate(vector.options["max_output"])
    reading = gate.read(vector.options["tokens"], vector.options["window"])
    assert {"threshold": reading.threshold, "fires": reading.fires} == vector.expected


@pytest.mark.parametrize("gate", GATES, ids=lambda gate: gate.name)
def test_without_a_window_no_gate_guesses(gate: ClaudeGate) -> None:
    reading = gate.read(1_000_000, None)
    assert (reading.threshold, reading.fires) == (None, None)
