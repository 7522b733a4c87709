"""The scenarios cover every clause, and name items of the rule book."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from kbrules.library.box import shipped_boxes, usual_boxes
from kbrules.library.load import load
from kbrules.library.reading import data_root
from kbrules.library.ruleset import Ruleset
from kbrules.primitives.vocabulary import TILE_KINDS
from kbrules.scenario.models import ExpectModel, RefusedMoveModel, ScenarioModel
from kbrules.scenario.reader import SUFFIX, read_scenarios
from kbrules.scenario.running import run_all
from kbrules.tools.coverage import ClauseVerdict, CoverageRun, coverage_report
from kbrules.tools.reports.report import as_text

HERE = Path(__file__).parent
FILES = sorted(HERE.rglob(f"*{SUFFIX}"))
SCHEMA = HERE.parents[1] / "schemas" / "scenario.schema.json"
MODELINE = "# yaml-language-server: $schema="
CLAUSES = 3  # different reasons for which a tile is refused, at least
BOX = load()
GAINED = "gained"


def _cases() -> list[ScenarioModel]:
    found: list[ScenarioModel] = []
    for file in FILES:
        cases, findings = read_scenarios(file)
        assert not findings, findings
        found += [case.model for case in cases]
    return found


CASES = _cases()


def _expected(cases: Iterable[ScenarioModel]) -> Iterator[ExpectModel]:
    for case in cases:
        steps = [getattr(step, "expect", None) for step in case.steps]
        yield from (expect for expect in (*steps, case.expect) if expect is not None)


def offering(cases: Iterable[ScenarioModel]) -> set[str]:
    """The rules that are said to offer some hex."""
    offers = [item for expect in _expected(cases) for item in expect.offered.items()]
    return {asked.split()[0] for asked, offer in offers if offer not in ("none", ())}


def silent(cases: Iterable[ScenarioModel]) -> set[str]:
    """The rules that are said to offer nothing: by `none`, or by the choices there are."""
    told = list(_expected(cases))
    none = {asked.split()[0] for e in told for asked, offer in e.offered.items() if offer == "none"}
    tiles = {tile.id for tile in BOX.catalog.tiles}
    return none | {tile for e in told if e.choices is not None for tile in tiles - set(e.choices)}


def clauses(cases: Iterable[ScenarioModel]) -> dict[str, set[tuple[str, str]]]:
    """For each rule in whose name a move is refused, the (rule, words) that decide."""
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for expect in _expected(cases):
        for entry in expect.refused:
            if isinstance(entry, RefusedMoveModel) and entry.because:
                found[entry.move.partition(":")[0]].add((entry.because, entry.says))
    return found


def paid(cases: Iterable[ScenarioModel]) -> tuple[set[str], set[str]]:
    """The rules that are said to pay gold, and those that are said to pay none."""
    some: set[str] = set()
    none: set[str] = set()
    for expect in _expected(cases):
        for amounts in expect.gold.values():
            for rule, gold in amounts.items() if not isinstance(amounts, int) else ():
                (some if gold else none).add(rule)
    return some, none


def gained(cases: Iterable[ScenarioModel]) -> tuple[set[str], set[str]]:
    """The cards in play where gold is said to be gained in the game, and where none is."""
    some: set[str] = set()
    none: set[str] = set()
    for case in cases:
        for expect in _expected([case]):
            for amounts in expect.gold.values():
                if not isinstance(amounts, int) and GAINED in amounts:
                    (some if amounts[GAINED] else none).update(case.cards)
    return some, none


def lying(cases: Iterable[ScenarioModel]) -> set[str]:
    """The tiles that lie on the boards."""
    boards = [case.board for case in cases if case.board is not None]
    return {id for board in boards for id in (*board.legend.values(), *board.tiles.values())}


def held(cases: Iterable[ScenarioModel]) -> set[str]:
    """The tiles that players have in hand."""
    seats = [getattr(case.position, who) for case in cases for who in "abcdef"]
    tiles = [tile for seat in seats if seat is not None for tile in seat.tiles]
    return {tile if isinstance(tile, str) else tile.tile for tile in tiles}


def chosen(cases: Iterable[ScenarioModel]) -> set[tuple[str, bool | int]]:
    """Options with the values that are chosen, defaults too if they are written."""
    written = [item for case in cases for item in case.options.items()]
    return {(id, value == "yes" if isinstance(value, str) else value) for id, value in written}


def lacking(ruleset: Ruleset, cases: Iterable[ScenarioModel]) -> list[str]:
    """What no scenario speaks of."""
    cases = list(cases)
    some, none = paid(cases)
    refused = clauses(cases)
    found = []
    rules = {rule.id: rule for rule in ruleset.rules}
    for tile in (tile.id for tile in ruleset.catalog.tiles):
        if not rules[tile].actions:
            found += [f"{tile} on a board"] * (tile not in lying(cases) | held(cases))
            continue
        found += [f"{tile} offered"] * (tile not in offering(cases))
        found += [f"{tile} not offered"] * (tile not in silent(cases))
        found += [f"{tile} refused in {CLAUSES} ways"] * (len(refused[tile]) < CLAUSES)
    more, less = gained(cases)
    for card in (*ruleset.catalog.cards, "castles", "capitol"):
        if not rules[card].awards:
            found += [f"{card} is gained by"] * (card not in more)
            found += [f"{card} is not gained by"] * (card not in less)
            continue
        found += [f"{card} pays"] * (card not in some)
        found += [f"{card} pays nothing"] * (card not in none)
    values = chosen(cases)
    for option, default in ruleset.options.items():
        found += [f"{option}: {v}" for v in (default, not default) if (option, v) not in values]
    return found


def test_nothing_of_the_box_is_passed_over() -> None:
    assert lacking(BOX, CASES) == []


def test_a_box_without_scenarios_lacks_all_of_it() -> None:
    tiles, cards, options = len(BOX.catalog.tiles), len(BOX.catalog.cards) + 2, len(BOX.options)
    idle = sum(not rule.actions for rule in BOX.rules if rule.kind in TILE_KINDS)
    assert len(lacking(BOX, ())) == 3 * (tiles - idle) + idle + 2 * cards + 2 * options
    assert min(tiles, cards, options, idle) > 0


@pytest.mark.parametrize("box", sorted({*shipped_boxes()} - {*usual_boxes()}))
def test_nothing_of_a_box_apart_is_passed_over(box: str) -> None:
    """Its options have both values, what pays does and does not, and it is left out as well."""
    base, apart = load("base"), load("base", box)
    values, (some, none) = chosen(CASES), paid(CASES)
    options = apart.options.keys() - base.options.keys()
    assert [id for id in options if not {(id, True), (id, False)} <= values] == []
    news = [rule for rule in apart.rules if base.rule(rule.id) is None]
    assert {rule.id for rule in news if rule.awards} <= some & none
    assert {box in case.boxes for case in CASES} == {True, False}


@pytest.mark.parametrize("folder", ["locations", "cards"])
def test_each_file_speaks_of_what_it_is_named_after(folder: str) -> None:
    """The scenarios of a tile or card alone leave nothing of it unsaid."""
    for file in sorted((HERE / folder).glob(f"*{SUFFIX}")):
        name = file.name.removesuffix(SUFFIX)
        cases = [case.model for case in read_scenarios(file)[0]]
        left = [each for each in lacking(BOX, cases) if each.split()[0] == name]
        assert left == [], file.name


def test_each_tile_and_card_has_its_file() -> None:
    names = {file.name.removesuffix(SUFFIX) for file in FILES}
    kinds = {tile.id.partition("_")[0] + "s" for tile in BOX.catalog.tiles if tile.copies}
    wanted = {*(tile.id for tile in BOX.catalog.tiles), *BOX.catalog.cards}
    alike = {
        tile.id for tile in BOX.catalog.tiles if tile.id.partition("_")[0] + "s" in names & kinds
    }
    assert wanted - names - alike == set()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.removesuffix(SUFFIX))
def test_editors_find_the_schema(file: Path) -> None:
    first = file.read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith(MODELINE)
    assert (file.parent / first.removeprefix(MODELINE)).resolve() == SCHEMA


BOTH_WAYS = 95.0
FEN = Path(__file__).parents[1] / "house/fen"
PATHS = [data_root("rules"), Path(__file__).parent, FEN]  # only the Fen has halves to choose anew


@pytest.mark.slow
def test_every_clause_is_reached_and_most_go_both_ways() -> None:
    watched = CoverageRun()
    collection = watched.project(PATHS).cases()
    assert collection.findings == []
    watched.begin()
    failed = [each.outcome.text for each in run_all(collection.cases) if not each.passed]
    assert failed == [], "watched games answer as others do"
    coverage = watched.end(PATHS[:2])
    report = coverage_report(coverage)
    assert coverage.only(ClauseVerdict.never) == [], as_text(report)
    counts = coverage.counts
    assert counts.reached_percent == 100, report.summary
    assert counts.both_percent >= BOTH_WAYS, as_text(report)
    assert counts.changed == counts.steps, "every step has changed something"
    assert counts.clauses > 700
