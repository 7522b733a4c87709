"""The session behind the workshop page, its server, and texts as a browser counts them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbrules.tools.check import FileChecker
from kbrules.tools.workshop.game import from_fragment, to_fragment
from kbrules.tools.workshop.rules import MAX_VALUE, RequestError, from_browser, to_browser
from kbrules.tools.workshop.session import WorkshopSession
from kbrules.tools.workshop.writing import MAX_FILES, WorkingCopy
from tests.tools.workshop.asking import RULES, refused, result_of


@given(st.text(), st.integers(0, 50))
def test_offsets_go_to_the_browser_and_back(text: str, at: int) -> None:
    at = min(at, len(text))
    if any("\ud800" <= each <= "\udfff" for each in text):
        return
    assert to_browser(text, at) == len(text[:at].encode("utf-16-le")) // 2
    assert from_browser(text, to_browser(text, at)) == at


def test_a_finding_is_at_its_word_behind_odd_letters_and_carriage_returns(
    session: WorkshopSession, folder: Path
) -> None:
    rules = folder / RULES
    rules.write_bytes(rules.read_bytes().replace(b"\n", b"\r\n"))
    assert result_of(session, "changes")["taken"] == [RULES]
    text = result_of(session, "text", path=RULES)["text"]
    assert "\r" not in text
    text = "# \U0001f40c\n" + text.replace("in groups(water)", "in grops(water)")
    found = result_of(session, "edit", path=RULES, text=text)["findings"][RULES]
    units = text.encode("utf-16-le")
    finding = next(each for each in found if each["code"] == "KB201")
    assert units[2 * finding["from"] : 2 * finding["to"]].decode("utf-16-le") in ("grops", "grops(")
    result_of(session, "save", path=RULES)
    assert rules.read_bytes().count(b"\r\n") == text.count("\n")


def test_findings_are_those_of_check(session: WorkshopSession, folder: Path) -> None:
    text = result_of(session, "text", path=RULES)["text"].replace("mine", "mnie")
    found = result_of(session, "edit", path=RULES, text=text)["findings"]
    result_of(session, "save", path=RULES)
    expected = FileChecker().check([folder]).all
    assert [each["code"] for each in found[RULES]] == [each.code for each in expected]


def test_a_file_that_is_no_utf_8_stays_as_it_is(session: WorkshopSession, folder: Path) -> None:
    rules = folder / RULES
    rules.write_bytes(rules.read_bytes() + b"# caf\xe9\n")
    result_of(session, "changes")
    text = result_of(session, "text", path=RULES)["text"]
    result_of(session, "edit", path=RULES, text=text)
    assert not result_of(session, "text", path=RULES)["changed"]
    result_of(session, "save", path=RULES)
    assert rules.read_bytes().endswith(b"# caf\xe9\n")


def test_a_file_that_changed_on_disk_is_not_written_over(
    session: WorkshopSession, folder: Path
) -> None:
    text = result_of(session, "text", path=RULES)["text"]
    result_of(session, "edit", path=RULES, text=text + "\n")
    (folder / RULES).write_text("# mine\n")
    assert refused(session, "save", path=RULES) == "KB008"
    assert result_of(session, "changes")["taken"] == []
    assert (folder / RULES).read_text() == "# mine\n"


def test_files_come_and_go_as_on_disk(session: WorkshopSession, folder: Path) -> None:
    new, gone = "rules/new.kb", "scenarios/ford.scenario.yaml"
    (folder / new).write_text("# new\n")
    (folder / gone).unlink()
    assert result_of(session, "changes")["taken"] == [new, gone]
    names = [each["path"] for each in result_of(session, "open")["files"]]
    assert new in names and gone not in names
    result_of(session, "edit", path=new, text="# newer\n")
    (folder / new).unlink()
    assert result_of(session, "changes")["taken"] == []
    assert refused(session, "save", path=new) == "KB008"
    assert not (folder / new).exists() and "newer" in result_of(session, "text", path=new)["text"]


def test_a_folder_that_became_a_link_is_not_written_through(
    session: WorkshopSession, folder: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    (folder / "rules").rename(elsewhere)
    (folder / "rules").symlink_to(elsewhere)
    before = (elsewhere / "dale.kb").read_bytes()
    result_of(session, "edit", path=RULES, text="# mine\n")
    assert refused(session, "save", path=RULES) == "KB008"
    assert (elsewhere / "dale.kb").read_bytes() == before


def test_a_folder_of_very_many_files_is_told(tmp_path: Path) -> None:
    many, place = tmp_path / "many", tmp_path / "place"
    many.mkdir()
    place.mkdir()
    for number in range(MAX_FILES + 1):
        (many / f"{number}.kb").touch()
    with pytest.raises(RequestError, match="500 files"):
        WorkingCopy(many, place)


@pytest.mark.parametrize(
    "text", ["\x1a", "\x1b", "\x1b\n", "\x1c", "a\x1b", "#\x1b", "\u202e", "\0"]
)
def test_characters_that_are_not_seen_have_no_style(session: WorkshopSession, text: str) -> None:
    result_of(session, "edit", path=RULES, text=text)
    assert refused(session, "format", path=RULES) == "KB009"


def test_nothing_outside_of_the_folder_is_read_or_written(
    session: WorkshopSession, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret.kb").write_text("secret")
    for path in ("../secret.kb", str(tmp_path / "secret.kb"), "", "rules", "rules/../../secret.kb"):
        for method in ("text", "save", "edit", "format", "examples"):
            assert refused(session, method, path=path, text="") in ("KB001", "KB009")
    (folder / "rules" / "link.kb").symlink_to(tmp_path / "secret.kb")
    assert result_of(session, "changes")["taken"] == []


@pytest.mark.parametrize(
    ("method", "values"),
    [
        ("nothing", {}), ("text", {"path": 1}), ("examples", {"path": RULES, "at": "x"}),
        ("edit", {"path": RULES, "text": "x" * (MAX_VALUE + 1)}),
        ("edit", {"path": RULES, "text": "\ud800"}), ("new_game", {"bots": ["nobody", "greedy"]}),
        ("new_game", {"bots": ["human"]}), ("new_game", {"boxes": ["none"]}),
        ("new_game", {"seed": -7}), ("new_game", {"cards": ["none"]}), ("undo", {}),
        ("move", {"text": "build a1"}), ("why", {"question": "a"}), ("load", {"text": "{}"}),
        ("share", {"fragment": "AAAA"}), ("share", {"fragment": to_fragment({"header": 3})}),
        ("share", {"fragment": to_fragment({"header": "{}", "moves": ["x"]})}),
        ("draw", {"path": RULES, "example": 0, "hex": "a1", "sign": "W"}),
    ],
)  # fmt: skip
def test_what_cannot_be_had_is_told(session: WorkshopSession, method: str, values: Any) -> None:
    refused(session, method, **values)


@given(st.binary(max_size=80))
def test_an_address_that_somebody_changed_is_told(noise: bytes) -> None:
    whole = to_fragment({"a": 1})
    changed = whole[: len(noise) % len(whole)] + noise.decode("latin-1")
    try:
        assert isinstance(from_fragment(changed), dict)
    except Exception as error:
        assert type(error).__name__ == "RequestError"


def played(session: WorkshopSession, moves: int) -> Any:
    view = result_of(session, "new_game", bots=["human", "greedy"], seed=3)
    for _ in range(moves):
        group = view["offered"][0]
        text = " ".join([group["text"], *group["hexes"][:1]])
        view = result_of(session, "move", text=text)
    return view


def test_a_game_is_undone_shared_loaded_and_goes_on(session: WorkshopSession) -> None:
    view = played(session, 6)
    result_of(session, "undo")
    result_of(session, "undo")
    assert result_of(session, "redo")["number"] < view["number"]
    back = result_of(session, "redo")
    assert {**back, "can_redo": False} == view
    log, fragment = result_of(session, "log")["text"], result_of(session, "share")["fragment"]
    for again in (
        result_of(session, "load", text=log), result_of(session, "share", fragment=fragment),
        result_of(session, "reload"),
    ):  # fmt: skip
        assert (again["hash"], again["number"]) == (view["hash"], view["number"])
        assert "stopped" not in again


def test_rules_that_change_are_played_as_far_as_the_moves_hold(session: WorkshopSession) -> None:
    view = played(session, 6)
    text = result_of(session, "text", path=RULES)["text"]
    never = '\nrule never "Never":\n    "None."\n    forbid build on grass | forest | desert\n'
    result_of(session, "edit", path=RULES, text=text + never)
    changed = result_of(session, "reload")
    assert changed["stopped"]["number"] <= view["number"] and changed["number"] < view["number"]
    result_of(session, "edit", path=RULES, text=text + "\nrule")
    assert refused(session, "reload") == "KB009"
    assert result_of(session, "view")["hash"] == changed["hash"]


def test_an_example_that_is_drawn_says_what_is_drawn(session: WorkshopSession) -> None:
    text = result_of(session, "text", path=RULES)["text"]
    at = text.index("card rowers") + 30
    (example,) = result_of(session, "examples", path=RULES, at=at)["examples"]
    assert example["holds"]
    for hex, sign, row in (("c1", "bs", "| W  .a .b W  W"), ("a1", "+", "| W+ .a .  W  W")):
        answer = result_of(session, "draw", path=RULES, example=example["from"], hex=hex, sign=sign)
        (edit,) = answer["edits"]
        drawn = text[: edit["from"]] + edit["text"] + text[edit["to"] :]
        assert row in drawn and len(drawn) == len(text)


def test_shipped_rules_can_be_read_and_nothing_else(session: WorkshopSession) -> None:
    name = "rules/base/scoring.kb"
    file = result_of(session, "text", path=name)
    assert file["shipped"] and not file["changed"] and "card fishermen" in file["text"]
    at = file["text"].index(":", file["text"].index("card fishermen"))
    near = result_of(session, "examples", path=name, at=at)
    assert near["title"] == "fishermen" and all(each["holds"] for each in near["examples"])
    assert result_of(session, "edit", path=name, text=file["text"])["findings"] is not None
    assert refused(session, "edit", path=name, text="") and refused(session, "save", path=name)
    assert file["text"] == result_of(session, "text", path=name)["text"]
    assert not result_of(session, "text", path=RULES)["shipped"]
    assert refused(session, "text", path="rules/../rules/base/scoring.kb") == "KB001"
