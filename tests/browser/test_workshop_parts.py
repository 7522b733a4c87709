"""The parts of the workshop's page: editor, reasons, numbers, drawing by mouse and finger, tabs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from kbrules.tools.workshop.serving import WorkshopServer
from tests.browser.workshop_page import (
    PHONE,
    WORKSHOP_WIDE as WIDE,
    begin,
    go_to,
    opened_workshop as opened,
    wait_until,
)

RULE = '\nrule never "Never":\n    "Banks are not built on."\n    forbid build on adjacent(water)\n'
INSIDE = "[...document.querySelector('#editor').shadowRoot.querySelectorAll('{}')]"
CLAUSE = "#answer .clause:has-text('adjacent(water)')"
SELECTED = INSIDE.format(".cm-activeLine") + ".map(each => each.textContent).join()"


def inside(page: Any, selector: str) -> str:
    """The texts of elements in the editor."""
    return str(page.evaluate(INSIDE.format(selector) + ".map(each => each.textContent).join(' ')"))


def method(request: Any) -> str:
    """What a request of the page asks of the session."""
    return str(request.post_data_json["method"])


@contextmanager
def held(page: Any, name: str, most: int = 1000) -> Iterator[Callable[[], None]]:
    """The first requests of a method wait until they are released, or until the end."""
    routes: list[Any] = []
    over: list[bool] = []

    def answer(route: Any) -> None:
        if method(route.request) == name and len(routes) < most and not over:
            routes.append(route)
        else:
            route.continue_()

    def release() -> None:
        over.append(True)
        while routes:
            routes.pop(0).continue_()

    page.route("**/api", answer)
    yield release
    release()
    page.unroute("**/api")


def wait_inside(page: Any, selector: str, text: str) -> None:
    """Wait for an element with a text in the editor."""
    page.wait_for_selector(f"#editor {selector}:has-text('{text}')")


def test_words_are_proposed_and_their_pages_shown(page: Any, folder: Path) -> None:
    go_to(page, folder, "gold 2 per lake")
    page.keyboard.type(" + coun")
    wait_inside(page, ".cm-tooltip-autocomplete", "count")
    page.wait_for_timeout(150)  # a list that has only just opened takes no key
    page.keyboard.press("Enter")
    page.keyboard.type("lake")
    go_to(page, folder, "gold 2 per lake")
    assert "+ count(lake)" in inside(page, ".cm-line")
    page.locator("#editor .cm-line:has-text('gold 2') span:text-is('groups')").hover()
    wait_inside(page, ".cm-tooltip .page", "The connected groups of a set.")


def test_a_slip_is_mended_by_its_button(page: Any, folder: Path) -> None:
    go_to(page, folder, "gold 2 per lake")
    page.keyboard.type(" + cout(lake)")
    page.wait_for_selector("#findings li.error")
    for _ in "(lake)":
        page.keyboard.press("ArrowLeft")
    page.click("#fixes button:has-text('count')")
    page.wait_for_selector("#findings li", state="detached")
    assert "+ count(lake)" in inside(page, ".cm-line")


def test_a_reason_puts_the_cursor_at_its_clause(page: Any, folder: Path) -> None:
    with (folder / "rules" / "dale.kb").open("a") as file:
        file.write(RULE)
    page.wait_for_selector("#status:has-text('changed on disk')")
    begin(page)
    closed = "#play svg [data-hex]:not(:has(.legal-dot))"
    for number in range(page.locator(closed).count()):
        page.evaluate("document.querySelector('#answer')?.remove()")  # that of the hex before
        page.locator(closed).nth(number).dispatch_event("click")
        page.wait_for_selector("#answer")
        if page.locator(CLAUSE).count():
            break
    page.click(CLAUSE)
    wait_until(page, "document.activeElement?.id === 'editor'")
    assert "forbid build on adjacent(water)" in page.evaluate(SELECTED)
    page.locator("#play svg [data-hex]:has(.legal-dot)").first.hover(force=True)
    page.wait_for_selector("#allowed:has-text('terrain of your card')")


def test_a_card_is_measured_and_the_measurement_stopped(page: Any) -> None:
    page.click("#tab-measure")
    page.wait_for_selector("#measured:enabled option", state="attached")
    page.select_option("[aria-label='Who plays']", "random")
    page.fill("#games", "10000")
    page.click("#run")
    page.wait_for_selector("#found .finding")
    page.click("#stop")
    page.wait_for_selector("#measured-state:has-text('stopped')")
    assert float(page.get_attribute("#progress", "value")) >= 2
    page.fill("#games", "2")
    page.click("#run")
    page.wait_for_selector("#measured-state:has-text('done')")
    assert "Rowers pays" in page.inner_text("#found .finding")


def test_the_card_of_a_turn_is_forced(page: Any) -> None:
    begin(page)
    page.click("#inside > summary")
    before = page.inner_text("#turn")
    other = "forest" if "canyon" in before else "canyon"
    page.select_option("#forced", other)
    page.click("#force")
    page.wait_for_selector(f"#turn:has-text('card {other}')")
    assert page.locator("#inside").get_attribute("open") is not None


def carry(page: Any, origin: str, hex: str) -> None:
    """Carry what an element holds to a hex of the picture, by the mouse."""
    start = page.locator(origin).first.bounding_box()
    end = page.locator(f"article svg [data-hex={hex}] polygon").first.bounding_box()
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + 4, end["y"] + end["height"] / 2, steps=4)
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2)
    page.mouse.up()


def test_pieces_are_carried_to_hexes_and_the_text_follows(page: Any, folder: Path) -> None:
    go_to(page, folder, "gold 2 per lake")
    page.click("article summary")
    carry(page, "article [data-sign=bs]", "c1")
    page.wait_for_selector("#editor .cm-line:has-text('| W  .a .b W  W')", state="attached")
    page.wait_for_selector("article svg [data-hex=c1] title:has-text('b')", state="attached")
    carry(page, "article svg [data-hex=c1] polygon", "a2")
    page.wait_for_selector("#editor .cm-line:has-text('| W  .a .  W  W')", state="attached")
    page.wait_for_selector("#editor .cm-line:has-text('.b .  .a .a .')", state="attached")


def test_a_finger_carries_too(served: WorkshopServer, browser: Any, folder: Path) -> None:
    with opened(browser, served.address, viewport=PHONE, has_touch=True, is_mobile=True) as page:
        go_to(page, folder, "gold 2 per lake")
        page.click("#tab-examples")
        page.click("article summary")
        page.locator("article [data-sign=bs]").scroll_into_view_if_needed()
        touch = page.context.new_cdp_session(page)
        start = page.locator("article [data-sign=bs]").bounding_box()
        end = page.locator("article svg [data-hex=c1] polygon").first.bounding_box()
        ways = [("touchStart", start), ("touchMove", start), ("touchMove", end), ("touchEnd", None)]
        for number, (kind, box) in enumerate(ways):
            points = [] if box is None else [
                {"x": box["x"] + box["width"] / 2 + number, "y": box["y"] + box["height"] / 2}
            ]  # fmt: skip
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        page.wait_for_selector("#editor .cm-line:has-text('| W  .a .b W  W')", state="attached")
        page.wait_for_selector("article svg [data-hex=c1] title:has-text('b')", state="attached")


def test_another_tab_takes_the_text_or_says_so(
    page: Any, served: WorkshopServer, browser: Any, folder: Path
) -> None:
    with opened(browser, served.address) as other:
        go_to(page, folder, "gold 2 per lake")
        page.keyboard.type(" # one")
        with other.expect_response(lambda it: method(it.request) == "findings"):
            other.bring_to_front()
        other.wait_for_selector("#editor .cm-line:has-text('# one')", state="attached")
        served.session.handle("text", {"path": "rules/dale.kb", "tab": "third"})
        text = served.session.handle("text", {"path": "rules/dale.kb"})["result"]["text"]
        third = {"path": "rules/dale.kb", "text": text + "# third\n", "tab": "third"}
        go_to(other, folder, "gold 2 per lake")
        with held(other, "changes"):
            assert "result" in served.session.handle("findings", third)
            other.keyboard.type(" and two")
            other.click("#conflict button:has-text('Keep mine')")
        page.bring_to_front()
        page.wait_for_selector("#editor .cm-line:has-text('# one and two')", state="attached")


def test_what_another_tab_writes_at_the_same_time_is_taken(
    page: Any, served: WorkshopServer, folder: Path
) -> None:
    """Nothing was typed here, so there is nothing to be asked."""
    here, lines = {"path": "rules/dale.kb", "tab": "third"}, ["# second\n"]

    def write(line: str) -> None:
        text = served.session.handle("text", here)["result"]["text"]
        assert "result" in served.session.handle("findings", {**here, "text": line + text})

    def answer(route: Any) -> None:
        if lines and method(route.request) == "findings":
            write(lines.pop())
        route.continue_()

    page.route("**/api", answer)
    write("# first\n")
    page.wait_for_selector("#editor .cm-line:has-text('# second')", state="attached")
    assert page.locator("#conflict").is_hidden()
    page.unroute("**/api")


def test_nothing_is_asked_or_sent_while_a_question_is_open(
    page: Any, served: WorkshopServer, folder: Path
) -> None:
    """The other file is not opened either: what was typed here would be lost."""
    third = {"path": "rules/dale.kb", "tab": "third"}
    go_to(page, folder, "gold 2 per lake")
    text = served.session.handle("text", third)["result"]["text"]
    with held(page, "changes"):
        assert "result" in served.session.handle("findings", {**third, "text": text + "# third\n"})
        page.keyboard.type(" # mine")
        page.wait_for_selector("#conflict button:has-text('Keep mine')")
    sent: list[str] = []
    page.on("request", lambda it: it.method == "POST" and sent.append(method(it)))
    page.wait_for_timeout(5000)
    assert sent.count("findings") <= 1
    page.select_option("#file", "expansion.yaml")
    page.wait_for_selector("text=say first which text counts")
    assert page.locator("#file").input_value() == "rules/dale.kb"
    page.click("#conflict button:has-text('Keep mine')")
    page.wait_for_selector("#editor .cm-line:has-text('# mine')", state="attached")
    page.select_option("#file", "expansion.yaml")
    page.wait_for_selector("#editor .cm-line:has-text('needs:')", state="attached")
    assert "# mine\n" in served.session.handle("text", third)["result"]["text"]


def test_an_older_text_never_replaces_a_newer_one(
    page: Any, served: WorkshopServer, folder: Path
) -> None:
    """Each key may send a text; a slow one must not undo what is typed after it."""
    go_to(page, folder, "gold 2 per lake")
    with held(page, "findings", most=1) as release:
        page.keyboard.type(" # one")
        page.wait_for_timeout(500)
        with page.expect_response(lambda it: "# one" in (it.request.post_data or "")):
            release()
    answer = served.session.handle("text", {"path": "rules/dale.kb", "tab": "third"})
    assert "# one\n" in answer["result"]["text"]


LONG, TURNED = "<b>&" + "x" * 10_000, "\u202e"


def test_hostile_texts_of_any_length_stay_text(page: Any, folder: Path) -> None:
    rules = folder / "rules" / "dale.kb"
    title = "<img src=x onerror=alert(1)>"
    text = rules.read_text().replace('rowers "Rowers"', f'rowers "{title}"')
    rules.write_text(text.replace("the pond has one piece", LONG))
    go_to(page, folder, "gold 2 per lake", LONG[:50])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    begin(page)
    page.click("#tab-measure")
    page.wait_for_selector("#measured:enabled option", state="attached")
    assert title in page.inner_text("#measured")
    assert page.query_selector("main img, main article b, main script") is None
    rules.write_text(text.replace("the pond has one piece", TURNED))
    page.wait_for_selector("#findings li.error")
    said = page.inner_text("#findings")
    assert TURNED not in said and "\\u202e" in said


def test_the_page_is_used_by_keys_alone(page: Any) -> None:
    page.focus("#tab-examples")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "tab-play"
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "new-game":
            break
    page.keyboard.press("Enter")
    page.wait_for_selector("#play svg .legal-dot", state="attached")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.hex"):
            break
    first = page.evaluate("document.activeElement.dataset.hex")
    page.keyboard.press("ArrowDown")
    assert first and page.evaluate("document.activeElement.dataset.hex") != first
    page.keyboard.press("Enter")
    page.wait_for_selector("#answer, #turn:has-text('3 moves')")


@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "desktop"])
def test_nothing_lies_over_another_and_nothing_is_cut(page: Any, size: dict[str, int]) -> None:
    page.set_viewport_size(size)
    begin(page)
    for tab in ("write", "examples", "play", "measure"):
        if page.locator(f"#tab-{tab}").is_visible():
            page.click(f"#tab-{tab}")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), tab
        assert page.evaluate(OVERLAPS) == [], tab


OVERLAPS = """() => {
  const shown = [...document.querySelectorAll("button, input, select, summary, h1, h2, #status")]
    .filter((each) => each.checkVisibility() && each.textContent + each.value + each.placeholder);
  const boxes = shown.map((each) => [each, each.getBoundingClientRect()]);
  const name = (each) => each.id || each.textContent.slice(0, 20);
  const wrong = [];
  for (const [one, a] of boxes) {
    if (a.width && (a.left < -1 || a.right > innerWidth + 1)) wrong.push(`${name(one)} is cut`);
    for (const [other, b] of boxes) {
      if (one === other || one.contains(other) || other.contains(one)) continue;
      const apart = a.right <= b.left + 1 || b.right <= a.left + 1
        || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
      const part = (each) => each.closest("section, header, #tabs");
      const alike = part(one) === part(other);
      if (!apart && alike) wrong.push(`${name(one)} over ${name(other)}`);
    }
  }
  return wrong;
}"""


def test_nothing_moves_where_motion_is_not_wanted(served: WorkshopServer, browser: Any) -> None:
    for motion in ("no-preference", "reduce"):
        moves = durations(browser, served, motion)
        assert (moves == {"0s"}) == (motion == "reduce")


DURATIONS = """() =>
  [...document.querySelectorAll("*")].map((each) => getComputedStyle(each).transitionDuration)"""


def durations(browser: Any, served: WorkshopServer, motion: str) -> set[str]:
    """How long changes of looks take on the page of a game."""
    with opened(browser, served.address, reduced_motion=motion) as page:
        begin(page)
        assert motion != "reduce" or page.evaluate("document.getAnimations().length") == 0
        return set(page.evaluate(DURATIONS))


def test_a_game_and_its_rules_are_in_the_address(
    page: Any, served: WorkshopServer, browser: Any, folder: Path
) -> None:
    begin(page)
    page.click("button:has-text('Share')")
    page.wait_for_selector("#status:has-text('address')")
    fragment = page.evaluate("location.hash")
    assert fragment.startswith("#game=")
    with opened(browser, served.address) as other:
        other.evaluate("hash => { location.hash = hash }", fragment)
        other.wait_for_selector("#play svg.board")
        assert other.inner_text("#turn") == page.inner_text("#turn")
        other.evaluate("location.hash = '#game=AAAA'")
        other.wait_for_selector("#status.error:has-text('holds no game')")
