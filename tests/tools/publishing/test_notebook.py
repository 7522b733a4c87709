"""Values in a notebook: what they show, by the methods that notebooks ask for."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from xml.etree import ElementTree

import pytest

import kbrules
from kbrules.engine.logs.writing import player_name
from kbrules.hooks import use_renderer
from kbrules.scenario.report import visible_pieces

SVG = "{http://www.w3.org/2000/svg}"
RULES = kbrules.load("base", "island")
GAME = kbrules.new_game(RULES, 2, 5)


def state_after(moves: int) -> kbrules.State:
    state, random = GAME.start(), kbrules.Random(5, "mine")
    for _ in range(moves):
        state = GAME.apply(state, GAME.legal_moves(state).sample(random))
    return state


def hexes_of(text: str | None) -> dict[str, str]:
    assert text is not None
    root = ElementTree.fromstring(text)
    groups = [group for group in root.iter(f"{SVG}g") if group.get("data-hex")]
    return {str(group.get("data-hex")): str(group.findtext(f"{SVG}title")) for group in groups}


def test_a_board_and_a_game_are_pictures() -> None:
    assert len(hexes_of(GAME.board._repr_svg_())) == GAME.board.grid.size
    assert len(hexes_of(GAME._repr_svg_())) == GAME.board.grid.size


def test_a_state_is_the_board_with_its_pieces() -> None:
    state = state_after(60)
    labels = hexes_of(state._repr_svg_())
    stands = {hex for hex, label in labels.items() if " of player " in label}
    masks = visible_pieces(state).values()
    assert stands == {name for mask in masks for name in GAME.board.names(mask)}
    assert len(stands) > 20


def test_a_state_of_no_known_game_shows_nothing() -> None:
    state = state_after(3)
    object.__setattr__(state, "cache", None)
    assert state._repr_svg_() is None


def test_moves_are_a_table_of_who_what_and_how_many() -> None:
    draw = GAME.legal_moves(GAME.start())
    assert f"of {sum(draw.weights)} that are left" in str(draw._repr_html_())
    moves = GAME.legal_moves(state_after(30))
    text = str(moves._repr_html_())
    rows = re.findall(r"<tr><th scope=\"row\">(\w+)</th><td>(\w+)</td><td>(\d+)</td>", text)
    assert rows and sum(int(count) for *_, count in rows) == len(moves)
    assert f"<caption>{player_name(moves.player)} decides" in text
    assert "nothing to decide" in str(kbrules.MoveSet(0, ())._repr_html_())


def test_a_sheet_is_a_table_that_adds_up() -> None:
    sheet = GAME.score(state_after(80))
    text = str(sheet._repr_html_())
    cells = [[int(n) for n in re.findall(r">(-?\d+)<", row)] for row in text.split("<tr>")[2:]]
    *rows, totals = cells
    assert [sum(column) for column in zip(*rows, strict=True)] == totals == list(sheet.totals)
    assert "won by" not in text
    assert "won by" in str(replace(sheet, is_final=True, judge=lambda t: t)._repr_html_())


def test_a_game_tells_its_cards_and_hostile_words_stay_words(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    text = str(GAME._repr_html_())
    for card in GAME.cards:
        rule = RULES.rule(card)
        assert rule is not None and f"<dt>{rule.title}</dt>" in text
    sheet = GAME.score(GAME.start())
    lines = tuple((replace(line[0], title="<script>"), *line[1:]) for line in sheet.lines)
    assert "<script>" not in str(replace(sheet, lines=lines)._repr_html_())


def test_where_nobody_draws_a_notebook_falls_back_on_words() -> None:
    """And what draws is not loaded before something is shown."""
    program = (
        "import sys, kbrules\n"
        "from kbrules.game.moves import MoveSet\n"
        "assert MoveSet(0, ())._repr_html_() is None\n"
        "kbrules.Random\n"
        "assert 'kbrules.tools.pictures.notebook' not in sys.modules\n"
        "assert MoveSet(0, ())._repr_html_()\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_another_renderer_can_be_used() -> None:
    use_renderer(lambda value, form: f"{type(value).__name__} as {form}")
    try:
        assert GAME.board._repr_svg_() == "Board as svg"
    finally:
        use_renderer(kbrules._rendered)
