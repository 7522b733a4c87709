"""What can be done at a place: actions, ignored warnings, lenses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kbrules.messages import CODES
from kbrules.tools.explain import example_folder
from kbrules.tools.language_service import editing
from kbrules.tools.language_service.answers import CodeAction, Refused, edited
from kbrules.tools.language_service.editing import code_actions
from kbrules.tools.language_service.showing import lenses
from kbrules.tools.language_service.workspace import Workspace
from kbrules.tools.simulate.question import QuestionTables, Side, question_about
from kbrules.tools.simulate.ranking import payments
from kbrules.tools.simulate.report import answer_in_file
from kbrules.tools.simulate.results_file import DealSpan, Store
from kbrules.tools.simulate.run import play
from tests.tools.language_service.conftest import FOLDER, SCENARIO, Typing, applied, written

CARD = 'card pikes "Pikes":\n    "Gold."\n    gold 2 per hex in {}\n'


def titled(workspace: Workspace, path: Path, title: str) -> CodeAction:
    """The action of a title anywhere in a file."""
    found = code_actions(workspace, path, 0, len(workspace.text(path)))
    return next(each for each in found if each.title == title)


def do(workspace: Workspace, action: CodeAction) -> None:
    applied(workspace, action.edits)


def codes(workspace: Workspace, path: Path) -> list[str]:
    return [each.code for of in workspace.findings(path).values() for each in of]


def test_a_card_is_mended_step_by_step(typing: Typing, workspace: Workspace, home: Path) -> None:
    path, _ = typing("rules/pikes.kb", 'card pikes "Pikes":\n    gold 2 per hex in mien\n^')
    assert sorted(codes(workspace, path)) == ["KB201", "KB211", "KB212", "KB410"]
    for title in (
        "Replace `mien` by `mine`", "Enter `pikes` in `expansion.yaml`", "Begin with a wording",
        "Write an example",
    ):  # fmt: skip
        do(workspace, titled(workspace, path, title))
    assert codes(workspace, path) == []
    assert "gives 6" in workspace.text(path)
    assert [each.holds for each in workspace.examples(path)] == [True]
    assert "cards: [rowers, anglers, pikes]" in workspace.text(home / "expansion.yaml")


def test_an_entry_that_is_misspelt_is_mended_in_the_box(
    typing: Typing, workspace: Workspace, home: Path
) -> None:
    path, offset = typing("expansion.yaml", FOLDER["expansion.yaml"].replace("rowers", "^rowres"))
    assert codes(workspace, path) == ["KB409"]
    (action,) = code_actions(workspace, path, offset, offset)
    assert action.title == "Replace `rowres` by `rowers`"
    do(workspace, action)
    assert codes(workspace, home / "rules/rowers.kb") == []


def test_an_example_holds_even_before_the_card_is_entered(
    typing: Typing, workspace: Workspace
) -> None:
    path, _ = typing("rules/pikes.kb", CARD.format("mine") + "^")
    do(workspace, titled(workspace, path, "Write an example"))
    assert "gives 6" in workspace.text(path)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("cards:\n  - rowers\n  - anglers\n", "cards:\n  - rowers\n  - anglers\n  - pikes\n"),
        ("cards: [rowers, anglers]\n", "cards: [rowers, anglers, pikes]\n"),
        ("cards: [\n  rowers,\n  anglers,\n]\n", "cards: [\n  rowers,\n  anglers, pikes,\n]\n"),
    ],
)
def test_an_entry_is_written_as_the_others_are(
    before: str, after: str, typing: Typing, workspace: Workspace, home: Path
) -> None:
    box = home / "expansion.yaml"
    workspace.open_text(box, workspace.text(box).replace("cards: [rowers, anglers]\n", before))
    path, _ = typing("rules/pikes.kb", CARD.format("mine") + "^")
    do(workspace, titled(workspace, path, "Enter `pikes` in `expansion.yaml`"))
    assert after in workspace.text(box)
    assert codes(workspace, path) == ["KB212"]


def test_a_tile_and_a_task_are_entered(typing: Typing, workspace: Workspace, home: Path) -> None:
    text = 'location well "Well":\n    "Gold."\n    action:\n        gain 1\n    example:\n'
    path, _ = typing(
        "rules/well.kb",
        text + '        | H\n        gains 1\n\ntask dig "Dig":\n    "G."\n    gold 1\n^',
    )
    for name in ("well", "dig"):
        do(workspace, titled(workspace, path, f"Enter `{name}` in `expansion.yaml`"))
    assert "KB410" not in codes(workspace, path)
    assert "  well: {kind: location}\n  mill:" in workspace.text(home / "expansion.yaml")
    assert workspace.text(home / "expansion.yaml").endswith("tasks: [dig]\n")


def test_the_number_that_was_found_is_expected(typing: Typing, workspace: Workspace) -> None:
    path, _ = typing("rules/rowers.kb", "+^")
    workspace.open_text(path, workspace.text(path).replace("gives 2", "gives 11 to a"))
    assert code_actions(workspace, path, 0, 500) == ()
    (lens,) = lenses(workspace, path)
    assert (lens.title, lens.holds) == ("`rowers` gives 2, not 11", False)
    assert (
        lens.test.endswith("rowers.kb::rowers")
        and workspace.text(path)[lens.place.start : lens.place.end] == "example:"
    )
    do(workspace, titled(workspace, path, "Expect 2"))
    assert "gives 2 to a\n" in workspace.text(path)
    assert [each.title for each in lenses(workspace, path)] == ["holds"]


def test_warnings_are_fixed_or_ignored(typing: Typing, workspace: Workspace) -> None:
    path, _ = typing("rules/rowers.kb", "+^")
    text = workspace.text(path).replace("mine & adj", "mine & mine & adj")
    workspace.open_text(path, text)
    assert code_actions(workspace, path, 0, len(text)) == ()
    found = next(each for each in workspace.lints(path)[path] if each.fix)
    ignore = titled(workspace, path, f"Ignore {found.code} here")
    fix = next(each for each in code_actions(workspace, path, 0, len(text)) if each.is_preferred)
    assert fix.is_fix and fix.codes == (found.code,)
    do(workspace, fix)
    assert workspace.text(path) == text.replace("mine & mine", "mine")
    workspace.open_text(path, text)
    do(workspace, ignore)
    assert f"    # kb: ignore[{found.code}] say why" in workspace.text(path)
    assert found.code not in {each.code for each in workspace.lints(path)[path]}


def test_scenarios_have_lenses(home: Path, workspace: Workspace) -> None:
    path = home / "scenarios/mill.scenario.yaml"
    (lens,) = lenses(workspace, path)
    assert (lens.title, written(lens.place)) == ("holds", "A mill at the lake")
    assert lenses(workspace, home / "expansion.yaml") == ()


def test_a_card_tells_what_it_paid(home: Path, workspace: Workspace) -> None:
    path, tables = home / "rules/rowers.kb", rowers(home, "greedy", "random")
    with Store(home / "balance-1.sqlite") as store:
        store.begin(tables)
        store.add(play(tables, DealSpan(0, 3)))
        (one,) = answer_in_file(store).rankings[:1]
        (other,) = answer_in_file(store).rankings[1:]
    greedy, random = (f"{each.candidate.gold.value:.1f}" for each in (one, other))
    paid = f"pays {greedy} to a greedy player and {random} to a random player on average"
    assert f"{paid} (3 games)" in lens_titles(workspace, path) and greedy != random
    others = [replace(tables.rulesets[0], digest="others")]
    tables = QuestionTables(rowers(home, "random").question, others)
    with Store(home / "balance-2.sqlite") as store:
        store.begin(tables)
        store.add(play(tables, DealSpan(0, 1)))
    (home / "broken.sqlite").write_bytes(b"no")
    titles = lens_titles(workspace, path)
    assert len(titles) == 2
    assert any("to a random player on average (1 game, by other rules)" in t for t in titles)


def lens_titles(workspace: Workspace, path: Path) -> list[str]:
    return [each.title for each in lenses(workspace, path)]


def rowers(home: Path, *bots: str) -> QuestionTables:
    """The tables on which `rowers` is measured."""
    return QuestionTables(question_about("rowers", Side((), (str(home),)), 2, bots))


def measure(home: Path, bot: str = "random") -> int:
    """Leave a file of a few games of `rowers` beside the box; the highest payment in it."""
    with Store(home / "rowers.sqlite") as store:
        store.begin(tables := rowers(home, bot))
        store.add(play(tables, DealSpan(0, 2)))
        results = [*payments(store, 2)]
    return max(max(paid.gold) for of in results for paid in of.paid if paid.card == "rowers")


@pytest.mark.parametrize("bot", ["greedy", "random"])
def test_the_game_in_which_a_card_paid_most_becomes_a_scenario(
    bot: str, workspace: Workspace, home: Path
) -> None:
    path, gold = home / "rules/rowers.kb", measure(home, bot)
    start = workspace.text(path).index("gold 1")
    assert not code_actions(workspace, home / "rules/anglers.kb", start, start)
    (action,) = code_actions(workspace, path, start, start)
    assert action.title == f"Write a scenario in which `rowers` pays {gold}"
    made = home / "scenarios/rowers_1.scenario.yaml"
    applied(workspace, editing.payment_scenario(workspace, path, action.payment_of))
    (result,) = workspace.examples(made)
    assert result.holds and f"{{rowers: {gold}}}" in workspace.text(made)
    document = workspace.document(made)
    assert document is not None and document.data["board"]["drawing"].count("\n") < 6


def test_a_game_that_cannot_be_played_again_becomes_no_scenario(
    workspace: Workspace, home: Path
) -> None:
    path = home / "rules/rowers.kb"
    with pytest.raises(Refused, match="was not measured"):
        editing.payment_scenario(workspace, path, "rowers")
    measure(home)
    workspace.open_text(path, workspace.text(path).replace("gold 1", "gold 2"))
    with pytest.raises(Refused, match="rules have changed"):
        editing.payment_scenario(workspace, path, "rowers")


def survivor(**facts: object) -> dict[str, object]:
    was, now = "gold 1 per hex in mine & adjacent(lake)", "gold 1 per hex in mine"
    return {
        "in": "card rowers", "file": "moor/rules/rowers.kb", "was": was, "now": now, "reason": "",
        "scenario": SCENARIO.replace("A mill", "Rowers"), **facts,
    }  # fmt: skip


def report(home: Path, *survivors: object) -> None:
    (home / "mutants.json").write_text(json.dumps({"format": 1, "survivors": survivors}))


def test_a_fault_that_no_test_notices_becomes_a_scenario(workspace: Workspace, home: Path) -> None:
    path = home / "rules/rowers.kb"
    assert "gold 1 per hex in mine & adjacent(lake)" in workspace.text(path)
    report(home, survivor())
    title = "Write a scenario that would notice `gold 1 per hex in mine`"
    start = workspace.text(path).index("gold 1")
    assert [each.title for each in code_actions(workspace, path, start, start)] == [title]
    assert not code_actions(workspace, path, 0, 0)
    action = titled(workspace, path, title)
    (edit,) = action.edits
    made = Path(edit.place.file)
    assert made == home / "scenarios/rowers_1.scenario.yaml" and not action.is_fix
    do(workspace, action)
    assert [each.holds for each in workspace.examples(made)] == [True]
    assert not code_actions(workspace, path, start, start)


@pytest.mark.parametrize(
    "entry",
    [
        survivor(reason="it means the same"), survivor(scenario=""), survivor(was="gold 9"),
        survivor(file="other.kb"), survivor(now=None), "rowers", None,
    ],
)  # fmt: skip
def test_faults_that_tell_nothing_of_a_sentence_offer_nothing(
    workspace: Workspace, home: Path, entry: object
) -> None:
    report(home, entry)
    path = home / "rules/rowers.kb"
    assert not code_actions(workspace, path, 0, len(workspace.text(path)))


@pytest.mark.parametrize("text", ["", "[" * 100_000, "[1]", '{"survivors": {}}', "\xff"])
def test_files_that_are_no_report_offer_nothing(
    workspace: Workspace, home: Path, text: str
) -> None:
    (home / "odd.json").write_text(text, encoding="latin-1")
    path = home / "rules/rowers.kb"
    assert not code_actions(workspace, path, 0, len(workspace.text(path)))


def ignoring(workspace: Workspace, path: Path, code: str) -> Iterator[CodeAction]:
    """The actions that ignore a code in a file."""
    for each in code_actions(workspace, path, 0, len(workspace.text(path))):
        if each.title == f"Ignore {code} here":
            yield each


@pytest.mark.parametrize("code", ["KB703", "KB730", "KB760", "KB770"])
def test_an_ignored_warning_is_gone_wherever_it_stands(code: str) -> None:
    entry = CODES[code]
    with example_folder(entry.wrong) as folder:
        home = folder.resolve()
        workspace = Workspace([home])
        path = home / entry.wrong.files[0].name
        assert code in {each.code for each in workspace.lints(path)[path]}
        action = next(ignoring(workspace, path, code))
        workspace.open_text(path, edited(workspace.text(path), action.edits))
        findings = [*workspace.findings(path).values(), *workspace.lints(path).values()]
        assert code not in {each.code for of in findings for each in of}
        assert not any(workspace.findings(path).values())


@pytest.mark.parametrize("code", ["KB508", "KB700", "KB701"])
def test_what_no_comment_suppresses_is_not_offered_to_be(code: str) -> None:
    entry = CODES[code]
    with example_folder(entry.wrong) as folder:
        workspace, path = (
            Workspace([folder.resolve()]),
            folder.resolve() / entry.wrong.files[0].name,
        )
        assert code in {each.code for each in workspace.lints(path)[path]}
        assert not [*ignoring(workspace, path, code)]
