"""Faults put to the proof: in a small game whose tests are known to the last one."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.app import app
from cli.terminal import Progress
from kbrules.lang.syntax import tree
from kbrules.scenario.reader import parse_scenarios
from kbrules.scenario.running import run_scenario
from kbrules.text import Source
from kbrules.tools.coverage import CoverageTrace
from kbrules.tools.mutation.faults import Fault
from kbrules.tools.mutation.run import (
    MutationJob,
    MutationResult,
    Survivor,
    by_rule,
    mutate,
    mutation_report,
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
from kbrules.tools.testing import Request
from tests.example_games import DALE

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
    assert sum(bool(reason) for reason in reasons.values()) == tally.score.accepted == 1
    assert len(tally.unexplained) == tally.score.survived - 1
    assert tally.findings == ()


def test_a_reason_for_what_does_not_survive_is_told(dale: Path) -> None:
    listed = LISTED.replace('now: "when build: last round"', 'now: "when move: last round"')
    (dale / "mutants.yaml").write_text(listed, encoding="utf-8")
    assert [each.code for each in proof(dale, "ending").findings] == ["KB031"]
    assert proof(dale, "building").findings == ()  # not asked about, not told


def test_the_report_for_programs_holds_what_the_tally_does(dale: Path) -> None:
    tally = proof(dale)
    data = mutation_report(tally).data
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
    return [v.number for v in verdicts(stock, subject, reached, 0.1) if v.status == SURVIVED]


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
