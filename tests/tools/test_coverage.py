"""Coverage of rules: what is counted as a clause, and what is said to have come of it."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cli.app import app
from kbrules.scenario.running import run_all
from kbrules.tools.coverage import ClauseVerdict, Coverage, CoverageRun, coverage_report, percentage
from kbrules.tools.reports.data import to_data
from kbrules.tools.reports.report import as_text
from tests.source_tree import DALE

BOX = "format: 1\nid: vale\ntitle: The Vale\nneeds: [base]\n"
LONELY = """\
card lonely "Lonely":
    "Two gold for each of your pieces at the edge that touches no other of yours."
    gold 2 per hex in mine & edge - adjacent(mine)
    example:
        | Ga G  G
        |  G  G  G
        | G  G  G
        gives 2
"""
CARDS = "cards: [lonely]\n"
ALL, ONE, NONE = ClauseVerdict.both, ClauseVerdict.only_yes, ClauseVerdict.only_no


def vale(folder: Path, rules: str, more: str = "") -> Path:
    """An author's folder with these rules."""
    (folder / "expansion.yaml").write_text(BOX + more, encoding="utf-8")
    (folder / "vale.kb").write_text(rules, encoding="utf-8")
    return folder


def covered(folder: Path) -> Coverage:
    """The coverage of a folder of whose items all hold."""
    watched = CoverageRun()
    items = watched.project([folder]).cases()
    assert items.findings == []
    watched.begin()
    assert [r.outcome.text for r in run_all(items.cases) if not r.passed] == []
    return watched.end([folder])


def verdicts(coverage: Coverage) -> dict[str, ClauseVerdict]:
    """What is said of the first clause of each words."""
    return {" ".join(s.span.text.split()): s.verdict for s in reversed(coverage.clauses)}


def example(*rows: str, gives: int) -> str:
    """An example of what a card gives on a drawing."""
    lines = [*rows, f"gives {gives}"]
    return "".join(["    example:\n", *(f"        {line}\n" for line in lines)])


def test_parts_of_a_set_go_both_ways_if_they_kept_hexes_out_and_let_some_through(
    tmp_path: Path,
) -> None:
    found = verdicts(covered(vale(tmp_path, LONELY, CARDS)))
    assert found["mine"] is ALL
    assert found["edge"] is ONE, "no piece stands off the edge"
    assert found["adjacent(mine)"] is ONE, "no two pieces touch"
    inland = LONELY + example("| Ga G  G  G", "|  G  G  Ga G", "| G  G  G  G", gives=2)
    assert verdicts(covered(vale(tmp_path, inland, CARDS)))["edge"] is ALL
    together = LONELY + example("| Ga Ga G", "|  G  G  G", "| G  G  G", gives=0)
    assert verdicts(covered(vale(tmp_path, together, CARDS)))["adjacent(mine)"] is ALL


RULE = """\
define close "Next to yours.":
    adjacent(mine)

define far "Used by nobody.":
    edge - close

rule shy "Shy":
    "Nothing is built next to others."
    forbid build on adjacent(theirs) if any(theirs)
    example "alone":
        | G+ G  G+
        |  G+ Ga G+
        | G+ G  G+
        played grass
        offers
"""
ALONE = "| G  G+ C\n        |  C  Ga G+\n        | G  G+ C\n"
CROWDED = "| G  G+ Gb\n        |  C  Ga G\n        | G  G+ C\n"


def shy(*drawings: str) -> str:
    """The rule with examples of these drawings."""
    head, _, _ = RULE.partition("    example")
    example = "    example:\n        {}        played grass\n        offers\n"
    return head + "".join(example.format(drawing) for drawing in drawings)


def test_a_norm_is_reached_when_asked_and_goes_both_ways_when_it_once_mattered(
    tmp_path: Path,
) -> None:
    norm = "forbid build on adjacent(theirs) if any(theirs)"
    found = verdicts(covered(vale(tmp_path, shy(ALONE))))
    assert (found[norm], found["any(theirs)"]) == (NONE, NONE)
    crowded = CROWDED.replace("G+ Gb", "G  Gb")
    found = verdicts(covered(vale(tmp_path, shy(crowded))))
    assert found[norm] is ONE
    assert found["any(theirs)"] in (ONE, ALL)
    found = verdicts(covered(vale(tmp_path, shy(ALONE, crowded))))
    assert (found[norm], found["any(theirs)"]) == (ALL, ALL)


def test_what_a_word_is_defined_as_counts_where_it_is_defined(tmp_path: Path) -> None:
    coverage = covered(vale(tmp_path, shy(ALONE)))
    found = verdicts(coverage)
    assert found["edge - close"] is ClauseVerdict.never
    assert found["adjacent(mine)"] is ClauseVerdict.never, "only a word nobody uses asks for it"
    used = shy(ALONE).replace("if any(theirs)", "if none(far) or any(theirs)")
    found = verdicts(covered(vale(tmp_path, used)))
    assert found["adjacent(mine)"] is not ClauseVerdict.never
    assert found["edge - close"] is not ClauseVerdict.never


STEPS = """\
rule visits "Visits":
    "Whoever builds next to water gains a gold."
    when build if any(here & adjacent(water)): gain 1
    when build if none(here & adjacent(water)): gain 0
    example:
        | G! C  C
        |  W  C  C
        played grass
        gains 1
"""


def test_steps_are_done_and_change_something(tmp_path: Path) -> None:
    coverage = covered(vale(tmp_path, STEPS))
    assert verdicts(coverage)["gain 1"] is ClauseVerdict.reached
    assert verdicts(coverage)["gain 0"] is ClauseVerdict.never
    counts = coverage.counts
    assert (counts.steps, counts.fired, counts.changed) == (2, 1, 1)
    dry = STEPS.replace("|  W  C  C", "|  C  C  C").replace("gains 1", "gains 0")
    found = verdicts(covered(vale(tmp_path, dry)))
    assert (found["gain 0"], found["gain 1"]) == (NONE, ClauseVerdict.never)


def test_an_option_counts_as_two_sides(tmp_path: Path) -> None:
    rules = STEPS.replace("if any(", "if generous and any(")
    rules += '\noption generous = yes "Whether it is so."\n'
    assert verdicts(covered(vale(tmp_path, rules)))["generous"] is ONE


# laws


def ragged(text: str) -> str:
    """The same rules laid out otherwise: wider, with comments and empty lines."""
    return "".join(f"\n{_wider(line)}\n" if line else "\n" for line in text.splitlines())


def _wider(line: str) -> str:
    body = line.lstrip()
    indent = " " * 2 * (len(line) - len(body))
    if body.startswith("|") or '"' in body:
        return indent + body
    return indent + re.sub(r"(?<=\S) (?=\S)", "   ", body).replace("(", "( ") + "  # so it is"


def test_layout_does_not_matter(tmp_path: Path) -> None:
    shutil.copytree(DALE, tmp_path / "one")
    shutil.copytree(DALE, tmp_path / "two")
    file = tmp_path / "two" / "rules" / "dale.kb"
    file.write_text(ragged(file.read_text(encoding="utf-8")), encoding="utf-8")
    one, two = (
        {seen.key: (seen.kind, seen.verdict) for seen in covered(tmp_path / name).clauses}
        for name in ("one", "two")
    )
    assert one == two
    assert len(one) > 30
    assert {ClauseVerdict.never, ClauseVerdict.both, ONE, NONE} <= {
        verdict for _, verdict in one.values()
    }


def test_keys_tell_clauses_apart() -> None:
    coverage = covered(DALE)
    keys = [seen.key for seen in coverage.clauses]
    assert len(set(keys)) == len(keys)


def test_each_scenario_more_can_only_add() -> None:
    watched = CoverageRun()
    items = watched.project([DALE]).cases().cases
    watched.begin()
    rank = {
        ClauseVerdict.never: 0,
        ONE: 1,
        NONE: 1,
        ClauseVerdict.both: 2,
        ClauseVerdict.reached: 2,
    }
    for item in items:
        assert item.run().passed
    whole = verdicts(watched.end([DALE]))
    for item in items:
        item.run()
        alone = verdicts(watched.end([DALE]))
        assert all(rank[alone[words]] <= rank[whole[words]] for words in whole)


def test_percentages_are_never_rounded_up() -> None:
    assert percentage(1999, 2000) == 99.9
    assert percentage(2000, 2000) == 100.0
    assert percentage(0, 0) == 100.0


# reports


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["test", *arguments])


def test_only_an_own_folder_is_spoken_of() -> None:
    said = run(str(DALE), "--coverage").output
    assert "dale.kb" in said
    assert "prelude.kb" not in said
    assert "never reached" in said
    assert "^^^" in said


def test_the_report_names_each_gap_once() -> None:
    coverage = covered(DALE)
    gaps = coverage.only(ClauseVerdict.never, ONE, NONE)
    assert len(coverage_report(coverage).lines) == len(gaps)
    inner = [s for s in coverage.only(ClauseVerdict.never) if s.span.text == "ford & stocked"]
    text = as_text(coverage_report(coverage))
    assert inner and f":{inner[0].span.line}:14: never" not in text


def test_the_data_says_what_the_report_says(tmp_path: Path) -> None:
    file = tmp_path / "coverage.json"
    result = run(str(DALE), "--coverage-json", str(file), "--output-format", "concise")
    assert result.exit_code == 0, result.output
    data = json.loads(file.read_text(encoding="utf-8"))
    coverage = covered(DALE)
    assert data == to_data(coverage_report(coverage).data)
    assert data["clauses"] == sum(each["clauses"] for each in data["files"])
    assert {record["verdict"] for record in data["files"][0]["of"]} <= {
        v.value for v in ClauseVerdict
    }
    assert "% of" in result.output
    assert "never reached" not in result.output
    printed = run(str(DALE), "--coverage", "--output-format", "json").stdout
    assert json.loads(printed)["coverage"] == data


@pytest.mark.parametrize(
    ("least", "code"), [("50", 0), ("50,50", 0), ("100", 1), ("0,99.9", 1), ("0,0", 0)]
)
def test_a_threshold_decides_the_exit_code(least: str, code: int) -> None:
    result = run(str(DALE), "--fail-under", least)
    assert result.exit_code == code, result.output
    assert ("coverage is too low" in result.output) == (code == 1)


@pytest.mark.parametrize("least", ["x", "101", "-1", "1,2,3", "90,,"])
def test_what_is_no_threshold_is_refused_before_anything_runs(least: str) -> None:
    result = run(str(DALE), f"--fail-under={least}")
    assert result.exit_code == 2
    assert "error[KB009]" in result.output
    assert "passed" not in result.output


NORMS = """\
option welcome = yes "Desert is built on as well."

rule guests "Guests":
    "Desert is open too; keep away from others if you can, but on an island go where you like."
    permit build on desert if welcome
    prefer build on board - adjacent(theirs)
    waive build if none(mine)
"""
FAR = ("| G  G+ D+", "|  G+ Ga G+", "| D  G+ C")
NEAR = ("| G  G  Db", "|  G+ Ga G", "| D  G+ C")
NOBODY = ("| G+ G+ D+", "|  G+ C  G+", "| C  C  C")


def guests(folder: Path, *examples: tuple[str, ...]) -> dict[str, ClauseVerdict]:
    """What is said of the rule about guests with these examples."""
    rows = [["    example:", *each, "played grass", "offers"] for each in examples]
    lines = ["\n        ".join(each) + "\n" for each in rows]
    return verdicts(covered(vale(folder, NORMS + "".join(lines))))


def test_each_kind_of_norm_is_judged_by_what_it_does(tmp_path: Path) -> None:
    permit, prefer = "permit build on desert if welcome", "prefer build on board - adjacent(theirs)"
    waive = "waive build if none(mine)"
    found = guests(tmp_path, FAR)
    assert (found[permit], found[prefer], found[waive]) == (ONE, NONE, NONE)
    assert found["welcome"] is ONE
    found = guests(tmp_path, FAR, NEAR)
    assert (found[prefer], found["adjacent(theirs)"]) == (ALL, ALL)
    found = guests(tmp_path, FAR, NOBODY)
    assert found[waive] is ALL


def test_a_part_of_sets_put_together_counts_by_what_it_brings(tmp_path: Path) -> None:
    card = LONELY.replace("mine & edge - adjacent(mine)", "mine & (edge | adjacent(theirs))")
    found = verdicts(covered(vale(tmp_path, card, CARDS)))
    assert found["edge"] is ONE, "all of it is brought by it alone"
    assert found["adjacent(theirs)"] is NONE, "there are no others"
    inland = card + example("| G  G  G  G", "|  Ga Ga Gb G", "| G  G  G  G", gives=4)
    found = verdicts(covered(vale(tmp_path, inland, CARDS)))
    assert (found["edge"], found["adjacent(theirs)"]) == (ALL, ALL)


def test_what_says_nothing_by_itself_is_no_clause(tmp_path: Path) -> None:
    rows = LONELY.replace(
        "gold 2 per hex in mine & edge - adjacent(mine)",
        "gold 2 per row in rows if count(mine & row) = 1",
    )
    coverage = covered(vale(tmp_path, rows, CARDS))
    said = [(" ".join(s.span.text.split()), s.kind) for s in coverage.clauses]
    assert said == [
        ("gold 2 per row in rows if count(mine & row) = 1", "award"),
        ("rows", "set"),
        ("count(mine & row) = 1", "truth"),
        ("count(mine & row)", "number"),
        ("mine & row", "set"),
        ("mine", "part"),
        ("row", "part"),
    ]
    two_way = [s.span.text for s in coverage.clauses if s.goes_both_ways]
    assert "rows" not in two_way and "count(mine & row)" not in two_way


def test_nothing_is_said_of_rules_that_cannot_be_read(tmp_path: Path) -> None:
    result = run(str(vale(tmp_path, "card x:\n")), "--coverage", "--fail-under", "100")
    assert result.exit_code == 2
    assert "%" not in result.output


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    result = run(str(DALE), "--coverage-json", str(tmp_path / "no" / "c.json"))
    assert result.exit_code == 2
    assert "error[KB008]" in result.output
