"""`kbrules diff`: what two versions of rules do, on positions, on small boards, in games."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cli.app import app
from kbrules.scenario.running import run_all
from tests.collecting import collect
from tests.source_tree import DALE

FEW = ("--positions", "48", "--games", "6")


def diff(*words: str) -> Result:
    result = CliRunner().invoke(app, ["diff", *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the same expansion twice, `old` and `new`."""
    monkeypatch.chdir(tmp_path)
    for name in ("old", "new"):
        shutil.copytree(DALE, tmp_path / name)
    return tmp_path


def changed(folder: Path, old: str, new: str, name: str = "new") -> None:
    path = folder / name / "rules" / "dale.kb"
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_rules_that_only_read_otherwise_are_the_same_exactly(two: Path) -> None:
    changed(two, '"Build one settlement on heath."', '"Build on heath, once."')
    changed(two, "gold 5 if count(mine &", "gold 5 if count((mine) &")
    said = diff("old", "new")
    assert (said.exit_code, said.stderr) == (0, "")
    assert said.stdout == "the rules mean the same (exact): only text differs, if anything\n"


def test_a_card_that_pays_otherwise_is_shown_on_a_small_board(two: Path) -> None:
    changed(two, "gold 2 per lake", "gold 3 per lake")
    said = json.loads(diff("old", "new", *FEW, "--output-format", "json").stdout)
    assert said["changed"] == ["card rowers"]
    assert {each["about"] for each in said["differences"]} == {"rowers"}
    board = said["boards"][0]
    assert (board["kind"], board["before"], board["after"]) == ("score", "2 gold", "3 gold")
    assert len(board["picture"].splitlines()) < 9
    rowers, total = said["gold"]
    assert rowers["about"] == "rowers" and total["about"] == "total"
    pairs = zip(rowers["before"], rowers["after"], strict=True)
    assert all(2 * after == 3 * before for before, after in pairs)


def test_what_is_offered_otherwise_is_shown_with_its_hexes(two: Path) -> None:
    changed(two, "move 1 from mine to heath", "move 1 from mine to heath & adjacent(water)")
    said = diff("old", "new", *FEW)
    assert said.exit_code == 1
    assert "changed: nomad ferry\n" in said.stdout
    assert "`ferry: lift`: what is offered differs on" in said.stdout
    assert "1. `ferry: " in said.stdout
    assert "offered only before" in said.stdout


def test_the_boards_are_scenarios_that_hold_now_and_did_not_before(two: Path) -> None:
    changed(two, "gold 5 if count(mine & adjacent(water)) >= 2", "gold 5 if any(mine & edge)")
    changed(two, "build 1 on buildable & adjacent(water)", "build 1 on buildable")
    said = diff("old", "new", *FEW, "--scenarios", "found")
    assert said.exit_code == 1 and said.stderr.count("written: ") == 3
    for name, holds in (("new", True), ("old", False)):
        for path in sorted(Path("found").glob("*.scenario.yaml")):
            shutil.copy(path, two / name / "scenarios" / path.name)
            results = list(run_all(collect([two / name / "scenarios" / path.name]).cases))
            assert [result.passed for result in results] == [holds], path.read_text()
    again = diff("old", "new", *FEW, "--scenarios", "found")
    assert again.exit_code == 2 and "error[KB008]" in again.stderr


def test_a_file_stands_in_the_place_of_another(two: Path) -> None:
    text = (two / "new" / "rules" / "dale.kb").read_text(encoding="utf-8")
    Path("other.kb").write_text(text.replace("gold 2 per lake", "gold 4 per lake"))
    there = diff("new/rules/dale.kb", "other.kb", *FEW, "--output-format", "concise")
    back = diff("other.kb", "new/rules/dale.kb", *FEW, "--output-format", "concise")
    assert "changed: card rowers\n" in there.stdout and "changed: card rowers\n" in back.stdout
    assert "gold, rowers: +" in there.stdout and "gold, rowers: -" in back.stdout


def test_what_is_said_otherwise_and_does_the_same_is_no_difference(two: Path) -> None:
    changed(two, "count(adjacent(lake) & mine) >= 2", "count(mine & adjacent(lake)) >= 2")
    said = diff("old", "new", *FEW)
    assert "changed: card rowers\nno difference in what is offered" in said.stdout
    assert said.exit_code == 0


def test_what_the_boxes_contain_is_a_difference_whatever_is_seen_of_it(two: Path) -> None:
    manifest = two / "new" / "expansion.yaml"
    manifest.write_text(manifest.read_text().replace("copies: 3", "copies: 2"))
    said = diff("old", "new", "--positions", "4", "--games", "0")
    assert "what the boxes contain differs, too\nno difference in what" in said.stdout
    assert said.exit_code == 1


def test_of_one_game_no_interval_is_told(two: Path) -> None:
    changed(two, "gold 2 per lake", "gold 3 per lake")
    words = ("old", "new", "--positions", "4", "--games", "1", "--output-format")
    assert "on average, (1 game under each)\n" in diff(*words, "concise").stdout
    assert {each["margin"] for each in json.loads(diff(*words, "json").stdout)["gold"]} == {None}


def test_other_boxes_can_be_compared_as_far_as_both_have_the_same(two: Path) -> None:
    changed(two, 'task bridge "Bridge"', 'task wharf "Wharf"')
    manifest = two / "new" / "expansion.yaml"
    manifest.write_text(manifest.read_text().replace("bridge", "wharf"))
    said = diff("old", "new", *FEW, "--output-format", "concise")
    assert said.exit_code == 1
    assert "only in new: task wharf\n" in said.stdout
    assert "only in old: task bridge\n" in said.stdout


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("old", "nowhere"), "KB001"),
        (("old", "old/rules"), "KB006"),
        (("old", "old/rules/dale.kb"), "KB035"),
        (("old", "new", "--bots", "clever"), "KB009"),
    ],
)
def test_what_cannot_be_compared_is_told(two: Path, words: tuple[str, ...], code: str) -> None:
    said = diff(*words)
    assert said.exit_code == 2
    assert f"error[{code}]" in said.stderr and "help: " in said.stderr


def test_rules_with_mistakes_are_told_and_not_compared(two: Path) -> None:
    changed(two, "gold 2 per lake", "gold 2 prr lake")
    said = diff("old", "new")
    assert said.exit_code == 2 and "new/rules/dale.kb:" in said.stderr
