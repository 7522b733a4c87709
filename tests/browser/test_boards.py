"""Boards and cards in a real browser: geometry by numbers, and names that want to be more."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cli.app import app
from kbrules.engine.setup import choose_table, game_at
from kbrules.hex.sets import bits, lowest
from kbrules.library.box import usual_boxes
from kbrules.library.load import load
from kbrules.tools.pictures.board import Picture, board_svg, legend, picture_page, players, score
from kbrules.tools.pictures.cards import CardFace, card_svg, faces_in
from kbrules.tools.pictures.replay import picture_of_state
from tests.browser.workshop_page import opened

RULES = load(*usual_boxes())
BOARD = game_at(RULES, choose_table(RULES, 2, 3)).board
SOME = {(0, 0): 1 << BOARD.grid.index("c3"), (2, 0): 1 << BOARD.grid.index("d3")}

HEXES = """() => Object.fromEntries([...document.querySelectorAll("g[data-hex]")].map(g => {
  const points = [...g.querySelector("polygon").points], xs = points.map(p => p.x);
  const ys = points.map(p => p.y), box = g.querySelector("polygon").getBoundingClientRect();
  return [g.dataset.hex, {
    x: box.x + box.width / 2, y: box.y + box.height / 2, width: box.width, height: box.height,
    top: points[ys.indexOf(Math.min(...ys))].x, left: Math.min(...xs), right: Math.max(...xs),
  }];
}))"""
OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll("svg text")].filter(t => t.textContent.trim())
    .map(t => [t.textContent, t.getBoundingClientRect()]);
  const found = [];
  boxes.forEach(([one, a], i) => boxes.slice(i + 1).forEach(([other, b]) => {
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    const slack = 0.25 * Math.min(a.height, b.height);  // boxes have room above and below letters
    if (across > 0.5 && down > slack) found.push([one, other]);
  }));
  return found;
}"""
OUTSIDE = """() => [...document.querySelectorAll("svg polygon, svg text, svg path")]
  .filter(e => !e.closest("defs")).filter(e => {
    const all = e.ownerSVGElement.getBoundingClientRect(), b = e.getBoundingClientRect();
    return b.left < all.left || b.right > all.right || b.top < all.top || b.bottom > all.bottom;
  }).map(e => e.outerHTML.slice(0, 60))"""


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("board") / "board.html"
    path.write_text(picture_page(Picture(BOARD, SOME, {}, "A board")), encoding="utf-8")
    return path


def test_six_neighbours_are_equally_far_and_all_is_inside(browser: Any, board: Path) -> None:
    with opened(browser, board) as page:
        hexes = page.evaluate(HEXES)
        assert page.evaluate(OUTSIDE) == []
        assert page.evaluate(OVERLAPS) == []
    grid = BOARD.grid
    assert set(hexes) == {grid.name(hex) for hex in bits(grid.full)}
    width = hexes["c3"]["width"]
    for name, one in hexes.items():
        assert one["height"] / one["width"] == pytest.approx(2 / 3**0.5, abs=0.01)
        assert one["top"] == pytest.approx((one["left"] + one["right"]) / 2, abs=0.1)
        for other in bits(grid.neighbours(1 << grid.index(name))):
            two = hexes[grid.name(other)]
            apart = ((one["x"] - two["x"]) ** 2 + (one["y"] - two["y"]) ** 2) ** 0.5
            assert apart == pytest.approx(width, rel=0.01)


def test_labels_are_what_a_screen_reader_is_told(browser: Any, board: Path) -> None:
    with opened(browser, board) as page:
        kind = BOARD.catalog.hexes[BOARD.kind_at(lowest(SOME[0, 0]))].title
        named = page.get_by_role("img", name=f"c3: {kind}, red settlement of player a")
        assert named.count() == 1
        assert page.get_by_role("group", name="A board").count() == 1
        assert page.get_by_role("img").count() == BOARD.grid.size


def test_a_piece_hides_no_letter(browser: Any, tmp_path: Path) -> None:
    """Every shape of a player, and every kind of piece, over the letters of their hexes."""
    spots = iter(bits(BOARD.grid.full))
    owned = range(len([piece for piece in BOARD.catalog.pieces if not piece.neutral]))
    pieces = {(player, piece): 1 << next(spots) for player in range(6) for piece in owned}
    path = tmp_path / "board.svg"
    path.write_text(board_svg(Picture(BOARD, pieces)), encoding="utf-8")
    with opened(browser, path) as page:
        assert page.evaluate(OVERLAPS) == []


def test_panels_are_next_to_the_board_and_nothing_is_cut(browser: Any, tmp_path: Path) -> None:
    game = game_at(RULES, choose_table(RULES, 5, 3))
    picture = picture_of_state(game, game.start(), "All")
    panels = [legend(picture), players(game, game.start()), score(game, game.start())]
    path = tmp_path / "board.svg"
    path.write_text(board_svg(picture, panels), encoding="utf-8")
    with opened(browser, path) as page:
        assert page.evaluate(OUTSIDE) == []
        assert page.evaluate(OVERLAPS) == []
        words = page.text_content("svg")
        assert all(panel.title in words for panel in panels)


NASTY = '<script>alert(1)</script>"]]>&'
HARD = CardFace("hard", "card", NASTY, f"{NASTY} WWWW {'mmmm ' * 60}", NASTY, True, None, NASTY)


def test_words_stay_inside_of_their_card(browser: Any, tmp_path: Path) -> None:
    faces = [*faces_in(RULES, usual_boxes(), [])[::14], HARD, replace(HARD, title="W" * 60)]
    for face in faces:
        path = tmp_path / f"{face.id}.svg"
        path.write_text(card_svg(face), encoding="utf-8")
        with opened(browser, path) as page:
            beyond = page.evaluate(
                """() => {
                  const frame = document.querySelectorAll("rect")[1].getBoundingClientRect();
                  return [...document.querySelectorAll("text, polygon, path")]
                    .filter(e => !e.closest("defs"))
                    .filter(e => { const b = e.getBoundingClientRect();
                      return b.left < frame.left || b.right > frame.right || b.top < frame.top ||
                        b.bottom > frame.bottom; }).map(e => e.outerHTML.slice(0, 90));
                }"""
            )
            assert beyond == []
            assert page.evaluate("document.querySelectorAll('script').length") == 0
            size = page.evaluate("document.documentElement.getBoundingClientRect().toJSON()")
            assert size["width"] == pytest.approx(63 / 25.4 * 96, abs=0.1)
            assert size["height"] == pytest.approx(88 / 25.4 * 96, abs=0.1)


ROWS = "\n".join(f"      {' ' * (n % 2)}G C D F T {'1G'[n % 2]} G C D F" for n in range(10))
MANIFEST = f"""\
format: 1
id: dale
title: {NASTY!r}
needs: [base]
tiles:
  mill: {{kind: location, place: location, each: 2, title: {NASTY!r}}}
cards: [rowers]
sections:
  dale:
    places: {{"1": mill}}
    rows: |
{ROWS}
setups:
  dale: {{sections: [[dale, tavern], [oasis, dale turned]], cards: [rowers]}}
"""
CARD = """\
card rowers "<script>alert(1)</script>]]>&":
    "<img src=x onerror=alert(2)> One gold for each."
    gold 1 per hex in mine
    example:
        | .a .
        gives 1

location mill "<script>alert(3)</script>]]>&":
    "<style>*{display:none}</style>"
    action:
        build 1 on empty
    example:
        | .a .+
        offers
"""


def test_names_that_want_to_be_more_stay_names(
    browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A real expansion, a real game, a real browser: what looks like a script is shown."""
    (tmp_path / "dale" / "rules").mkdir(parents=True)
    (tmp_path / "dale" / "expansion.yaml").write_text(MANIFEST, encoding="utf-8")
    (tmp_path / "dale" / "rules" / "dale.kb").write_text(CARD, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    log = "<img src=x onerror=alert(4)>.kblog"
    for words in (
        ["play", "--with", "dale", "--setup", "dale", "--bots", "greedy", "--log", log,
         "--seed", "1"],
        ["show", "log", log, "--with", "dale", "--html", "game.html"],
        ["show", "board", "dale dale/dale dale", "--with", "dale", "--html", "board.html"],
    ):  # fmt: skip
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 0, done.output
    with opened(browser, tmp_path / "game.html") as page:
        page.keyboard.press("End")
        assert page.inner_text("h1") == page.title()
        assert page.title().startswith("Kingdom Builder for 2")
        words = page.inner_text("body")
        assert page.evaluate("document.scripts.length") == 2
        assert page.locator("img, style ~ style, body style").count() == 0
        for text in ("<script>alert(1)</script>]]>&", "<img src=x onerror=alert(2)>", NASTY):
            assert text in words
        assert NASTY in page.text_content("#player0 .held") + page.text_content("#player1 .held")
    with opened(browser, tmp_path / "board.html") as page:
        assert NASTY in page.inner_text("body")
        assert page.evaluate("document.scripts.length") == 0
