"""The page of a game in a real browser: what it shows is what the engine says, move by move."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from kbrules.engine.logs.replay import parse_log, replay
from kbrules.engine.logs.writing import MatchInfo, Recorder, player_name
from kbrules.engine.matches import Match
from kbrules.engine.setup import choose_table, game_at
from kbrules.hex.sets import bits
from kbrules.library.box import usual_boxes
from kbrules.library.load import load
from kbrules.scenario.report import visible_pieces
from kbrules.text import Source
from kbrules.tools.bots import BOTS
from kbrules.tools.pictures.drawings import RADIUS, centre
from kbrules.tools.pictures.replay import Timeline, badges_of, replay_page, timeline_of
from tests.browser.workshop_page import opened

PLAYERS = 4


def recorded() -> Timeline:
    """A game of all boxes for four, written as a log and read again."""
    ruleset = load(*usual_boxes())
    table = choose_table(ruleset, PLAYERS, 5)
    game = game_at(ruleset, table)
    recorder = Recorder(game, game.start(), MatchInfo(table, 5))
    match = Match(game, 5, [BOTS["greedy"]] * PLAYERS, recorder.watch)
    for played in match:
        recorder.add(played.player, played.move, played.transition)
    recorder.close(match.state)
    log, found = parse_log(Source("game.kblog", "".join(recorder.lines)))
    assert log is not None and found == []
    return timeline_of(log, replay(ruleset, log))


@pytest.fixture(scope="module")
def timeline() -> Timeline:
    return recorded()


@pytest.fixture(scope="module")
def file(timeline: Timeline, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "game.html"
    path.write_text(replay_page(timeline), encoding="utf-8")
    return path


def pieces(page: Any) -> dict[str, str]:
    """The hexes with a piece, and their labels."""
    return page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll("g[data-hex]")]
        .filter(g => g.querySelector("use.piece"))
        .map(g => [g.dataset.hex, g.querySelector("title").textContent]))"""
    )


def cells(page: Any) -> list[list[str]]:
    return page.evaluate(
        """() => [...document.querySelectorAll("#scores tbody tr")]
        .map(row => [...row.children].map(cell => cell.textContent))"""
    )


def shows(page: Any, timeline: Timeline, number: int) -> None:
    """That the page shows the game after so many moves, by what the engine itself says of it."""
    state, board = timeline.states[number], timeline.game.board
    assert page.inner_text("#number") == f"{number} of {len(timeline.played)}"
    expected = {
        board.grid.name(hex): (player, piece)
        for (player, piece), mask in visible_pieces(state).items()
        for hex in bits(mask)
    }
    found = pieces(page)
    assert set(found) == set(expected)
    for hex, (player, piece) in expected.items():
        whose = "nobody" if player < 0 else f"player {player_name(player)}"
        assert found[hex].endswith(f"{board.catalog.pieces[piece].title} of {whose}")
    sheet = timeline.game.score(state)
    rows = {row[0]: [int(cell) for cell in row[1:]] for row in cells(page)}
    for lines in zip(*sheet.lines, strict=True):
        assert rows[lines[0].title] == [line.gold for line in lines]
    assert rows["gained in play"] == list(sheet.gained)
    assert rows["total"] == list(sheet.totals)
    for player in range(PLAYERS):
        held = page.inner_text(f"#player{player} .held")
        titles = [board.catalog.tiles[tile.kind].title for tile in state.seats[player].tiles]
        assert all(title in held for title in titles)
    whose = page.inner_text(".players .active div")
    if not state.is_over:
        assert whose.startswith(f"player {player_name(state.active)}, ") and "in turn" in whose


def test_it_is_small_and_opens_at_once(browser: Any, timeline: Timeline, file: Path) -> None:
    assert file.stat().st_size < 1_500_000
    with opened(browser, file) as page:
        state = timeline.states[-1]
        winners = " and ".join(map(player_name, timeline.game.score(state).winners))
        title = f"Kingdom Builder for {PLAYERS}, won by {winners}"
        assert page.title() == page.inner_text("h1") == title
        loading = "performance.timing.loadEventEnd - performance.timing.navigationStart"
        page.wait_for_function(f"{loading} > 0")
        assert page.evaluate(loading) < 2_000  # 220 ms on a quiet machine
        shows(page, timeline, 0)


def test_keys_go_through_the_game(browser: Any, timeline: Timeline, file: Path) -> None:
    last = len(timeline.played)
    with opened(browser, file) as page:
        for key, number in (
            ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("Home", 0), ("ArrowLeft", 0),
            ("PageUp", 10), ("PageUp", 20), ("PageDown", 10), ("End", last), ("ArrowRight", last),
            ("ArrowLeft", last - 1),
        ):  # fmt: skip
            page.keyboard.press(key)
            shows(page, timeline, number)
            assert page.url.endswith(f"#move={number}")
        page.keyboard.press("End")
        winner = player_name(timeline.game.score(timeline.states[-1]).winners[0])
        assert page.inner_text(".players .active div").startswith(f"player {winner}, ")
        assert "(wins)" in page.inner_text(".players .active div")


def test_slider_buttons_and_turns_go_through_it_as_well(
    browser: Any, timeline: Timeline, file: Path
) -> None:
    last = len(timeline.played)
    with opened(browser, file) as page:
        page.locator("#slider").fill("77")
        shows(page, timeline, 77)
        page.locator("#slider").focus()
        page.keyboard.press("ArrowRight")
        shows(page, timeline, 78)
        for button, number in (("last", last), ("back", last - 1), ("first", 0), ("next", 1)):
            page.locator(f"#{button}").click()
            shows(page, timeline, number)
        turns = list(timeline.turns())
        page.locator("summary").click()
        page.get_by_text(turns[9][1], exact=True).click()
        shows(page, timeline, turns[9][0])
        assert page.inner_text("#event") == turns[9][1]


def test_an_address_opens_it_at_a_move(browser: Any, timeline: Timeline, file: Path) -> None:
    for anchor, number in (
        ("#move=40", 40),
        ("#40", 40),
        ("#move=99999", len(timeline.played)),
        ("#x", 0),
    ):
        with opened(browser, file, anchor) as page:
            shows(page, timeline, number)
    with opened(browser, file) as page:
        page.evaluate("location.hash = '#move=33'")
        page.wait_for_function("document.getElementById('number').textContent.startsWith('33 ')")
        shows(page, timeline, 33)
        assert page.get_attribute("#link", "href") == "#move=33"


def test_it_plays_by_itself_until_it_is_stopped(
    browser: Any, timeline: Timeline, file: Path
) -> None:
    with opened(browser, file) as page:
        page.clock.install(time=0)
        page.clock.pause_at(1000)
        assert page.get_attribute("#event", "aria-live") == "polite"
        page.keyboard.press(" ")
        assert page.get_attribute("#play", "aria-pressed") == "true"
        assert page.get_attribute("#event", "aria-live") == "off"
        page.clock.run_for(3_600)
        page.keyboard.press(" ")
        shows(page, timeline, 5)
        page.clock.run_for(3_600)
        shows(page, timeline, 5)
        page.keyboard.press("End")
        page.keyboard.press(" ")
        page.clock.run_for(800)
        shows(page, timeline, 1)
        page.locator("#speed").select_option("4")
        page.clock.run_for(800)
        shows(page, timeline, 5)


def test_the_event_is_the_story_and_never_empty(
    browser: Any, timeline: Timeline, file: Path
) -> None:
    frames = list(timeline.frames())
    assert all(frame["text"] for frame in frames[1:])
    with opened(browser, file, "#120") as page:
        assert page.text_content("#event") == frames[120]["text"]
        assert page.text_content("#when") == frames[120]["when"]


def test_the_board_is_walked_by_arrow_keys(browser: Any, file: Path) -> None:
    here = "document.activeElement.dataset.hex"
    with opened(browser, file) as page:
        page.locator("#larger").focus()
        page.keyboard.press("Tab")
        assert page.evaluate(here) == "a1"
        assert page.locator("polygon.focus").count() == 1
        for key, hex in (
            ("ArrowRight", "b1"), ("ArrowRight", "c1"), ("ArrowDown", "b2"), ("ArrowLeft", "a2"),
            ("ArrowLeft", "a2"), ("ArrowUp", "a1"), ("ArrowUp", "a1"),
        ):  # fmt: skip
            page.keyboard.press(key)
            assert page.evaluate(here) == hex
        assert page.inner_text("#number").startswith("0 ")
        page.keyboard.press("Tab")
        assert page.locator("polygon.focus").count() == 0
        assert page.evaluate("document.activeElement.id") == "first"
        page.keyboard.press("ArrowRight")
        assert page.inner_text("#number").startswith("1 ")


@pytest.mark.parametrize("width", [360, 800, 1300])
def test_nothing_is_wider_than_the_page(browser: Any, file: Path, width: int) -> None:
    with opened(browser, file, "#200", viewport={"width": width, "height": 700}) as page:
        page.locator("summary").click()
        too_wide = page.evaluate(
            """() => [...document.querySelectorAll("body *")]
            .filter(e => e.getBoundingClientRect().right > innerWidth + 0.5)
            .map(e => e.outerHTML.slice(0, 80))"""
        )
        assert too_wide == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_are_readable_by_day_and_by_night(browser: Any, file: Path, scheme: str) -> None:
    with opened(browser, file, "#200", color_scheme=scheme) as page:
        colours = page.evaluate(
            """() => ["h1", "#event", "#number", ".players li.active", "td:last-child"].map(
              name => getComputedStyle(document.querySelector(name)).color)"""
        )
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert all(contrast(colour, paper) > 7 for colour in colours), (colours, paper)
        rim, frame = (
            page.evaluate(f"getComputedStyle(document.querySelector('.view svg > {name}')).fill")
            for name in ("text", "rect")
        )
        assert contrast(rim, frame) > 7, (rim, frame)


def contrast(one: str, other: str) -> float:
    """How much lighter one colour is than another: 4.5 is called readable, 21 is the most."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    lin = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * lin[0] + 0.7152 * lin[1] + 0.0722 * lin[2]


def test_what_a_move_changed_is_outlined(browser: Any, timeline: Timeline, file: Path) -> None:
    frames = list(timeline.frames())
    number = next(i for i, frame in enumerate(frames) if " builds on " in frame["move"])
    hex = frames[number]["move"].partition(" builds on ")[2].split(".")[0].split(";")[0]
    with opened(browser, file, f"#move={number}") as page:
        ring = page.locator("polygon.came.new.over").get_attribute("points")
        own = page.locator(f'g[data-hex="{hex}"] > polygon').first.get_attribute("points")
        assert ring == own
        page.keyboard.press("Home")
        assert page.locator(".overlay > *").count() == 0


def test_the_whole_turn_is_marked_with_an_arrow_for_each_way(
    browser: Any, timeline: Timeline, file: Path
) -> None:
    """At the end of each of some turns as many marks of each kind as its moves have."""
    ends = [0, *(number for number, _ in timeline.turns())]
    with opened(browser, file) as page:
        for begin, end in list(pairwise(ends))[8:20]:
            page.evaluate(f"go({end})")
            signs = [sign for trail in timeline.trails[begin:end] for sign, *_ in trail]
            assert page.locator(".overlay .way.over").count() == signs.count("went")
            assert page.locator(".overlay .head.over").count() == signs.count("went")
            assert page.locator(".overlay .came.over").count() == signs.count("came")
    assert any(sign == "went" for trail in timeline.trails for sign, *_ in trail)


def test_an_arrow_goes_from_where_a_piece_was_to_where_it_is(
    browser: Any, timeline: Timeline, file: Path
) -> None:
    number, (_, origin, target) = next(
        (number, marks[0])
        for number, marks in enumerate(timeline.trails, 1)
        if marks and marks[0][0] == "went"
    )
    middles = [centre(timeline.game.board, timeline.hexes[int(at)]) for at in (origin, target)]
    with opened(browser, file, f"#move={number - 1}") as page:
        assert page.locator("g.lifted").count() == 1
        page.keyboard.press("ArrowRight")
        assert page.locator("g.lifted").count() == 0
        way = page.locator(".overlay .way.over.new").get_attribute("d")
    numbers = [float(text) for text in re.findall(r"-?[\d.]+", way)]
    for (x, y), at, reach in ((middles[0], numbers[:2], 0.1), (middles[1], numbers[-2:], RADIUS)):
        assert ((x - at[0]) ** 2 + (y - at[1]) ** 2) ** 0.5 <= reach


PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
HEX = "document.querySelector('g[data-hex] > polygon').getBoundingClientRect().width"


def pinch(page: Any, begin: int, end: int) -> None:
    """Two fingers on the board that go from so far apart to so far apart."""
    client = page.context.new_cdp_session(page)

    def touch(kind: str, apart: int) -> None:
        points = [{"x": 190 - apart / 2, "y": 300}, {"x": 190 + apart / 2, "y": 300}]
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", begin)
    for step in range(1, 6):
        touch("touchMove", begin + (end - begin) * step // 5)
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_on_a_phone_hexes_grow_to_a_size_a_finger_meets(browser: Any, file: Path) -> None:
    with opened(browser, file, "#move=120", **PHONE) as page:
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        whole = page.evaluate(HEX)
        page.locator("#larger").tap()
        assert page.evaluate(HEX) >= 24
        page.keyboard.press("0")
        assert page.evaluate(HEX) == pytest.approx(whole)
        for key in "++++++":
            page.keyboard.press(key)
        assert page.evaluate(HEX) == pytest.approx(4 * whole, rel=0.01)
        page.locator("#whole").tap()
        pinch(page, 80, 200)
        assert page.evaluate(HEX) == pytest.approx(2.5 * whole, rel=0.05)
        pinch(page, 200, 40)
        assert page.evaluate(HEX) == pytest.approx(whole)
        assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_the_wheel_zooms_about_the_pointer_and_the_mouse_drags(browser: Any, file: Path) -> None:
    spot = """() => { const box = document.querySelector('g[data-hex="j10"]')
      .getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }"""
    with opened(browser, file) as page:
        before, (x, y) = page.evaluate(HEX), page.evaluate(spot)
        page.mouse.move(x, y)
        page.mouse.wheel(0, -200)
        assert page.evaluate(HEX) == pytest.approx(before)
        page.evaluate("scrollTo(0, 0)")
        page.mouse.move(*page.evaluate(spot))
        page.keyboard.down("Control")
        page.mouse.wheel(0, -200)
        page.keyboard.up("Control")
        page.wait_for_function(f"{HEX} > {before * 1.5}")
        there = page.evaluate(spot)
        assert there == pytest.approx([x, y], abs=3)
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x - 60, y - 40, steps=3)
        page.mouse.up()
        assert page.evaluate(spot) == pytest.approx([x - 60, y - 40], abs=3)


def test_what_a_move_changed_is_in_view(browser: Any, timeline: Timeline, file: Path) -> None:
    hidden = """() => { const frame = document.querySelector("#view").getBoundingClientRect();
      return [...document.querySelectorAll(".overlay .came.new")].filter(each => {
        const box = each.getBoundingClientRect();
        return box.right < frame.left || box.left > frame.right || box.bottom < frame.top ||
          box.top > frame.bottom; }).length; }"""
    built = [i for i, marks in enumerate(timeline.trails, 1) if marks and marks[0][0] == "came"]
    with opened(browser, file, reduced_motion="reduce", **PHONE) as page:
        page.keyboard.press("+")
        page.keyboard.press("+")
        for number in built[::9]:
            page.evaluate(f"go({number})")
            assert page.locator(".overlay .came.new").count() > 0
            assert page.evaluate(hidden) == 0


def test_a_second_grid_does_not_make_the_first_smaller(browser: Any, tmp_path: Path) -> None:
    sizes = []
    for boxes in (["base"], ["base", "island"]):
        ruleset = load(*boxes)
        game = game_at(ruleset, choose_table(ruleset, 2, 1))
        path = tmp_path / f"{len(boxes)}.html"
        path.write_text(replay_page(Timeline(game, game.start(), [])), encoding="utf-8")
        for viewport in (PHONE, {}):
            with opened(browser, path, **viewport) as page:
                sizes.append(page.evaluate(HEX))
    assert sizes[:2] == pytest.approx(sizes[2:], abs=0.2)


def test_marks_of_boxes_stand_on_their_hexes(browser: Any, timeline: Timeline, file: Path) -> None:
    number = len(timeline.played)
    badges = list(badges_of(timeline.game, timeline.states[number]))
    shown = sum(badge.hexes.bit_count() for badge in badges if badge.icon)
    assert shown > 2
    with opened(browser, file, f"#move={number}") as page:
        assert page.locator(".view .badge").count() == shown
        for badge in badges:
            for hex in bits(badge.hexes) if badge.icon else ():
                name = timeline.game.board.grid.name(hex)
                title = page.locator(f'g[data-hex="{name}"] > title').text_content()
                assert f", {badge.title}" in title


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [PHONE["viewport"], {"width": 1280, "height": 800}])
def test_axe_finds_nothing(browser: Any, file: Path, scheme: str, viewport: Any) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    context = browser.new_context(color_scheme=scheme, viewport=viewport, bypass_csp=True)
    page = context.new_page()
    page.goto(file.resolve().as_uri() + "#move=120")
    page.locator("summary").click()
    found = axe.Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    context.close()
    assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []


def test_whoever_wants_no_motion_gets_none(browser: Any, timeline: Timeline, file: Path) -> None:
    names = "getComputedStyle(document.querySelector('g.new > .piece')).animationName"
    number = next(at for at, marks in enumerate(timeline.trails, 1) if marks)
    built = f"#move={number}"
    with opened(browser, file, built) as page:
        assert page.evaluate(names) == "appear"
    with opened(browser, file, built, reduced_motion="reduce") as page:
        assert page.evaluate(names) == "none"
