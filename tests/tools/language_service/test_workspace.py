"""Open texts over files on disk: what is wrong is what a check would find in saved files."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from pathlib import Path
from threading import Thread

import pytest

from kbrules.diagnostics import Diagnostic
from kbrules.lang.syntax.tree import Example
from kbrules.project.project import Project
from kbrules.scenario import example_lines as lines
from kbrules.tools.check import checked
from kbrules.tools.language_service.workspace import Cancelled, Workspace
from kbrules.tools.lint.run import LintSettings, warnings
from tests.example_games import MOOR
from tests.tools.language_service.conftest import FOLDER, SCENARIO, lay

PIECES = (
    "\n", "(", ")", '"', "|", ":", "mine", "card x:\n    gold 1\n", "    ", "# c\n", "{kind}",
    "\r\n", "\t", "\x00", "\ufeff", "lake", "- ", "[", "}", "define a: mine\n", "if ", "𝄞",
    "rowers", "mill",
)  # fmt: skip


def seen(findings: list[Diagnostic], root: Path) -> list[tuple[object, ...]]:
    """Findings without the folder they lie in."""
    return sorted(
        (
            each.span.source.name.replace(str(root), ""), each.span.line, each.span.column,
            each.span.end_line, each.span.end_column, each.code,
            each.message.replace(str(root), ""), each.help.replace(str(root), ""), each.claim,
            len(each.fix), len(each.labels),
        )
        for each in findings
    )  # fmt: skip


def changed(text: str, chance: random.Random, original: str) -> str:
    """A text after one edit: something typed, deleted, pasted or undone."""
    start = chance.randrange(len(text) + 1)
    end = min(len(text), start + chance.randrange(12))
    match chance.choice(["typed", "deleted", "pasted", "undone", "deleted", "typed"]):
        case "typed":
            return text[:start] + chance.choice(PIECES) + text[start:]
        case "deleted":
            return text[:start] + text[end:]
        case "pasted":
            begin = chance.randrange(len(text) + 1)
            return text[:start] + text[begin : begin + 60] + text[start:]
    return original


def compare(seed: int, edits: int, home: Path, saved: Path) -> Counter[str]:
    """Make random edits; after each what is found is what a check finds in a fresh folder."""
    chance, workspace, texts = random.Random(seed), Workspace([home]), dict(FOLDER)
    codes = Counter[str]()
    for _ in range(edits):
        name = chance.choice([*FOLDER])
        texts[name] = changed(texts[name], chance, FOLDER[name])
        workspace.open_text(home / name, texts[name])
        found = [each for of in workspace.findings(home / name).values() for each in of]
        report = checked(Project([lay(saved, texts)]))
        assert seen(found, home) == seen(report.all, saved)
        codes.update(each.code for each in found)
        shutil.rmtree(saved)
    return codes


def test_findings_are_those_of_a_check(home: Path, tmp_path: Path) -> None:
    assert compare(5, 4, home, tmp_path / "saved")


@pytest.mark.parametrize("seed", range(4))
def test_findings_after_many_edits_are_those_of_a_check(
    seed: int, home: Path, tmp_path: Path
) -> None:
    assert len(compare(seed, 40, home, tmp_path / "saved")) > 3


def test_lints_are_the_warnings_of_a_check(home: Path, workspace: Workspace) -> None:
    rowers = home / "rules/rowers.kb"
    text = rowers.read_text(encoding="utf-8").replace("mine & adjacent", "mine & mine & adjacent")
    workspace.open_text(rowers, text)
    found = [each for of in workspace.lints(rowers).values() for each in of]
    rowers.write_text(text, encoding="utf-8")
    report = checked(Project([home]), LintSettings(frozenset(warnings()), is_isolated=True))
    assert seen(found, home) == seen(list(report.findings), home)
    assert "rowers.kb" in {Path(each.span.source.name).name for each in found}
    workspace.open_text(rowers, text + "card")
    assert not any(workspace.lints(rowers).values())


def test_lints_are_cancelled(home: Path, workspace: Workspace) -> None:
    calls: list[int] = []
    with pytest.raises(Cancelled):
        workspace.lints(home / "rules/rowers.kb", lambda: len(calls) > 3 or calls.append(1) is None)
    with pytest.raises(Cancelled):
        workspace.lints(home / "rules/rowers.kb", lambda: True)


def test_a_change_tells_the_other_files_of_the_box(home: Path, workspace: Workspace) -> None:
    rowers, box = home / "rules/rowers.kb", home / "expansion.yaml"
    workspace.open_text(rowers, "")
    found = workspace.findings(rowers)
    assert [each.code for each in found[box]] == ["KB409"]
    assert {path.name for path in found} == {
        "expansion.yaml", "game.kb", "rowers.kb", "mill.kb", "anglers.kb", "mill.scenario.yaml",
    }  # fmt: skip
    workspace.close_text(rowers)
    assert not any(workspace.findings(rowers).values())


def test_a_box_that_needs_another_of_the_workspace(tmp_path: Path) -> None:
    dale = lay(tmp_path / "dale", MOOR)
    hill = lay(tmp_path / "hill", {
        "expansion.yaml": "format: 1\nid: hill\ntitle: The Hill\nneeds: [dale]\n",
        "rules/hill.kb": 'define beside_lake "Beside a lake.": adjacent(lake)\n',
    })  # fmt: skip
    workspace = Workspace([tmp_path])
    assert {each.folder for each in workspace.project.boxes()} == {dale, hill}
    assert not any(workspace.findings(hill / "rules/hill.kb").values())
    box = dale / "expansion.yaml"
    workspace.open_text(box, workspace.text(box).replace("lake:", "pond:"))
    found = workspace.findings(box)
    assert [each.code for each in found[hill / "rules/hill.kb"]] == ["KB201"]


def test_an_example_is_read_again_where_it_or_the_box_changes(
    home: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, box = home / "rules/rowers.kb", home / "expansion.yaml"
    text, drawings = workspace.text(path), list[str]()
    read_drawing = lines.read_drawing

    def counted(example: Example, *others: object) -> object:
        drawings.append(example.span.text)
        return read_drawing(example, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(lines, "read_drawing", counted)
    assert not any(workspace.findings(path).values())
    assert len(drawings) > 1
    drawings.clear()
    workspace.open_text(path, text.replace("Ha L", "Ha Q"))
    for _ in range(2):
        assert [each.code for each in workspace.findings(path)[path]] == ["KB408"]
        workspace.open_text(path, "# moved\n" + workspace.text(path))
    assert len(drawings) == 2 and all("Ha Q" in each for each in drawings)
    workspace.open_text(path, text)
    workspace.open_text(box, workspace.text(box).replace("letter: L", "letter: Q"))
    assert "KB408" in [each.code for each in workspace.findings(path)[path]]


def test_two_boxes_of_one_id_do_not_disturb_each_other(tmp_path: Path) -> None:
    one, other = (lay(tmp_path / name, MOOR) for name in ("one", "other"))
    workspace = Workspace([tmp_path])
    workspace.open_text(one / "rules/rowers.kb", "card")
    assert any(workspace.findings(one / "rules/rowers.kb").values())
    found = workspace.findings(other / "rules/rowers.kb").values()
    assert [each.code for of in found for each in of] == ["KB202"]  # of the second one's id


def test_two_boxes_of_one_id_have_each_its_own_rules(tmp_path: Path) -> None:
    paths = [lay(tmp_path / name, MOOR) / "rules/rowers.kb" for name in ("a", "b")]
    workspace = Workspace([tmp_path])
    other = workspace.text(paths[1]).replace('"Rowers"', '"Oarsmen"').replace("gold 1", "gold 2")
    workspace.open_text(paths[1], other)
    for loaded in (workspace.loaded, workspace.last_loaded):
        rules = [(ruleset := loaded(path).ruleset) and ruleset.rule("rowers") for path in paths]
        assert [rule and rule.title for rule in rules] == ["Rowers", "Oarsmen"]
    found = [each.found for path in paths for each in workspace.examples(path)]
    assert found == ["`rowers` gives 2, not 1", "`rowers` gives 4, not 1"]


def test_a_text_that_is_not_saved_yet_belongs_to_its_box(home: Path, workspace: Workspace) -> None:
    fresh = home / "rules/fresh.kb"
    workspace.open_text(fresh, 'define by_lake "By a lake.": adjacent(laek)\n')
    assert [each.code for each in workspace.findings(fresh)[fresh]] == ["KB201"]
    rowers = home / "rules/rowers.kb"
    workspace.open_text(rowers, workspace.text(rowers).replace("adjacent(lake)", "by_lake"))
    workspace.open_text(fresh, 'define by_lake "By a lake.": adjacent(lake)\n')
    assert not any(workspace.findings(fresh).values())


def test_files_that_come_go_and_change_on_disk(home: Path, workspace: Workspace) -> None:
    rowers, box = home / "rules/rowers.kb", home / "expansion.yaml"
    text = rowers.read_text(encoding="utf-8")
    assert not any(workspace.findings(rowers).values())
    rowers.unlink()
    workspace.changed_on_disk([rowers])
    assert [each.code for each in workspace.findings(box)[box]] == ["KB409"]
    workspace.open_text(rowers, text)  # still open in the editor
    assert not any(workspace.findings(box).values())
    workspace.close_text(rowers)
    (home / "rules/renamed.kb").write_text(text, encoding="utf-8")
    workspace.changed_on_disk([home / "rules/renamed.kb"])
    assert not any(workspace.findings(box).values())


def test_a_box_that_comes_back_is_known_at_once(home: Path, workspace: Workspace) -> None:
    rules, aside = home / "rules" / "rowers.kb", home.with_name("aside")
    workspace.open_text(rules, "")
    assert "rowers" not in {each.name.text for each in workspace.loaded(rules).declarations}
    workspace.close_text(rules)
    home.rename(aside)
    workspace.changed_on_disk([home])
    aside.rename(home)
    workspace.changed_on_disk([home])
    assert "rowers" in {each.name.text for each in workspace.last_loaded(rules).declarations}


def test_a_folder_that_is_renamed_is_found_under_any_name(tmp_path: Path, home: Path) -> None:
    first, elsewhere = home.rename(home.with_name("rowers.v1")), home.with_name("rowers.v2")
    workspace = Workspace([tmp_path])
    assert [each.folder for each in workspace.project.boxes()] == [first]
    first.rename(elsewhere)
    workspace.changed_on_disk([first, elsewhere])
    assert [each.folder for each in workspace.project.boxes()] == [elsewhere]


def test_boxes_of_open_texts_stay_known_when_others_are_looked_for(home: Path) -> None:
    workspace = Workspace()
    workspace.open_text(home / "rules/rowers.kb", "")
    workspace.changed_on_disk([home.with_name("elsewhere")])
    assert workspace.home(home / "rules/rowers.kb") == home


@pytest.mark.parametrize("ends", ["\r\n", "\r"])
def test_line_ends_and_a_byte_order_mark_change_no_place(
    ends: str, home: Path, workspace: Workspace
) -> None:
    rowers = home / "rules/rowers.kb"
    text = workspace.text(rowers).replace("adjacent(lake)", "adjacent(laek)")
    workspace.open_text(rowers, text)
    plain = workspace.findings(rowers)[rowers]
    workspace.open_text(rowers, "\ufeff" + text.replace("\n", ends))
    assert workspace.text(rowers) == text
    found = workspace.findings(rowers)[rowers]
    assert [(e.code, e.span.start, e.span.end) for e in found] == [
        (e.code, e.span.start, e.span.end) for e in plain
    ]


def test_a_single_file_and_a_single_scenario(tmp_path: Path) -> None:
    workspace = Workspace([tmp_path])
    single = tmp_path / "single.kb"
    workspace.open_text(single, "define a: mien\n")
    assert [each.code for each in workspace.findings(single)[single]] == ["KB201"]
    scenario = tmp_path / "a.scenario.yaml"
    workspace.open_text(scenario, SCENARIO)
    scenario.write_text(SCENARIO, encoding="utf-8")
    assert {each.code for each in workspace.findings(scenario)[scenario]} == {"KB408", "KB413"}
    assert workspace.findings(tmp_path / "notes.txt") == {}


def test_examples_and_scenarios_run_as_they_are_typed(home: Path, workspace: Workspace) -> None:
    rowers, scenario = home / "rules/rowers.kb", home / "scenarios/mill.scenario.yaml"
    assert [each.holds for each in workspace.examples(rowers)] == [True]
    assert [(e.title, e.holds) for e in workspace.examples(scenario)] == [
        ("A mill at the lake", True)
    ]
    workspace.open_text(rowers, workspace.text(rowers).replace("gold 1", "gold 3"))
    (found,) = workspace.examples(rowers)
    assert (found.holds, found.found.partition("\n")[0]) == (False, "`rowers` gives 6, not 2")
    assert found.picture and workspace.text(rowers)[found.place.start :].startswith("example:")
    assert [each.holds for each in workspace.examples(scenario)] == [False]
    workspace.open_text(rowers, workspace.text(rowers) + "card")
    assert [each.holds for each in workspace.examples(rowers)] in ([], [False])


def test_lints_keep_nobody_waiting(home: Path, workspace: Workspace) -> None:
    rowers = home / "rules/rowers.kb"
    seen: list[bool] = []

    def cancelled() -> bool:
        if not seen:  # in the middle of it another thread asks for something else
            other = Thread(target=lambda: seen.append(bool(workspace.findings(rowers))))
            other.start()
            other.join(20)
        return False

    workspace.lints(rowers, cancelled)
    assert seen == [True]
