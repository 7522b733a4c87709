"""Every tile, card and option of the base box has scenarios for both of its sides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.scenario.case import SUFFIX, read_cases
from kbrules.scenario.expected import ExpectModel, RefusedModel
from kbrules.scenario.models import CaseModel

HERE = Path(__file__).parent
FILES = sorted(HERE.rglob(f"*{SUFFIX}"))
SCHEMA = HERE.parents[1] / "schemas" / "scenario.schema.json"
MODELINE = "# yaml-language-server: $schema="
CLAUSES = 3  # different reasons for which a tile is refused, at least
BOX = load("base")


def _cases() -> list[CaseModel]:
    found: list[CaseModel] = []
    for file in FILES:
        cases, findings = read_cases(file)
        assert not findings, findings
        found += [case.model for case in cases]
    return found


CASES = _cases()


def _expected(cases: Iterable[CaseModel]) -> Iterator[ExpectModel]:
    for case in cases:
        steps = [getattr(step, "expect", None) for step in case.steps]
        yield from (expect for expect in (*steps, case.expect) if expect is not None)


def offering(cases: Iterable[CaseModel]) -> set[str]:
    """The rules that are said to offer some hex."""
    offers = [item for expect in _expected(cases) for item in expect.offered.items()]
    return {asked.split()[0] for asked, offer in offers if offer not in ("none", ())}


def silent(cases: Iterable[CaseModel]) -> set[str]:
    """The rules that are said to offer nothing: by `none`, or by the choices there are."""
    told = list(_expected(cases))
    none = {asked.split()[0] for e in told for asked, offer in e.offered.items() if offer == "none"}
    tiles = {tile.id for tile in BOX.catalog.tiles}
    return none | {tile for e in told if e.choices is not None for tile in tiles - set(e.choices)}


def clauses(cases: Iterable[CaseModel]) -> dict[str, set[tuple[str, str]]]:
    """For each rule in whose name a move is refused, the (rule, words) that decide."""
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for expect in _expected(cases):
        for entry in expect.refused:
            if isinstance(entry, RefusedModel) and entry.because:
                found[entry.move.partition(":")[0]].add((entry.because, entry.says))
    return found


def paid(cases: Iterable[CaseModel]) -> tuple[set[str], set[str]]:
    """The rules that are said to pay gold, and those that are said to pay none."""
    some: set[str] = set()
    none: set[str] = set()
    for expect in _expected(cases):
        for amounts in expect.gold.values():
            for rule, gold in amounts.items() if not isinstance(amounts, int) else ():
                (some if gold else none).add(rule)
    return some, none


def chosen(cases: Iterable[CaseModel]) -> set[tuple[str, bool | int]]:
    """Options with the values that are chosen, defaults too if they are written."""
    written = [item for case in cases for item in case.options.items()]
    return {(id, value == "yes" if isinstance(value, str) else value) for id, value in written}


def lacking(ruleset: Ruleset, cases: Iterable[CaseModel]) -> list[str]:
    """What no scenario speaks of."""
    cases = list(cases)
    some, none = paid(cases)
    refused = clauses(cases)
    found = []
    for tile in (tile.id for tile in ruleset.catalog.tiles):
        found += [f"{tile} offered"] * (tile not in offering(cases))
        found += [f"{tile} not offered"] * (tile not in silent(cases))
        found += [f"{tile} refused in {CLAUSES} ways"] * (len(refused[tile]) < CLAUSES)
    for card in (*ruleset.catalog.cards, "castles"):
        found += [f"{card} pays"] * (card not in some)
        found += [f"{card} pays nothing"] * (card not in none)
    values = chosen(cases)
    for option, default in ruleset.options.items():
        found += [f"{option}: {v}" for v in (default, not default) if (option, v) not in values]
    return found


def test_nothing_of_the_box_is_passed_over() -> None:
    assert lacking(BOX, CASES) == []


def test_a_box_without_scenarios_lacks_all_of_it() -> None:
    tiles, cards, options = len(BOX.catalog.tiles), len(BOX.catalog.cards) + 1, len(BOX.options)
    assert len(lacking(BOX, ())) == 3 * tiles + 2 * cards + 2 * options
    assert min(tiles, cards, options) > 0


@pytest.mark.parametrize("folder", ["locations", "cards"])
def test_each_file_speaks_of_what_it_is_named_after(folder: str) -> None:
    """The scenarios of a tile or card alone leave nothing of it unsaid."""
    for file in sorted((HERE / folder).glob(f"*{SUFFIX}")):
        name = file.name.removesuffix(SUFFIX)
        cases = [case.model for case in read_cases(file)[0]]
        left = [each for each in lacking(BOX, cases) if each.split()[0] == name]
        assert left == [], file.name


def test_each_tile_and_card_has_its_file() -> None:
    names = {file.name.removesuffix(SUFFIX) for file in FILES}
    wanted = {*(tile.id for tile in BOX.catalog.tiles), *BOX.catalog.cards}
    assert wanted - names == set()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.removesuffix(SUFFIX))
def test_editors_find_the_schema(file: Path) -> None:
    first = file.read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith(MODELINE)
    assert (file.parent / first.removeprefix(MODELINE)).resolve() == SCHEMA
