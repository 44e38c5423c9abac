from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionkit.core.model import Inline, Media, MediaKind, Message, Role
from sessionkit.core.pixels import Size
from sessionkit.tokens import profile_of
from sessionkit.tokens.formulas import PROVIDERS, Detail, Formula, formula_of
from sessionkit.tokens.formulas.openai import PatchFormula, Step
from tests.vectors.loader import ImageVector, image_vectors

IMAGES = image_vectors()
MEASURED_WITH_PROMPT = [vector for vector in IMAGES if vector.size is None and "prompt inc" in vector.source]
OF_ESTIMATORS = [vector for vector in IMAGES if vector.model.startswith("estimator:")]
EXACT = [vector for vector in IMAGES if vector not in MEASURED_WITH_PROMPT and vector not in OF_ESTIMATORS]

BUDGET_ALONE = PatchFormula({Detail.HIGH: Step(budget=1536)}, Detail.HIGH, multiplier=Fraction(1))


def test_no_vector_is_left_out() -> None:
    assert (len(EXACT), len(MEASURED_WITH_PROMPT), len(OF_ESTIMATORS)) == (len(IMAGES) - 11, 6, 5)


def formula(vector: ImageVector) -> Formula:
    if vector.model == "patch-budget-1536":
        return BUDGET_ALONE
    found = formula_of(vector.model)
    assert found is not None, vector.model
    return found


def tokens(vector: ImageVector) -> int:
    return formula(vector).tokens(vector.size or Size(640, 480), Detail(vector.detail or "auto"))


@pytest.mark.parametrize("vector", EXACT, ids=repr)
def test_formulas(vector: ImageVector) -> None:
    assert tokens(vector) == vector.tokens


@pytest.mark.parametrize("vector", MEASURED_WITH_PROMPT, ids=repr)
def test_measurements_with_the_prompt_lie_near_the_bound(vector: ImageVector) -> None:
    assert vector.tokens == pytest.approx(tokens(vector), rel=0.05)


@pytest.mark.parametrize("vector", OF_ESTIMATORS, ids=repr)
def test_constants_of_agents(vector: ImageVector) -> None:
    image = Message(Role.USER, (Media(MediaKind.IMAGE, Inline("")),))
    assert profile_of(vector.model.removeprefix("estimator:")).total([image]) == vector.tokens


SAME_AS = [
    ("anthropic/claude-opus-4.7", "claude-opus-5-5"),
    ("claude-sonnet-5-20260801", "claude-opus-5-5"),
    ("claude-fable-5", "claude-opus-5-5"),
    ("us.anthropic.claude-haiku-4-5-20251001-v1:0", "claude-haiku-4-5"),
    ("claude-3-7-sonnet-latest", "claude-haiku-4-5"),
    ("claude-opus-4-20250514", "claude-haiku-4-5"),
    ("openai/gpt-5.4-2026-03-05", "gpt-5.4"),
    ("GPT-4o-2024-11-20", "gpt-4o"),
    ("models/gemini-3.1-pro-preview", "gemini-3-flash"),
    ("gemini-2.0-flash", "gemini-2.5-pro"),
    ("qwen3-vl-plus", "qwen3-vl"),
]


@pytest.mark.parametrize(("name", "known"), SAME_AS)
def test_names_lead_to_formulas(name: str, known: str) -> None:
    size = Size(1920, 1080)
    found, expected = formula_of(name), formula_of(known)
    assert found is not None
    assert expected is not None
    assert found.tokens(size) == expected.tokens(size)


@pytest.mark.parametrize("name", ["", "mock", "gpt-5-mini", "gpt-7", "claude", "qwen3.5-plus", "llava"])
def test_unknown_models_have_none(name: str) -> None:
    assert formula_of(name) is None


def test_providers_have_a_model_with_a_formula() -> None:
    assert all(formula_of(model) for model in PROVIDERS.values())


formulas = st.sampled_from(sorted({vector.model for vector in EXACT} - {"patch-budget-1536"}))
sides = st.integers(1, 20_000)


@given(formulas, sides, sides, st.sampled_from(Detail))
def test_every_size_has_a_price_whichever_way_it_lies(model: str, width: int, height: int, detail: Detail) -> None:
    found = formula_of(model)
    assert found is not None
    assert found.tokens(Size(width, height), detail) == found.tokens(Size(height, width), detail) > 0
