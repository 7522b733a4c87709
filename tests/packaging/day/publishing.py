"""The evening: cards to be cut, and the box as a site."""

from __future__ import annotations

from collections.abc import Callable

from tests.packaging.day.steps import Day

PICTURES = "kbrules[pictures]"


def evening(day: Day, install: Callable[[], None]) -> None:
    """What others get to see. install: brings the libraries of the extra for pictures."""
    with day.step("cards"):
        day.wrong("cards loner", "KB413", "did you mean `loners`?")
        day.wrong("cards --svg rules/loners.kb", "KB008", "choose another name")
        day.say("cards", "loners")
        day.say("cards --svg pictures", "4 cards")
    with day.step("cards as a PDF"):
        day.wrong("cards --pdf cards.pdf", "KB045", PICTURES)
        day.wrong("cards --png dots", "KB045", PICTURES)
        install()
        day.say("cards --pdf cards.pdf")
        day.say("cards --png dots --example loners=1", "4 cards")
    assert (day.folder / "cards.pdf").read_bytes().startswith(b"%PDF")
    assert (day.folder / "dots" / "loners.png").read_bytes().startswith(b"\x89PNG")
    with day.step("docs"):
        day.wrong("docs orchards --output site", "KB001", "give the folder of an expansion")
        day.wrong("docs . --output rules", "KB008", "choose a new folder with --output")
        day.say("docs . --output site", "site/index.html")
    pages = (page.read_text(encoding="utf-8") for page in (day.folder / "site").rglob("*.html"))
    assert any("Two gold for each of your pieces that stands alone" in page for page in pages)
