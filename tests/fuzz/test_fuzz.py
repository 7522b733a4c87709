"""Fuzzed files keep the laws, and the fuzzer finds planted faults."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given, strategies as st

from kbrules.diagnostics import Diagnostic
from kbrules.text import Source, Span
from tests.fuzz import laws, mutation
from tests.fuzz.fuzzing import drawn, faults
from tests.fuzz.laws import Overrun, codes_of, counted, fault_of
from tests.fuzz.seeds import Seed, seed_named, seeds, seeds_of
from tests.fuzz.shrinking import shrunk
from tests.fuzz.tokens import blocks_of, brackets_of, joined, nodes_of, tokens_of

Kinds = Mapping[str, int]
USUAL_RUN = 1
"""Of the quick tests, which read the same files each time."""
FEW = {
    "rules": 32, "boxes": 24, "scenarios": 24, "logs": 32, "settings": 32, "survivors": 8,
    "moves": 32, "games": 32, "texts": 16, "locks": 8,
}  # fmt: skip
MANY = {
    "rules": 7_400, "boxes": 4_000, "scenarios": 4_000, "logs": 1_200, "settings": 1_000,
    "survivors": 400, "moves": 800, "games": 600, "texts": 400, "locks": 200,
}  # fmt: skip
"""20,000 files in all."""


def _parts(numbers: Kinds, size: int) -> list[tuple[str, int]]:
    """A kind and the number of a file for each test, so that several processes share them."""
    return [(kind, first) for kind, most in numbers.items() for first in range(0, most, size)]


def _run() -> int:
    """Return the number of a new run, or the one to repeat: that of KBRULES_FUZZ_RUN."""
    return int(os.environ.get("KBRULES_FUZZ_RUN", 0)) or Random().randrange(2, 10**6)


@pytest.mark.parametrize(("kind", "first"), _parts(FEW, 8))
def test_a_mutated_file_breaks_no_law(
    kind: str, first: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = faults(kind, USUAL_RUN, range(first, first + 8))
    assert not found, "\n".join(map(str, found))


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "first"), _parts(MANY, 200))
def test_no_mutated_file_breaks_a_law(
    kind: str, first: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = _run()
    print(f"KBRULES_FUZZ_RUN={run}")
    monkeypatch.chdir(tmp_path)
    found = faults(kind, run, range(first, first + 200))
    assert not found, "\n".join(map(str, found))


def test_the_kinds_are_those_there_are() -> None:
    assert {*FEW} == {*MANY} == {seed.kind for seed in seeds()}
    assert sum(MANY.values()) == 20_000


@pytest.mark.parametrize(("kind", "codes"), [("rules", 12), ("boxes", 8)])
def test_mutations_go_wrong_in_many_ways(
    kind: str, codes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else only the first guard of a reader would be tried."""
    monkeypatch.chdir(tmp_path)
    told = [codes_of(*drawn(kind, USUAL_RUN, number)) for number in range(32)]
    assert sum(not each for each in told) > 2, "some say something else and are still right"
    assert len(set().union(*told)) >= codes


KINDS = sorted({seed.kind for seed in seeds()})
RULES = seed_named("code/rules/game.kb")
TEXT = Source("x.kb", "one\ntwo\n")


def _is_fine() -> list[Diagnostic]:
    return [Diagnostic("KB201", TEXT.span(4, 7), "`two` is not known")]


BAD: dict[str, Diagnostic] = {
    "internal: this stopped": Diagnostic("KB901", TEXT.span(0, 3), "this stopped"),
    "the code KB000": Diagnostic("KB000", TEXT.span(0, 3), "something"),
    "without words": Diagnostic("KB201", TEXT.span(0, 3), " "),
    "outside of its file": Diagnostic("KB201", Span(TEXT, 7, 99), "something"),
}


@given(st.sampled_from(KINDS), st.text())
def test_tokens_join_to_the_text(kind: str, text: str) -> None:
    assert joined(tokens_of(kind, text)) == text


@pytest.mark.parametrize("kind", KINDS)
def test_pieces_lie_in_their_text(kind: str) -> None:
    pieces = 0
    for seed in seeds_of(kind)[:40]:
        text = seed.text
        assert joined(tokens_of(kind, text)) == text
        for piece in (*blocks_of(text), *brackets_of(text), *nodes_of(kind, text)):
            assert 0 <= piece.start <= piece.end <= len(text)
            pieces += 1
    assert pieces


def test_every_declaration_has_nodes() -> None:
    names = {piece.name for piece in nodes_of("rules", RULES.text)}
    assert {"rule", "norm", "section", "example", "expression", "when"} <= names
    for piece in nodes_of("rules", RULES.text):
        if piece.name == "norm":
            assert RULES.text[piece.start :].startswith(("permit", "forbid"))


@given(st.sampled_from(KINDS), st.integers(0, 10**6))
def test_a_run_can_be_repeated(kind: str, number: int) -> None:
    seed, data = drawn(kind, 3, number)
    assert (seed, data) == drawn(kind, 3, number)
    assert seed.kind == kind


@pytest.mark.parametrize("kind", KINDS)
def test_every_change_changes_something(kind: str) -> None:
    for change in {*mutation.changes_of(kind, True), *mutation.changes_of(kind, False)}:
        usable = (seed for seed in seeds_of(kind) for _ in range(8))
        changed = (change(Random(n), kind, s.text) != s.text for n, s in enumerate(usable))
        rare = change in (mutation.change_drawing, mutation.change_brackets, mutation.like_node,
                          mutation.change_node)  # fmt: skip
        assert any(changed) or rare


@given(st.binary(max_size=40), st.binary(min_size=1, max_size=2))
@example(b"AAu", b"u")
def test_what_is_made_small_still_breaks_the_law(noise: bytes, needed: bytes) -> None:
    small = shrunk(noise + b" a\n" + needed + b"\nb " + noise, lambda data: needed in data)
    assert small == needed


@pytest.mark.parametrize("law", BAD)
def test_a_bad_finding_is_a_fault(law: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laws, "findings_of", lambda seed, data: _is_fine())
    assert not fault_of(RULES, b"")
    monkeypatch.setattr(laws, "findings_of", lambda seed, data: [*_is_fine(), BAD[law]])
    assert fault_of(RULES, b"") == law


def test_findings_that_change_are_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [0]

    def twice(seed: Seed, data: bytes) -> list[Diagnostic]:
        asked[0] += 1
        return _is_fine() * asked[0]

    monkeypatch.setattr(laws, "findings_of", twice)
    monkeypatch.setattr(laws, "AGAIN", 1)
    assert fault_of(RULES, b"") == "not twice"


def test_work_without_an_end_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(seed: Seed, data: bytes) -> list[Diagnostic]:
        return _is_fine() if asked.pop() else [e for _ in iter(int, 1) for e in _is_fine()]

    asked = [False, True]
    monkeypatch.setattr(laws, "findings_of", endless)
    monkeypatch.setattr(laws, "AGAIN", 1)
    monkeypatch.setattr(laws, "MOST_CALLS", 1000)
    assert fault_of(RULES, b"").startswith("Overrun")
    with pytest.raises(Overrun):
        counted(lambda: [_is_fine() for _ in range(10)], most=9)
    assert len(counted(lambda: [_is_fine() for _ in range(10)], most=50)) == 10


def test_a_fault_is_told_once_and_small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def faulty(seed: Seed, data: bytes) -> list[Diagnostic]:
        if b"build" in data:
            raise KeyError("build")
        return []

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(laws, "findings_of", faulty)
    (found,) = faults("rules", 1, range(20))
    assert found.law == "KeyError in test_fuzz.py:faulty"
    assert found.data == b"build"
    assert f"({found.seed.name!r}, b'build')" in capsys.readouterr().out
