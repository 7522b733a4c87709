"""Boxes of random rules, played by all engines: offers, events, states, refusals and gold agree."""

from __future__ import annotations

import os
from collections import Counter
from importlib.util import find_spec
from random import Random

import pytest

from kbrules.engine.configuration import NATIVE, PYTHON
from kbrules.primitives.registry import FOLDS, OPERATORS, STEPS, WORDS
from tests.random_rules.boxes import EXCLUDED, Line, Part, box_of
from tests.random_rules.comparison import Found, accepted, compared, loaded
from tests.random_rules.smaller import smaller, smallest

QUICK, PARTS = 30, 15
"""So many boxes are played at every build, in so many tests."""
LONG, LONG_PARTS, NATIVELY = 2_000, 20, 40
"""So many in a long run, and of these so many natively as well: one kernel takes seconds."""
NATIVE_FIRST = 7
"""The seed of the box that is played natively at every build."""
SAID = 160
"""Of so many boxes what they say is looked at."""


@pytest.fixture(scope="session")
def first_seed() -> int:
    """Return the first seed of a long run: a new one, or that of KBRULES_FUZZ_RUN."""
    run = int(os.environ.get("KBRULES_FUZZ_RUN", 0)) or Random().randrange(2, 10**6)
    return run * LONG


@pytest.mark.parametrize("part", range(PARTS))
def test_engines_agree_on_random_rules(part: int) -> None:
    found = Found()
    for seed in range(part, QUICK, PARTS):
        compared(accepted(box_of(seed)), PYTHON, found, most=50)
    assert found.became["too slow"] == 0
    assert found.tally.moves > 20


@pytest.mark.skipif(find_spec("numba") is None, reason="the extra `fast` is not installed")
def test_the_native_engine_agrees_on_random_rules() -> None:
    assert compared(accepted(box_of(NATIVE_FIRST)), NATIVE) in ("played", "cut off")


@pytest.mark.slow
@pytest.mark.parametrize("part", range(LONG_PARTS))
def test_engines_agree_on_many_random_rules(part: int, first_seed: int) -> None:
    found = Found()
    for seed in range(first_seed + part, first_seed + LONG, LONG_PARTS):
        print(f"to repeat: python -m tests.random_rules --boxes 1 --seed {seed}")
        compared(accepted(box_of(seed)), PYTHON, found)
    print(found)
    assert found.became["played"] > LONG / LONG_PARTS / 2


@pytest.mark.slow
@pytest.mark.skipif(find_spec("numba") is None, reason="the extra `fast` is not installed")
@pytest.mark.parametrize("part", range(NATIVELY // 4))
def test_the_native_engine_agrees_on_many_random_rules(part: int, first_seed: int) -> None:
    for seed in range(first_seed + 4 * part, first_seed + 4 * part + 4):
        print(f"to repeat: python -m tests.random_rules --boxes 1 --seed {seed} --engine native")
        compared(accepted(box_of(seed)), NATIVE)


def test_a_seed_says_everything() -> None:
    one, other, third = box_of(3), box_of(3), box_of(4)
    assert (one.text, one.manifest) == (other.text, other.manifest)
    assert one.text != third.text


def test_most_boxes_are_accepted_as_they_are() -> None:
    findings = [finding for seed in range(12) for finding in loaded(box_of(seed))[1]]
    assert len(findings) < 5
    assert {finding.code for finding in findings} <= {"KB210", "KB216", "KB303", "KB423"}


def test_every_word_and_step_is_said() -> None:
    said: Counter[str] = Counter()
    for seed in range(SAID):
        for declaration in box_of(seed).declarations:
            said.update(_words(declaration))
    words = {word.signature.name for word in (*WORDS, *FOLDS, *OPERATORS)}
    steps = {step.signature.verb for step in STEPS}
    assert (words | steps) - EXCLUDED.keys() <= said.keys()


def _words(item: Line | Part) -> Counter[str]:
    """Return how often each word stands in a line or an expression."""
    form = item.form.replace("(", " ").replace(")", " ").replace(",", " ").replace(":", " ")
    found = Counter(form.replace("{}", " ").split())
    found.update(two for two in ("at least", "at most") if two in form)
    for part in (*item.parts, *(item.body if isinstance(item, Line) else ())):
        found += _words(part)
    return found


def test_a_box_becomes_as_small_as_what_it_shows() -> None:
    box = box_of(5)
    small = smallest(box, lambda each: "draw hand cards" in each.text)
    assert "draw hand cards" in small.text
    assert not any("draw hand cards" in each.text for each in smaller(small))
    assert len(small.text.splitlines()) < 5
