"""Texts in other languages: one overlay, complete for what is shipped, refused in words."""

from __future__ import annotations

import re
from itertools import takewhile
from pathlib import Path

import pytest
from typer.testing import CliRunner

import kbrules
from cli.app import app
from kbrules.diagnostics import RulesError
from kbrules.library.box import shipped_boxes, usual_boxes
from kbrules.library.load import load_with_dependencies
from kbrules.library.store import Files
from kbrules.tools.docs.box_pages import Workshop
from kbrules.tools.docs.content import SHARED, Navigation, SiteCoverage, collect_content
from kbrules.tools.docs.site import site_pages
from kbrules.tools.texts import texts_states
from tests.cli.program import run
from tests.library.written import box_in

GERMAN = """\
format: 1
title: Obstgarten
rules:
  orchard_rowers:
    title: Ruderer
    wording: Ein Gold für jede deiner Figuren.
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A box with German texts in a folder; we are above it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    folder = box_in(tmp_path / "mine", "orchard")
    (folder / "texts").mkdir()
    (folder / "texts" / "de.yaml").write_text(GERMAN, encoding="utf-8")
    return folder


def codes(*words: str) -> list[str]:
    output = run(*words).stdout
    parts = output.replace("warning[", "error[").split("error[")[1:]
    return sorted({part[:5] for part in parts})


@pytest.mark.parametrize("names", [usual_boxes(), *([b] for b in shipped_boxes())])
def test_every_text_of_the_shipped_boxes_is_german_and_up_to_date(names: list[str]) -> None:
    files = Files()
    states = list(texts_states(files, load_with_dependencies(names, [], files=files)))
    assert {state.box for state in states} >= {*names}
    for state in states:
        assert state.path.stem == "de"
        assert (state.missing, state.stale) == ((), ()), state.box


def test_titles_and_wordings_alone_are_others() -> None:
    english, german = kbrules.load(), kbrules.load(language="de")
    assert english.digest == german.digest and english.contents == german.contents
    assert english.catalog.hexes != german.catalog.hexes
    for ours, theirs in zip(english.rules, german.rules, strict=True):
        assert (ours.id, ours.kind, len(list(ours.blocks()))) == (
            theirs.id, theirs.kind, len(list(theirs.blocks())),
        )  # fmt: skip
        assert theirs.wording and theirs.wording != ours.wording
    titles = {tile.id: tile.title for tile in german.catalog.tiles}
    rules = {rule.id: rule.title for rule in german.rules}
    assert all(rules[id] == title for id, title in titles.items() if id in rules)


def test_a_game_is_the_same_in_every_language() -> None:
    states = []
    for language in ("", "de"):
        game = kbrules.new_game(kbrules.load("base", language=language), players=2, seed=5)
        state, chance = game.start(), kbrules.Random(5, "moves")
        for _ in range(60):
            moves = list(game.legal_moves(state))
            state = game.play(state, moves[chance.below(len(moves))]).state
        states.append(state.hash())
    assert states[0] == states[1]


def test_a_box_of_ones_own(mine: Path) -> None:
    ruleset = kbrules.load("base", folders=[mine], language="de")
    rule = ruleset.rule("orchard_rowers")
    assert rule is not None
    assert (rule.title, rule.wording) == ("Ruderer", "Ein Gold für jede deiner Figuren.")
    assert ruleset.parts.box_titles == {"base": "Kingdom Builder", "orchard": "Obstgarten"}
    shown = run("show", "card", "orchard_rowers", "--with", "mine", "--lang", "de")
    assert shown.stdout.startswith("Ruderer (card orchard_rowers)\nEin Gold")


def test_a_person_reads_the_wordings_in_the_language(mine: Path) -> None:
    words = ("play", "--with", "mine", "--card", "orchard_rowers", "--bots", "human,random")
    result = CliRunner().invoke(app, [*words, "--lang", "de", "--no-log"], input="rules\nquit\n")
    assert result.exit_code == 0, result.output
    assert "Ruderer\n  Ein Gold für jede deiner Figuren.\n" in result.stdout
    assert re.search(r"a decides, card (Gras|Canyon|Wüste|Blumenfeld|Wald)\n", result.stdout)


def test_what_is_read_again_in_a_language_is_the_same_thing(mine: Path) -> None:
    files = Files("de")
    first, again = (load_with_dependencies(["base"], [mine], files=files) for _ in range(2))
    assert first is again and first.ruleset is not None


def test_printed_cards_are_in_the_language(mine: Path) -> None:
    assert run("cards", "--with", "mine", "--svg", "here", "--lang", "de").exit_code == 0
    card = Path("here/orchard_rowers.svg").read_text(encoding="utf-8")
    assert ">Obstgarten" in card and ">Ruderer<" in card and "gives" not in card
    assert run("cards", "--with", "mine", "--svg", "there").exit_code == 0
    card = Path("there/orchard_rowers.svg").read_text(encoding="utf-8")
    assert ">The orchard" in card and "gives 2" in card


def test_pages_say_the_language_of_what_is_translated_and_of_nothing_else(mine: Path) -> None:
    content = collect_content([], [mine], "de")
    every = site_pages(content, [mine], SiteCoverage(), Workshop())
    pages = list(takewhile(lambda page: not page.path.startswith("boxes/base/"), every))
    navigation = Navigation(pages)
    shown = {page.path: navigation.html(page) for page in pages if "boxes/orchard/" in page.path}
    card = shown["boxes/orchard/card-orchard_rowers.html"]
    assert '<h1 lang="de">Ruderer</h1>' in card
    assert '<p class="wording" lang="de">Ein Gold für jede deiner Figuren.</p>' in card
    assert '<h1 lang="de">Obstgarten</h1>' in shown["boxes/orchard/index.html"]
    shared = next(box for box in content.boxes if box.id == SHARED)
    assert {entry.lang for entry in shared.entries} == {""}


def test_logs_are_the_same_in_every_language(mine: Path) -> None:
    logs = []
    for words in ((), ("--lang", "de")):
        played = run("play", "--with", "mine", "--bots", "random", "--seed", "3", "--force", *words)
        assert played.exit_code == 0, played.output
        logs.append(Path("game.kblog").read_text())
    assert logs[0] == logs[1]
    assert run("replay", "game.kblog", "--with", "mine", "--lang", "de").exit_code == 0


def test_stamps_tell_what_has_changed(mine: Path) -> None:
    assert codes("check", "mine", "--select", "KB77") == ["KB771"]
    assert run("texts", "--with", "mine").exit_code == 1
    assert run("texts", "--with", "mine", "--stamp").exit_code == 0
    text = (mine / "texts" / "de.yaml").read_text(encoding="utf-8")
    assert text.startswith(GERMAN) and 'rules.orchard_rowers: "' in text
    assert run("texts", "--with", "mine", "--stamp").exit_code == 0
    assert (mine / "texts" / "de.yaml").read_text(encoding="utf-8") == text
    assert codes("check", "mine", "--select", "KB77") == []
    rules = mine / "rules" / "orchard.kb"
    rules.write_text(rules.read_text().replace("One gold for each", "One gold per each"))
    told = run("check", "mine", "--select", "KB77").stdout
    assert "KB771" in told and "`rules.orchard_rowers` has changed since" in told
    assert "`title` has changed" not in told


STAMPED = """\
format: 1
stamps:
  title: "00000000"
# not at the left edge
  rules.orchard_rowers: "00000000"

# what it is called
title: Obstgarten  # for people
"""


def test_a_stamp_leaves_all_else_in_the_file(mine: Path) -> None:
    path = mine / "texts" / "de.yaml"
    path.write_text(STAMPED + GERMAN.partition("Obstgarten\n")[2])
    run("texts", "--with", "mine", "--stamp")
    text = path.read_text(encoding="utf-8")
    assert text.startswith(
        "format: 1\n\n# what it is called\ntitle: Obstgarten  # for people\nrules"
    )
    assert text.count("stamps:") == 1 and codes("check", "mine", "--select", "KB77") == []


@pytest.mark.parametrize("text", ["{format: 1, title: Obstgarten}\n", " format: 1\n title: A\n"])
def test_a_file_that_cannot_be_stamped_stays_as_it_is(mine: Path, text: str) -> None:
    path = mine / "texts" / "de.yaml"
    path.write_text(text)
    refused = run("texts", "--with", "mine", "--stamp")
    assert refused.exit_code == 2 and "KB008" in refused.stderr
    assert path.read_text(encoding="utf-8") == text


def test_what_is_missing_is_told(mine: Path) -> None:
    path = mine / "texts" / "de.yaml"
    path.write_text("format: 1\ntitle: Obstgarten\n")
    run("texts", "--with", "mine", "--stamp")
    assert codes("check", "mine", "--select", "KB77") == ["KB770"]
    assert "rules.orchard_rowers" in run("check", "mine", "--select", "KB77").stdout


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("de", GERMAN.replace("orchard_rowers", "orchard_rower"), "KB413"),
        ("de", GERMAN + "terrains: {moor: Moor}\n", "KB413"),
        ("de", GERMAN + "title: Noch einmal\n", "KB404"),
        ("de", GERMAN + "titel: Obst\n", "KB402"),
        ("de", GERMAN.replace("format: 1", "format: 2"), "KB403"),
        ("de", "format: 1\ntitle: 'Obst\n", "KB401"),
        ("deutsch", GERMAN, "KB420"),
    ],
)
def test_bad_texts_are_told(mine: Path, name: str, text: str, code: str) -> None:
    (mine / "texts" / "de.yaml").unlink()
    (mine / "texts" / f"{name}.yaml").write_text(text, encoding="utf-8")
    assert codes("check", "mine", "--select", "KB77") == [code]
    assert run("check", f"mine/texts/{name}.yaml").exit_code == 1


@pytest.mark.parametrize("language", ["../texts/de", "de.yaml", "DE", "x" * 5000, "\0"])
def test_what_is_no_language(language: str) -> None:
    with pytest.raises(RulesError) as refused:
        kbrules.load("base", language=language)
    assert [each.code for each in refused.value.diagnostics] == ["KB420"]


def test_a_language_that_nobody_has(mine: Path) -> None:
    refused = run("play", "--lang", "fr", "--bots", "random", "--no-log")
    assert (
        refused.exit_code == 2 and "KB420" in refused.stderr and "there is `de`" in refused.stderr
    )
    with pytest.raises(RulesError, match="fr"):
        kbrules.load("base", language="fr")
