"""Games in the workshop: rules change under way, logs come and go, boards show what boxes mark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.browser.workshop_page import CHANGED, CLICK, SAME, begin, wait_until

CLOSED = 'rule never "Never":\n    "Nothing is built."\n    forbid build on buildable\n\n'


def move(page: Any) -> str:
    """Choose the first legal hex; what is said of the turn then."""
    before = page.inner_text("#turn")
    page.query_selector("#play svg .legal-dot").evaluate(CLICK)
    wait_until(page, CHANGED, before)
    return str(page.inner_text("#turn"))


def write(page: Any, file: Path, text: str, shown: str) -> None:
    """Change a file on disk, and wait until the page has it."""
    file.write_text(text)
    page.wait_for_selector(f"#editor .cm-line:has-text('{shown}')", state="attached")


def test_a_game_goes_on_by_other_rules_as_far_as_they_allow(page: Any, folder: Path) -> None:
    rules = folder / "rules" / "dale.kb"
    begin(page)
    played = move(page)
    write(page, rules, "# changed\n" + rules.read_text(), "# changed")
    page.click("button:has-text('Apply rules')")
    page.wait_for_timeout(500)
    assert page.inner_text("#turn") == played
    assert "error" not in (page.get_attribute("#status", "class") or "")
    write(page, rules, CLOSED + rules.read_text(), "rule never")
    page.click("button:has-text('Apply rules')")
    page.wait_for_selector("#status.error:has-text('the game ends at move')")
    assert page.inner_text("#turn") != played


def test_a_log_is_saved_and_loaded_and_a_move_done_again(page: Any, tmp_path: Path) -> None:
    begin(page)
    first, second = page.inner_text("#turn"), move(page)
    with page.expect_download() as download:
        page.click("button:has-text('Save log')")
    log = tmp_path / "saved.kblog"
    download.value.save_as(log)
    page.click("button:has-text('Undo')")
    wait_until(page, SAME, first)
    page.click("button:has-text('Redo')")
    wait_until(page, SAME, second)
    page.click("button:has-text('Undo')")
    wait_until(page, SAME, first)
    page.set_input_files("#play input[type=file]", log)
    wait_until(page, SAME, second)
    log.write_text("no log")
    page.set_input_files("#play input[type=file]", log)
    page.wait_for_selector("#status.error")
    assert page.inner_text("#turn") == second


def test_files_of_boxes_are_checked_and_completed_too(page: Any, folder: Path) -> None:
    page.select_option("#file", "expansion.yaml")
    page.wait_for_selector("#editor .cm-line:has-text('id: dale')", state="attached")
    page.locator("#editor .cm-line").first.click()
    page.keyboard.press("Control+End")
    page.keyboard.type("\nplayerz: 3\n")
    page.wait_for_selector("#findings li.error:has-text('playerz')")
    for _ in "playerz: 3\n":
        page.keyboard.press("Backspace")
    page.wait_for_selector("#findings li.error", state="detached")
