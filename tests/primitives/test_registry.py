"""Everything registered has a page, and an example that a rule could hold."""

from __future__ import annotations

import re

import pytest

from kbrules.lang.typed import Sort
from kbrules.library.load import check_all
from kbrules.primitives.registry import FOLDS, OPERATORS, STEPS, WORDS, StepWord, Word
from kbrules.primitives.vocabulary import implementations, step_words, vocabulary
from kbrules.text import Source
from tests.primitives.probe import VALE, check

FREE = {
    "origin": Sort.HEXES, "here": Sort.HEXES, "group": Sort.HEXES, "sector": Sort.HEXES,
    "player": Sort.PLAYER,
}  # fmt: skip


def key(word: Word | StepWord) -> str:
    return word.signature.key if isinstance(word, Word) else word.signature.name


def test_the_vocabulary_is_loaded() -> None:
    assert vocabulary().words["adjacent"]
    assert len(WORDS) > 40 and len(OPERATORS) > 20 and len(FOLDS) > 5 and len(STEPS) > 15


def test_no_two_have_one_key() -> None:
    for registered in ([*WORDS, *OPERATORS, *FOLDS], STEPS):
        keys = [key(each) for each in registered]
        assert len(set(keys)) == len(keys)
    assert set(step_words()) == {key(each) for each in STEPS}
    assert {key(each) for each in (*WORDS, *OPERATORS, *FOLDS)} <= set(implementations())


@pytest.mark.parametrize("word", [*WORDS, *OPERATORS, *FOLDS, *STEPS], ids=key)
def test_a_page_says_what_it_is(word: Word | StepWord) -> None:
    page = word.signature.page
    assert page.endswith(".") and page[0].isupper()
    assert len(page.split()) >= 2


FRAMES = ("{}", "each({})", "any({})")  # a loop by itself needs a word that takes one


@pytest.mark.parametrize("word", [*WORDS, *FOLDS], ids=key)
def test_an_example_checks(word: Word) -> None:
    example = word.signature.example
    assert re.search(rf"\b{word.signature.name}\b", example), "it does not show the word"
    in_loop = re.fullmatch(r"(?:for )?(\w+) in (\w+)(: \.\.\.)?", example)
    if in_loop:
        rule = f'rule probe:\n    "..."\n    for {in_loop[1]} in {in_loop[2]}:\n        gold 1\n'
        assert check_all(["base"], [VALE], [Source("probe.kb", rule)])[1] == []
    else:
        taken = re.findall(r"\bfor (\w+) in", example)
        free = {name: sort for name, sort in FREE.items() if name not in taken}
        assert [] in [check(frame.format(example), free)[1] for frame in FRAMES]


@pytest.mark.parametrize("step", STEPS, ids=key)
def test_an_example_of_a_step_checks(step: StepWord) -> None:
    example = step.signature.example
    assert example.split()[0] == step.signature.verb
    rule = f'rule probe:\n    "..."\n    when build:\n        {example}\n'
    if "player" in example:
        example = f"for player in others:\n            {example}"
        rule = f'rule probe:\n    "..."\n    when build:\n        {example}\n'
    _, findings = check_all(["base"], [VALE], [Source("probe.kb", rule)])
    assert findings == []
