"""What the editor is told of a place, counted as a browser counts."""

from __future__ import annotations

from pathlib import Path

from kbrules.tools.workshop.session import WorkshopSession
from tests.tools.workshop.asking import RULES, refused, result_of

SNAIL = "# \U0001f40c\n"
BOX, SCENARIO = "expansion.yaml", "scenarios/ford.scenario.yaml"


def place(text: str, word: str) -> int:
    """Where a word is, in units of UTF-16."""
    return len(text[: text.index(word)].encode("utf-16-le")) // 2


def test_a_word_has_its_page_behind_odd_letters_and_carriage_returns(
    session: WorkshopSession, folder: Path
) -> None:
    path = folder / RULES
    path.write_bytes((SNAIL + path.read_text()).replace("\n", "\r\n").encode())
    result_of(session, "changes")
    text = result_of(session, "text", path=RULES)["text"]
    at = place(text, "groups(water)")
    found = result_of(session, "hover", path=RULES, at=at + 2)
    assert (found["from"], found["to"]) == (at, at + len("groups"))
    assert "groups(of: hexes): groups" in found["markdown"]
    assert result_of(session, "hover", path=RULES, at=0) == {}


def test_words_are_proposed_in_all_kinds_of_files(session: WorkshopSession) -> None:
    text = result_of(session, "text", path=RULES)["text"]
    found = result_of(session, "complete", path=RULES, at=place(text, "groups(water)") + 2)
    assert "groups" in {each["label"] for each in found["proposals"]}
    assert found["from"] == place(text, "groups(water)")
    for path in (BOX, SCENARIO):
        text = result_of(session, "text", path=path)["text"]
        end = len(text.encode("utf-16-le")) // 2
        assert result_of(session, "complete", path=path, at=end)["proposals"]


def test_a_finding_is_mended_by_an_action(session: WorkshopSession) -> None:
    text = result_of(session, "text", path=RULES)["text"].replace("groups(water)", "grops(water)")
    result_of(session, "edit", path=RULES, text=text)
    at = place(text, "grops")
    (action,) = result_of(session, "actions", path=RULES, at=at + 1)["actions"]
    assert action["edits"] == [{"path": RULES, "from": at, "to": at + 5, "text": "groups"}]
    assert result_of(session, "actions", path=RULES, at=0)["actions"] == []


def test_what_cannot_be_read_is_found_without_a_look_at_other_files(
    session: WorkshopSession,
) -> None:
    for path, wrong in ((RULES, "card x\n  gold\n"), (BOX, "a: [\n"), (SCENARIO, "a: [\n")):
        assert result_of(session, "syntax", path=path, text=wrong)["findings"]
        assert result_of(session, "edit", path=path)["findings"][path]
    refused(session, "syntax", path="none.kb", text="")
