"""Faults: each is a rule that could have been written, and another one."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from kbrules.lang.formatting import format_module, is_same
from kbrules.lang.syntax.parse import parse
from kbrules.library.box import usual_boxes
from kbrules.library.load import Loaded, load_all, with_declaration_replaced
from kbrules.text import Source
from kbrules.tools.diff.positions import are_equivalent
from kbrules.tools.mutation.faults import KINDS, Fault, faults_of, swaps_of


@cache
def loaded() -> Loaded:
    """All usual boxes."""
    return load_all(usual_boxes())


@cache
def every() -> list[Fault]:
    """Every fault of theirs."""
    checked = loaded().checked
    assert checked is not None
    swaps = swaps_of(checked.scope)
    return [fault for each in loaded().declarations for fault in faults_of(each, swaps)]


def faults_in(text: str) -> Counter[tuple[str, str]]:
    """The kind of each fault in a rule and what it makes of the rule's one sentence."""
    checked = loaded().checked
    assert checked is not None
    (declaration,), findings = parse(Source("near.kb", f'card near:\n    "So."\n    {text}\n'))
    assert findings == []
    return Counter((f.kind, f.now) for f in faults_of(declaration, swaps_of(checked.scope)))


def test_every_kind_of_fault_can_be_planted_in_the_shipped_rules() -> None:
    nowhere = {"truth"}  # no shipped rule says `yes` or `no` but by an option
    assert {fault.kind for fault in every()} == KINDS.keys() - nowhere


def test_a_fault_is_the_tree_of_a_text_and_not_the_one_there_was() -> None:
    for fault in every()[::9]:
        text = format_module([fault.changed])
        (read,), findings = parse(Source("fault.kb", text))
        assert findings == [], text
        assert is_same(read, fault.changed), text
        assert not is_same(fault.declaration, fault.changed), text


def test_what_was_and_what_is_now_tell_the_faults_of_a_declaration_apart() -> None:
    seen = Counter((fault.name, fault.was, fault.now) for fault in every())
    # The same sentence may stand in a declaration twice; nearly all faults have one of their own.
    assert sum(count - 1 for count in seen.values()) < len(every()) / 100


@pytest.mark.parametrize(
    ("text", "kind", "now"),
    [
        ("gold 3 if any(mine & edge)", "number", "gold 4 if any(mine & edge)"),
        ("gold 3 if any(mine & edge)", "number", "gold 2 if any(mine & edge)"),
        ("gold 3 if any(mine & edge)", "condition", "gold 3"),
        ("gold 3 if any(mine & edge)", "connective", "gold 3 if any(mine | edge)"),
        ("gold 3 if any(mine & edge)", "clause", "gold 3 if any(edge)"),
        ("gold 3 if any(mine & edge)", "clause", "gold 3 if any(mine)"),
        ("gold 3 if any(mine & edge)", "word", "gold 3 if none(mine & edge)"),
        ("gold 3 if any(mine & edge)", "sentence", ""),
        ("gold 3 if not any(mine)", "negation", "gold 3 if any(mine)"),
        ("gold 1 per hex in mine & adjacent(mine)", "freed", "gold 1 per hex in mine & board"),
        ("gold 3 if count(mine) > 4", "comparison", "gold 3 if count(mine) >= 4"),
        ("gold 1 per 2 hexes in mine", "number", "gold 1 per 3 hexes in mine"),
        ("gold 9 to first by count(mine)", "rank", "gold 9 to second by count(mine)"),
        ("gold count(lines(mine, at least 3))", "range", "gold count(lines(mine, exactly 3))"),
        ("forbid build, move on edge", "verb", "forbid build on edge"),
        ("permit build on edge", "kind", "prefer build on edge"),
        ("increase hand by 1", "kind", "decrease hand by 1"),
        ("when build: gain 2", "event", "when place: gain 2"),
        ("when build: gain 2", "event", "when build by anyone: gain 2"),
        ("when build: gain (1 if my_turn otherwise 2)", "branch", "when build: gain 2"),
    ],
)
def test_a_fault_of_each_kind(text: str, kind: str, now: str) -> None:
    assert (kind, now) in faults_in(text)


def test_terrains_are_taken_for_terrains() -> None:
    catalog = loaded().catalog
    terrains = [kind.id for kind in catalog.hexes if not kind.is_place]
    swaps = swaps_of(loaded().checked.scope)  # type: ignore[union-attr]
    assert sorted(swaps.constants[id] for id in terrains) == sorted(terrains)
    assert all(swaps.constants[id] != id for id in terrains)


def test_wordings_and_examples_have_no_faults() -> None:
    for fault in every():
        assert '"So."' not in fault.now
        assert "example" not in fault.now


def test_exchanging_a_declaration_for_itself_changes_nothing() -> None:
    ruleset = loaded().ruleset
    assert ruleset is not None
    for declaration in loaded().declarations[::5]:
        same = with_declaration_replaced(loaded(), declaration, declaration)
        assert same is not None
        assert are_equivalent(same, ruleset)


@pytest.mark.parametrize("start", range(3))
def test_exchanging_is_like_reading_the_text_with_the_fault(start: int) -> None:
    for fault in every()[start * 60 :: 307]:
        quick = with_declaration_replaced(loaded(), fault.declaration, fault.changed)
        slow = _read_with(fault)
        assert (quick is None) == (slow.ruleset is None), fault.now
        if quick is not None and slow.ruleset is not None:
            assert are_equivalent(quick, slow.ruleset), fault.now


def _read_with(fault: Fault) -> Loaded:
    """All boxes, read from texts of which one has the fault."""
    from kbrules.library import load

    declarations = [fault.changed if d is fault.declaration else d for d in loaded().declarations]
    reading = load._Reading(load.FileCache())
    reading.boxes += loaded().boxes
    reading.declarations += declarations
    return load._check_and_compose(reading)
