"""Faults: what is planted, how it is put to the proof, and the shipped rules."""

from __future__ import annotations

from collections import Counter
from contextlib import chdir
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.app import app
from cli.terminal import Progress
from kbrules.lang.syntax import tree
from kbrules.lang.syntax.parse import parse
from kbrules.library.box import usual_boxes
from kbrules.library.load import Loaded, load_all, with_declaration_replaced
from kbrules.scenario.reader import parse_scenarios
from kbrules.scenario.running import run_scenario
from kbrules.text import Source
from kbrules.tools.coverage import CoverageTrace
from kbrules.tools.diff.positions import are_equivalent
from kbrules.tools.mutation.faults import KINDS, Fault, faults_of, swaps_of
from kbrules.tools.mutation.run import (
    MutationJob,
    MutationResult,
    Survivor,
    by_rule,
    mutate,
    mutation_report,
    read_accepted,
)
from kbrules.tools.mutation.trial import (
    SURVIVED,
    MutationCorpus,
    TimeUp,
    build_corpus,
    find_killing_scenario,
    measure_reach,
    verdicts,
    within_seconds,
)
from kbrules.tools.reports.data import to_data
from kbrules.tools.testing import Request
from tests.docs.mutation_page import PAGE, ReportData, boxes, page, shipped_report
from tests.example_games import DALE
from tests.lang.trees import format_module, is_same
from tests.source_tree import ROOT


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
    reading = load._Reading(load.Files())
    reading.boxes += loaded().boxes
    reading.declarations += declarations
    return load._check_and_compose(reading)


ENDING = """\
format: 1
title: The last build of a supply begins the last round
board:
  drawing: |
    H H Ha
     H H H
steps: [build a1]
expect: {last_round: yes, turn: b}
"""
WINNING = """\
rule winning "Victory":
    "Most gold wins."
    win by total
    example:
        | .a .a .b
        wins a

rule worth "Worth":
    "One gold for each of your pieces."
    gold 1 per hex in mine
"""
LISTED = """\
format: 1
survivors:
  - reason: Nothing is remembered of the turn in which it ends.
    faults:
      - in: rule ending
        was: "when build if supply(hut) = 0: last round"
        now: "when build: last round"
"""


@pytest.fixture()
def dale(tmp_path: Path) -> Path:
    for name, text in DALE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def proof(folder: Path, only: str = "", jobs: int = 1) -> MutationResult:
    """The tally of the faults in a folder."""
    with chdir(folder):
        tally, findings = mutate(MutationJob(Request((Path(),), only=only), searches=False), jobs)
    assert findings == []
    assert tally is not None
    return tally


def survivors(tally: MutationResult) -> set[str]:
    return {each.fault.now for each in tally.survivors}


def test_what_no_test_speaks_of_survives(dale: Path) -> None:
    tally = proof(dale, "ending")
    assert tally.score.killed == 0
    assert "when build if supply(hut) = 1: last round" in survivors(tally)


def test_a_scenario_notices_what_it_speaks_of(dale: Path) -> None:
    before = proof(dale, "ending")
    (dale / "ending.scenario.yaml").write_text(ENDING, encoding="utf-8")
    after = proof(dale, "ending")
    assert survivors(after) < survivors(before)
    assert "when build if supply(hut) = 1: last round" not in survivors(after)


def test_an_example_notices_who_wins(dale: Path) -> None:
    """Though it is mostly the gold, for which nothing has to be asked unless somebody watches."""
    (dale / "rules" / "winning.kb").write_text(WINNING, encoding="utf-8")
    tally = proof(dale, "winning")
    assert tally.score.planted > 1
    assert "win by total" not in {each.fault.was for each in tally.survivors}


def test_an_example_notices_faults_in_its_rule(dale: Path) -> None:
    tally = proof(dale, "building")
    assert tally.score.killed >= 5
    assert "build 2" in survivors(tally)  # the example shows where, not how many


def test_those_that_are_listed_have_a_reason_and_the_rest_have_none(dale: Path) -> None:
    (dale / "mutants.yaml").write_text(LISTED, encoding="utf-8")
    tally = proof(dale, "ending")
    reasons = {each.fault.now: each.reason for each in tally.survivors}
    assert reasons["when build: last round"].startswith("Nothing is remembered")
    assert sum(bool(reason) for reason in reasons.values()) == tally.score.with_reason == 1
    assert len(tally.unexplained) == tally.score.survived - 1
    assert tally.findings == ()


def test_a_reason_for_what_does_not_survive_is_told(dale: Path) -> None:
    listed = LISTED.replace('now: "when build: last round"', 'now: "when move: last round"')
    (dale / "mutants.yaml").write_text(listed, encoding="utf-8")
    assert [each.code for each in proof(dale, "ending").findings] == ["KB031"]
    assert proof(dale, "building").findings == ()  # not asked about, not told


def test_the_report_for_programs_holds_what_the_tally_does(dale: Path) -> None:
    tally = proof(dale)
    data = to_data(mutation_report(tally).data)
    assert data["planted"] == data["killed"] + data["survived"] == tally.score.planted > 15
    assert [each["now"] for each in data["survivors"]] == [s.fault.now for s in tally.survivors]
    assert sum(file["planted"] for file in data["files"].values()) == data["planted"]


def test_two_processes_find_what_one_does(dale: Path) -> None:
    one, two = proof(dale), proof(dale, jobs=2)
    assert mutation_report(one).data == mutation_report(two).data


def test_tests_that_do_not_reach_a_rule_would_notice_nothing(dale: Path) -> None:
    with chdir(dale):
        recorder = CoverageTrace()
        stock = build_corpus(Request((Path(),)), linking=recorder.linking)
        reach = measure_reach(stock, recorder).reach
        for subject in stock.subjects:
            near = _survivors(stock, subject.id, reach[subject.id])
            assert near == _survivors(stock, subject.id, None)


def _survivors(stock: MutationCorpus, id: str, reached: frozenset[str] | None) -> list[int]:
    subject = next(each for each in stock.subjects if each.id == id)
    judged = enumerate(verdicts(stock, subject, reached, 0.1))
    return [number for number, verdict in judged if verdict.status == SURVIVED]


def test_a_scenario_that_is_found_holds_without_the_fault_and_fails_with_it(dale: Path) -> None:
    with chdir(dale):
        stock = build_corpus(Request((Path(),), only="building"))
        (subject,) = stock.subjects
        fault = next(f for f in subject.faults() if f.now == "build 2")
        text = find_killing_scenario(fault, subject.cache, 30)
        (case,), findings = parse_scenarios(Source("found.scenario.yaml", text))
        assert findings == []
        assert run_scenario(subject.cache, case).passed
        (dale / "found.scenario.yaml").write_text(text, encoding="utf-8")
    assert fault.now not in survivors(proof(dale, "building"))


def test_what_takes_too_long_is_broken_off() -> None:
    with pytest.raises(TimeUp), within_seconds(0.05):
        while True:
            pass
    with within_seconds(5):
        pass


def test_the_command_ends_with_1_for_a_survivor_and_with_0_above_the_threshold(dale: Path) -> None:
    words = ["test", str(dale), "--mutate", "--mutate-only", "building", "--jobs", "1"]
    plain = CliRunner().invoke(app, [*words, "--no-search"])
    assert plain.exit_code == 1, plain.output
    assert "KB030" in plain.output
    assert CliRunner().invoke(app, [*words, "--no-search", "--fail-under", "5"]).exit_code == 0
    assert CliRunner().invoke(app, [*words, "--no-search", "--fail-under", "101"]).exit_code == 2


def test_tests_must_hold_to_begin_with(dale: Path) -> None:
    wrong = ENDING.replace("build a1", "build c1")
    (dale / "wrong.scenario.yaml").write_text(wrong, encoding="utf-8")
    with chdir(dale):
        tally, findings = mutate(MutationJob(Request((Path(),))))
    assert tally is None
    assert [each.code for each in findings] == ["KB032"]


def test_survivors_are_told_rule_by_rule_the_most_telling_first() -> None:
    def survivor(line: int, kind: str, scenario: str = "") -> Survivor:
        where = tree.Word(f"r{line}", Source("a.kb", "rule\n").whole())
        rule = tree.Rule(tree.Word("rule", where.span), where, "", None, (), where.span)
        return Survivor(Fault(kind, rule, rule, where.span, "", kind), "", scenario)

    told = [
        survivor(1, "number"),
        survivor(2, "number"),
        survivor(2, "sentence"),
        survivor(3, "number", "format: 1"),
        survivor(1, "comparison"),
    ]
    assert [(name, [each.fault.kind for each in own]) for name, own in by_rule(told)] == [
        ("rule r3", ["number"]),
        ("rule r2", ["sentence", "number"]),
        ("rule r1", ["comparison", "number"]),
    ]


def test_after_an_interruption_the_report_is_of_what_was_done(
    dale: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def show(progress: Progress, done: int, wanted: int | None = None, unit: str = "") -> None:
        if done == 1 and unit == "rules":
            raise KeyboardInterrupt

    monkeypatch.setattr(Progress, "show", show)
    words = ["test", str(dale), "--mutate", "--no-search", "--jobs", "1"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 130
    assert "mutants: " in result.output and "rules were not tried" in result.stderr


LEAST = 90


@cache
def whole() -> ReportData:
    """The report on all shipped rules, which takes minutes."""
    with chdir(ROOT):
        return shipped_report()


@pytest.mark.parametrize("box", ["capitol", "island"])
def test_the_own_scenarios_of_a_small_box_notice_nine_of_ten_faults(box: str) -> None:
    with chdir(ROOT):
        paths = (Path("rules") / box, Path("tests/scenarios") / box)
        tally, findings = mutate(MutationJob(Request(paths), searches=False))
    assert findings == []
    assert tally is not None
    assert tally.score.planted > 30
    assert tally.score.percent >= LEAST, [each.fault.now for each in tally.survivors]


def test_the_page_tells_every_kind_of_fault_and_every_reason() -> None:
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    with chdir(ROOT):
        listed, findings = read_accepted([Path("tests/scenarios")])
    assert findings == []
    assert [kind for kind in KINDS if f"| {kind} |" not in text] == []
    assert [each.reason for each in listed if each.reason not in text] == []


@pytest.mark.slow
def test_the_tests_notice_nine_of_ten_faults_in_every_box() -> None:
    shares = {box: 100 * killed / planted for box, (planted, killed) in boxes(whole()).items()}
    assert {box: share for box, share in shares.items() if share < LEAST} == {}
    assert whole()["score"] >= LEAST


@pytest.mark.slow
def test_no_reason_is_given_for_a_fault_that_is_noticed() -> None:
    assert whole()["findings"] == []


@pytest.mark.slow
def test_the_page_is_what_is_found() -> None:
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    assert text == page(text, whole()), "run `python -m tests.docs.mutation_page`"
