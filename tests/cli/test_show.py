"""`kbrules show`: what is in the boxes and in the language, as it is written there."""

from __future__ import annotations

import re
import sys
from functools import lru_cache
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

import kbrules
from cli.app import app
from cli.boxes import BoxWords, boxes_and_folders, load_or_exit, load_words
from kbrules.hex.grid import parse_drawing
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.primitives import registry
from kbrules.primitives.vocabulary import CARD_KINDS, TILE_KINDS
from kbrules.tools.explain import played_log
from tests.example_games import DALE
from tests.tools.pictures.with_cairo import needs_cairo


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load()


@lru_cache(maxsize=8)
def boxes_once(names: tuple[str, ...]) -> Ruleset:
    return load_or_exit(names, ())


@pytest.fixture(autouse=True)
def boxes_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hundreds of pages of the same boxes are shown here; folders of authors are read anew."""

    def found(words: BoxWords) -> Ruleset:
        names, folders = boxes_and_folders(words)
        if folders or words.language:
            return load_words(words)
        return boxes_once(tuple(names))

    monkeypatch.setattr("cli.show.load_words", found)


def show(*words: str) -> Result:
    result = CliRunner().invoke(app, ["show", *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def page(*words: str) -> str:
    result = show(*words)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def letters(text: str) -> list[str]:
    """The hexes of a framed map, row by row, without the frame."""
    drawn = re.compile(r" *\d+ +([A-Z0-9]\b|-)")
    rows = [line.split()[1:] for line in text.splitlines() if drawn.match(line)]
    return ["".join(row) for row in rows if len(row) > 1]


def test_every_card_and_tile_has_a_page_with_its_wording_its_rule_and_its_examples(
    rules: Ruleset,
) -> None:
    shown = [rule for rule in rules.rules if rule.kind in CARD_KINDS | TILE_KINDS]
    assert len(shown) >= 18
    for rule in shown:
        text = page(rule.kind, rule.id)
        assert text.startswith(f"{rule.title} ({rule.kind} {rule.id})\n{rule.wording}\n")
        assert f"\n{rule.span.source.name}:{rule.span.line}\n" in text
        heading = rule.span.source.line_text(rule.span.line)
        if not rule.span.is_derived:
            assert f"{rule.span.line} | {heading}\n" in text
        assert text.count("\nExample") == len(rule.examples)
        assert "example:" not in text
        for example in rule.examples:
            assert example.title in text
            assert all(f"\n  {line.span.text}" in text for line in example.lines)
            assert example.drawing is not None
            drawn = [word.text for row in parse_drawing(example.drawing.text).rows for word in row]
            marked = [word for word in drawn if word[-1] in "+<"]
            assert text.count("+") >= sum(word.endswith("+") for word in marked)


def test_each_numbered_line_is_the_line_of_the_file(rules: Ruleset) -> None:
    for rule in rules.rules:
        if rule.kind in CARD_KINDS | TILE_KINDS and not rule.span.is_derived:
            for number, line in re.findall(r"(?m)^ +(\d+) \|(.*)$", page(rule.kind, rule.id)):
                assert rule.span.source.line_text(int(number)).rstrip() == line[1:]


def test_what_a_table_says_is_shown_as_if_it_were_written_out(rules: Ruleset) -> None:
    found = [rule for rule in rules.rules if rule.span.is_derived and rule.kind in TILE_KINDS]
    assert len(found) == 7
    for rule in found:
        lines = re.findall(r"(?m)^ +(\d+) \|(.*)$", page(rule.kind, rule.id))
        assert lines[0][1] == f' {rule.kind} {rule.id} "{rule.title}":'
        for number, line in lines:
            written = rule.span.source.line_text(int(number))
            plain = re.split(r"\{\w+\}", written)
            assert re.fullmatch(".*".join(map(re.escape, plain)), line[1:])


def test_lists_have_every_name(rules: Ruleset) -> None:
    for kind in ("card", "location", "rule"):
        names = [line.split()[0] for line in page(kind).splitlines()]
        assert names == sorted(rule.id for rule in rules.rules if rule.kind == kind)
    names = [line.split()[0] for line in page("section").splitlines()]
    assert names == sorted(rules.parts.sections)
    assert set(rules.parts.setups) == {line.split()[0] for line in page("board").splitlines()}


def test_without_a_kind_the_kinds_are_listed() -> None:
    kinds = page().split()
    assert {"card", "location", "section", "board", "word", "step"} <= set(kinds)
    for kind in kinds:
        assert page(kind)


# Maps


def test_a_section_is_drawn_counted_and_named(rules: Ruleset) -> None:
    for id, section in rules.parts.sections.items():
        text = page("section", id)
        assert text.startswith(f"{id}, upright\n")
        width = max(map(len, section.rows))
        assert letters(text) == [row.ljust(width, "-") for row in section.rows]
        counted = dict(re.findall(r"\b([A-Z]) [^,\n]*? (\d+)(?=,|\n)", text))
        for kind in rules.catalog.hexes:
            drawn = sum(row.count(kind.letter) for row in section.rows)
            of_tiles = [
                digit for digit, tile in section.places.items()
                if rules.catalog.tiles[rules.catalog.tile_index(tile)].place == kind.id
            ]  # fmt: skip
            drawn += sum(row.count(digit) for digit in of_tiles for row in section.rows)
            assert int(counted.get(kind.letter, 0)) == drawn
        assert all(tile in text for tile in section.places.values())
        assert ("stand-in" in text) is section.stand_in


def test_a_turned_section_is_the_same_upside_down(rules: Ruleset) -> None:
    for id in (section.id for section in rules.parts.sections.values() if not section.grid):
        upright, turned = letters(page("section", id)), letters(page("section", id, "--turned"))
        assert turned == [row[::-1] for row in reversed(upright)]


def test_a_section_off_the_table_is_not_turned(rules: Ruleset) -> None:
    (first, *_) = (section.id for section in rules.parts.sections.values() if section.grid)
    refused = show("section", first, "--turned")
    assert refused.exit_code == 2 and "KB413" in refused.stderr
    assert f"lies upright: `show section {first}`" in refused.stderr


def test_a_board_may_have_a_second_grid(rules: Ruleset) -> None:
    text = page("board", "tavern paddock/oasis farm; island: island_rope_bridge")
    drawn = letters(text)
    assert drawn[:20] == letters(page("board", "tavern paddock/oasis farm"))
    assert text.splitlines().count("island:") == 1
    # which digit stands for a tile depends on the other tiles there are
    island = letters(page("section", "island_rope_bridge"))
    assert drawn[20:] == [row.replace("1", "5") for row in island]


def test_a_board_is_its_sections_side_by_side(rules: Ruleset) -> None:
    def drawn(*words: str) -> list[str]:
        # which digit stands for a tile depends on the other tiles there are
        return [re.sub("[0-9]", "0", row) for row in letters(page(*words))]

    text = drawn("board", "tavern paddock/oasis farm turned")
    parts = {name: drawn("section", name) for name in ("tavern", "paddock", "oasis")}
    turned = drawn("section", "farm", "--turned")
    assert text[:10] == [a + b for a, b in zip(parts["tavern"], parts["paddock"], strict=True)]
    assert text[10:] == [a + b for a, b in zip(parts["oasis"], turned, strict=True)]


def test_a_board_has_the_name_of_its_set_up(rules: Ruleset) -> None:
    for id, setup in rules.parts.setups.items():
        if setup.layout is not None:
            assert page("board", id) == page("board", str(setup.layout))


def test_a_stand_in_says_so(tmp_path: Path) -> None:
    (tmp_path / "expansion.yaml").write_text(
        "format: 1\nid: dale\ntitle: The Dale\nsection: {rows: 2, columns: 2}\n"
        "terrains:\n  heath: {letter: H}\n"
        "sections:\n  north:\n    map: stand-in\n    rows: |\n      H H\n       H H\n"
    )
    folder = ("--with", str(tmp_path))
    assert "stand-in maps, not the printed ones: north" in page("section", "north", *folder)
    assert "stand-in maps, not the printed ones: north" in page("board", "north", *folder)
    assert "(stand-in map)" in page("section", *folder)


# Words


def test_every_word_and_step_has_a_page() -> None:
    for word in [*registry.WORDS, *registry.FOLDS]:
        text = page("word", word.signature.name)
        assert word.signature.page in text and word.signature.example in text
    for word in registry.WORDS:
        signature = word.signature
        assert f"{signature}: {signature.result}\n" in page("word", signature.name)
    for step in registry.STEPS:
        text = page("step", step.signature.verb)
        assert f"{step.signature.pattern}\n{step.signature.page}" in text
        assert f"For example: {step.signature.example}" in text


def test_tags_of_boxes_are_words_too(rules: Ruleset) -> None:
    tags = {tag for kind in rules.catalog.hexes for tag in kind.tags}
    assert tags
    for tag in tags:
        assert page("word", tag).startswith(f"{tag}: hexes\n")


# What is not there


@pytest.mark.parametrize(
    ("words", "near"),
    [
        (("card", "knihgts"), "`knights`"),
        (("location", "tavrn"), "`tavern`"),
        (("section", "paddok"), "`paddock`"),
        (("board", "first-gme"), "`first-game`"),
        (("word", "adjcent"), "`adjacent`"),
        (("step", "biuld"), "`build`"),
        (("crad", "knights"), "`card`"),
        (("word", "no-such-word"), "there are: "),
        (("board", "tavern/paddock oasis"), "write rows of sections"),
    ],
)
def test_what_is_not_there_is_guessed(words: tuple[str, str], near: str) -> None:
    result = show(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "error[KB413]" in result.stderr
    assert near in result.stderr


def test_an_expansion_that_is_wrong_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "expansion.yaml").write_text("format: 1\nid: dale\n")
    result = show("card", "--with", str(tmp_path))
    assert result.exit_code == 2
    assert "error[KB412]" in result.stderr


# Options, and things without their kind


def test_options_are_listed_by_question_box_by_box(rules: Ruleset) -> None:
    listed = page("options")
    for name, value in rules.options.items():
        shown = value if type(value) is not bool else "yes" if value else "no"
        assert f"\n    {name}={shown} by default\n" in listed
    assert page("options", "null_moves") == page("option", "null_moves")
    of_hex = page("options", "--with", str(Path(__file__).parents[1] / "house" / "hex"))
    assert "\n  May the second player take over the first stone?\n    swapping=no by" in of_hex
    assert "\n    yes: The second player may take over" in of_hex and "\n    no: not so\n" in of_hex
    assert "\n    source: a swap makes up" in of_hex


def test_options_are_listed_with_what_holds(rules: Ruleset) -> None:
    listed = page("option")
    for name, value in rules.options.items():
        shown = {True: "yes", False: "no"}.get(value, str(value)) if type(value) is bool else value
        assert re.search(rf"(?m)^{name} +{shown}: \w", listed)
        text = page("option", name)
        assert text.startswith(f"{name} (option, {shown} by default)\n")
        if type(value) is bool:  # what is shown to be typed is the choice that changes something
            assert f"--ruling {name}={'no' if value else 'yes'}\n" in text + "\n"
        place = re.search(r"(?m)^(\S+\.kb):(\d+)$", text)
        assert place is not None
        line = (Path(kbrules.__file__).parents[1] / place[1]).read_text().splitlines()
        assert name in line[int(place[2]) - 1]
    result = show("option", "lords_rank_zer")
    assert result.exit_code == 2 and "did you mean `lords_rank_zero`?" in result.stderr


@pytest.mark.parametrize(
    ("word", "guess"),
    [
        ("families", "show card families"), ("famlies", "show card families"),
        ("tavern", "show location tavern"), ("adjacent", "show word adjacent"),
        ("lords_rank_zero", "show option lords_rank_zero"), ("crad", "card"),
    ],
)  # fmt: skip
def test_a_thing_without_its_kind(word: str, guess: str) -> None:
    result = show(word)
    assert result.exit_code == 2
    assert f"help: did you mean `{guess}`?" in result.stderr


# Pictures


def test_a_board_is_written_as_a_picture(tmp_path: Path) -> None:
    seen = show("board", "first-game", "--svg", str(tmp_path / "board.svg"))
    assert (seen.exit_code, seen.stdout) == (0, "")
    root = ElementTree.fromstring((tmp_path / "board.svg").read_text(encoding="utf-8"))
    assert len([each for each in root.iter() if each.get("data-hex")]) == 400
    assert show("section", "farm", "--turned", "--svg", str(tmp_path / "s.svg")).exit_code == 0
    assert "F" in (tmp_path / "s.svg").read_text(encoding="utf-8")


def test_what_has_no_picture_is_told_and_nothing_is_written(tmp_path: Path) -> None:
    seen = show("card", "knights", "--svg", str(tmp_path / "card.svg"))
    assert seen.exit_code == 2
    assert "KB413" in seen.stderr
    assert "no picture" in seen.stderr
    assert "KB008" in show("board", "first-game", "--svg", str(tmp_path / "no" / "b.svg")).stderr
    assert list(tmp_path.iterdir()) == []


@pytest.fixture()
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An author's folder of one scenario, in which we are."""
    for name, text in DALE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "first.scenario.yaml").write_text(SCENARIO)
    monkeypatch.chdir(tmp_path)
    return tmp_path


SCENARIO = """\
format: 1
title: Beside <another>
players: 2
board:
  drawing: |
    Ha H H
     H Hb H
turn: {player: a}
steps:
  - expect: {pieces: {a: {hut: [a1]}}}
"""


def test_a_scenario_is_shown_and_drawn_as_it_begins(folder: Path) -> None:
    assert page("scenario", "first.scenario.yaml").startswith("Beside <another>\n\n  a   b   c\n")
    assert show("scenario", "first.scenario.yaml", "--svg", "one.svg").exit_code == 0
    root = ElementTree.parse("one.svg").getroot()
    assert root.get("aria-label") == "Beside <another>"
    spoken = [each.findtext("{*}title") for each in root.iter() if each.get("data-hex")]
    assert "a1: heath, red hut of player a" in spoken
    assert "b2: heath, blue hut of player b" in spoken
    assert page("scenario", "first.scenario.yaml", "--svg", "-") == Path("one.svg").read_text()


def test_an_example_is_named_by_its_title(folder: Path) -> None:
    assert "building" in page("scenario", "rules/game.kb")
    listed = page("scenario", ".").splitlines()
    assert listed == ["first.scenario.yaml::Beside <another>", "rules/game.kb::building"]
    assert "KB009" in show("scenario", ".", "--svg", "x.svg").stderr
    missed = show("scenario", "rules/game.kb::bulding")
    assert missed.exit_code == 2 and "did you mean `building`?" in missed.stderr
    assert not (folder / "x.svg").exists()


TWO = """\
rule mooring "Mooring":
    "Nobody builds between two huts of their own."
    forbid build on touching(mine, at least 2)
    example "beside one":
        | .a .+ .+
        offers
    example "between two":
        | .a .  .a .+
        offers
"""


def test_an_example_is_named_by_its_number_its_beginning_or_its_rule(folder: Path) -> None:
    (folder / "rules" / "more.kb").write_text(TWO)
    second = page("scenario", "rules/more.kb::2")
    assert second.startswith("mooring, between two\n")
    assert page("scenario", "rules/more.kb::Mooring, bet") == second
    several = show("scenario", "rules/more.kb::mooring").stderr
    assert "`mooring` may mean 2 of them; say which" in several
    assert "'rules/more.kb::mooring, beside one'" in several  # as a shell takes it
    (folder / "rules" / "more.kb").write_text(TWO.partition('    example "between')[0])
    assert page("scenario", "rules/more.kb::rule mooring").startswith("mooring, beside one\n")


def test_a_log_is_shown_at_a_moment_and_as_a_page(folder: Path) -> None:
    rules = ("--with", ".")
    (folder / "game.kblog").write_text(played_log(), encoding="utf-8")
    assert page("log") == "game.kblog\n"
    assert "a: hut 1 left" in page("log", "game.kblog", "--at", "1", *rules)
    assert "a: hut 0 left" in page("log", "game.kblog", *rules)
    assert show("log", "game.kblog", "--html", "game.html", *rules).stdout == ""
    text = Path("game.html").read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>") and "<title>game.kblog</title>" not in text
    assert show("log", "game.kblog", "--at", "99", *rules).exit_code == 2


def test_players_score_and_key_are_next_to_the_picture_of_a_log(folder: Path) -> None:
    rules = ("--with", ".")
    (folder / "game.kblog").write_text(played_log(), encoding="utf-8")
    panels = ("--panel", "players", "--panel", "score", "--panel", "legend")
    assert show("log", "game.kblog", "--svg", "bare.svg", *rules).exit_code == 0
    assert show("log", "game.kblog", "--svg", "all.svg", *panels, *rules).exit_code == 0
    bare, whole = (
        ElementTree.fromstring((folder / name).read_text(encoding="utf-8"))
        for name in ("bare.svg", "all.svg")
    )
    words = [str(each.text) for each in whole.iter() if each.tag.endswith("}text")]
    places = [words.index(title) for title in ("Players", "Score", "On the board")]
    assert places == sorted(places)
    assert "total" in words[places[1] : places[2]]
    assert any("player a, red: hut 0 left" in word for word in words[places[0] : places[1]])
    widths = [float(str(root.get("viewBox")).split()[2]) for root in (bare, whole)]
    assert widths[1] > widths[0]


def test_panels_are_refused_where_there_is_nothing_for_them(tmp_path: Path) -> None:
    picture = str(tmp_path / "b.svg")
    for words, said in (
        (("board", "first-game", "--panel", "legend"), "no picture"),
        (("board", "first-game", "--panel", "score", "--svg", picture), "only a log"),
        (("board", "first-game", "--panel", "key", "--svg", picture), "'key'"),
    ):
        seen = show(*words)
        assert (seen.exit_code, seen.stdout) == (2, "")
        assert said in seen.stderr
    assert list(tmp_path.iterdir()) == []
    assert show("board", "first-game", "--panel", "legend", "--svg", picture).exit_code == 0


def test_of_a_log_that_is_cut_off_the_good_part_is_shown(folder: Path) -> None:
    lines = played_log().splitlines(keepends=True)
    (folder / "game.kblog").write_text("".join(lines[:2]), encoding="utf-8")
    seen = show("log", "game.kblog", "--with", ".", "--html", "game.html")
    assert seen.exit_code == 1 and "truncated" in seen.stderr
    assert Path("game.html").exists()


@needs_cairo
def test_a_picture_in_dots_is_as_wide_as_asked(tmp_path: Path) -> None:
    path = tmp_path / "board.png"
    assert show("board", "first-game", "--png", str(path), "--width", "300").exit_code == 0
    head = path.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(head[16:20], "big") == 300


def test_without_the_extra_one_is_told_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    seen = show("board", "first-game", "--png", str(tmp_path / "board.png"))
    assert seen.exit_code == 2
    assert "error[KB045]" in seen.stderr and "pip install 'kbrules[pictures]'" in seen.stderr
    assert list(tmp_path.iterdir()) == []


def test_in_the_folder_of_an_expansion_its_own_things_are_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    runner = CliRunner()
    assert runner.invoke(app, ["new", "expansion", "vale"]).exit_code == 0
    assert runner.invoke(app, ["show", "card", "vale_keeper"]).exit_code == 2
    monkeypatch.chdir(tmp_path / "vale")
    own = runner.invoke(app, ["show", "card", "vale_keeper"])
    assert own.stdout == runner.invoke(app, ["show", "card", "vale_keeper", "--with", "."]).stdout
    assert own.stdout.startswith("Keeper of Vale")
    assert runner.invoke(app, ["show", "card", "knights"]).exit_code == 0
    assert "did you mean `vale_keeper`" in runner.invoke(app, ["show", "card", "vale_keper"]).stderr


def test_an_expansion_with_mistakes_keeps_nobody_from_looking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "expansion.yaml").write_text("name: [")
    assert CliRunner().invoke(app, ["show", "card", "knights"]).exit_code == 0
