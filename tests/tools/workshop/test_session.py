"""The session behind the workshop page: texts, games, measuring, several tabs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from kbrules.library.boards.tables import DrawingSource
from kbrules.library.load import load, needed
from kbrules.library.store import Files
from kbrules.project.project import Project
from kbrules.text import Source
from kbrules.tools.balance import balance_report
from kbrules.tools.check import checked
from kbrules.tools.language_service.answers import (
    MAX_VALUE,
    Refused,
    edited,
    from_browser,
    to_browser,
)
from kbrules.tools.language_service.examples import move_piece
from kbrules.tools.reports.data import to_data
from kbrules.tools.simulate.question import Side, question_about
from kbrules.tools.simulate.report import simulate
from kbrules.tools.workshop.game import MAX_FRAGMENT, from_fragment, to_fragment
from kbrules.tools.workshop.session import LiveSession, ProcessSession, WorkshopSession
from kbrules.tools.workshop.writing import MAX_FILES, WorkingCopy
from tests.tools.workshop.asking import RULES, Ending, refused, result_of


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
    found = result_of(session, "findings", path=RULES, text=text)[RULES]
    units = text.encode("utf-16-le")
    finding = next(each for each in found if each["code"] == "KB201")
    assert units[2 * finding["from"] : 2 * finding["to"]].decode("utf-16-le") in ("grops", "grops(")
    result_of(session, "save", path=RULES)
    assert rules.read_bytes().count(b"\r\n") == text.count("\n")


def test_findings_are_those_of_check(session: WorkshopSession, folder: Path) -> None:
    text = result_of(session, "text", path=RULES)["text"].replace("mine", "mnie")
    found = result_of(session, "findings", path=RULES, text=text)
    result_of(session, "save", path=RULES)
    expected = checked(Project([folder])).all
    assert [each["code"] for each in found[RULES]] == [each.code for each in expected]


def test_a_file_that_is_no_utf_8_stays_as_it_is(session: WorkshopSession, folder: Path) -> None:
    rules = folder / RULES
    rules.write_bytes(rules.read_bytes() + b"# caf\xe9\n")
    result_of(session, "changes")
    text = result_of(session, "text", path=RULES)["text"]
    result_of(session, "findings", path=RULES, text=text)
    assert not result_of(session, "text", path=RULES)["changed"]
    result_of(session, "save", path=RULES)
    assert rules.read_bytes().endswith(b"# caf\xe9\n")


def test_a_file_that_changed_on_disk_is_not_written_over(
    session: WorkshopSession, folder: Path
) -> None:
    text = result_of(session, "text", path=RULES)["text"]
    result_of(session, "findings", path=RULES, text=text + "\n")
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
    result_of(session, "findings", path=new, text="# newer\n")
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
    result_of(session, "findings", path=RULES, text="# mine\n")
    assert refused(session, "save", path=RULES) == "KB008"
    assert (elsewhere / "dale.kb").read_bytes() == before


def test_a_folder_of_very_many_files_is_told(tmp_path: Path) -> None:
    many = tmp_path / "many"
    many.mkdir()
    for number in range(MAX_FILES + 1):
        (many / f"{number}.kb").touch()
    with pytest.raises(Refused, match="500 files"):
        WorkingCopy(many)


@pytest.mark.parametrize(
    "text", ["\x1a", "\x1b", "\x1b\n", "\x1c", "a\x1b", "#\x1b", "\u202e", "\0"]
)
def test_characters_that_are_not_seen_have_no_style(session: WorkshopSession, text: str) -> None:
    result_of(session, "findings", path=RULES, text=text)
    assert refused(session, "format", path=RULES) == "KB009"


def test_nothing_outside_of_the_folder_is_read_or_written(
    session: WorkshopSession, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret.kb").write_text("secret")
    for path in ("../secret.kb", str(tmp_path / "secret.kb"), "", "rules", "rules/../../secret.kb"):
        for method in ("text", "save", "findings", "format", "near"):
            assert refused(session, method, path=path, text="") in ("KB001", "KB009")
    (folder / "rules" / "link.kb").symlink_to(tmp_path / "secret.kb")
    assert result_of(session, "changes")["taken"] == []


@pytest.mark.parametrize(
    ("method", "values"),
    [
        ("nothing", {}), ("text", {"path": 1}), ("near", {"path": RULES, "at": "x"}),
        ("findings", {"path": RULES, "text": "x" * (MAX_VALUE + 1)}),
        ("findings", {"path": RULES, "text": "\ud800"}),
        ("new_game", {"bots": ["nobody", "greedy"]}),
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
        assert type(error).__name__ == "Refused"


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


def test_an_undone_move_leaves_the_turn_it_was_in(session: WorkshopSession) -> None:
    before = played(session, 2)["turns"]
    group = result_of(session, "view")["offered"][0]
    result_of(session, "move", text=" ".join([group["text"], *group["hexes"][:1]]))
    assert before[-1] and result_of(session, "undo")["turns"] == before


def test_rules_that_change_are_played_as_far_as_the_moves_hold(session: WorkshopSession) -> None:
    view = played(session, 6)
    text = result_of(session, "text", path=RULES)["text"]
    never = '\nrule never "Never":\n    "None."\n    forbid build on grass | forest | desert\n'
    result_of(session, "findings", path=RULES, text=text + never)
    changed = result_of(session, "reload")
    assert changed["stopped"]["number"] <= view["number"] and changed["number"] < view["number"]
    result_of(session, "findings", path=RULES, text=text + "\nrule")
    assert refused(session, "reload") == "KB009"
    assert result_of(session, "view")["hash"] == changed["hash"]


def test_an_example_that_is_drawn_says_what_is_drawn(session: WorkshopSession) -> None:
    text = result_of(session, "text", path=RULES)["text"]
    at = text.index("card rowers") + 30
    (example,) = result_of(session, "near", path=RULES, at=at)["examples"]
    assert example["holds"]
    for hex, sign, row in (("c1", "bs", "| W  .a .b W  W"), ("a1", "+", "| W+ .a .  W  W")):
        put = {"example": example["from"], "hex": hex, "sign": sign}
        (edit,) = result_of(session, "draw", path=RULES, **put)
        drawn = text[: edit["from"]] + edit["text"] + text[edit["to"] :]
        assert row in drawn and len(drawn) == len(text)


def test_shipped_rules_can_be_read_and_nothing_else(session: WorkshopSession) -> None:
    name = "rules/base/scoring.kb"
    file = result_of(session, "text", path=name)
    assert file["shipped"] and not file["changed"] and "card fishermen" in file["text"]
    at = file["text"].index(":", file["text"].index("card fishermen"))
    near = result_of(session, "near", path=name, at=at)
    assert near["title"] == "fishermen" and all(each["holds"] for each in near["examples"])
    assert result_of(session, "findings", path=name, text=file["text"]) is not None
    assert refused(session, "findings", path=name, text="") and refused(session, "save", path=name)
    assert file["text"] == result_of(session, "text", path=name)["text"]
    assert not result_of(session, "text", path=RULES)["shipped"]
    assert refused(session, "text", path="rules/../rules/base/scoring.kb") == "KB001"


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
    assert result_of(session, "hover", path=RULES, at=0) is None


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
    result_of(session, "findings", path=RULES, text=text)
    at = place(text, "grops")
    (action,) = result_of(session, "actions", path=RULES, start=at + 1, end=at + 1)
    assert action["edits"] == [{"path": RULES, "from": at, "to": at + 5, "text": "groups"}]
    assert result_of(session, "actions", path=RULES, start=0, end=0) == []


def test_what_cannot_be_read_is_found_without_a_look_at_other_files(
    session: WorkshopSession,
) -> None:
    for path, wrong in ((RULES, "card x\n  gold\n"), (BOX, "a: [\n"), (SCENARIO, "a: [\n")):
        assert result_of(session, "syntax", path=path, text=wrong)
        assert result_of(session, "findings", path=path)[path]
    refused(session, "syntax", path="none.kb", text="")


CARD, DEALS, SEED = "rowers", 3, 5


def figures_outside(folder: Path) -> Any:
    """The figures of a balance in one go."""
    boxes = needed(Files(), [], [folder])
    ruleset = load(*boxes, folders=[folder])
    side = Side(tuple(boxes), ruleset.folders)
    asked = question_about(CARD, side, ruleset.parts.players[0], ("random",), SEED)
    return to_data(simulate(asked, DEALS, report=balance_report).data.bots)


def test_deal_by_deal_the_figures_are_those_of_a_balance(
    session: WorkshopSession, folder: Path
) -> None:
    cards = result_of(session, "cards")["cards"]
    assert cards[0] == {"id": CARD, "title": "Rowers"} and len(cards) > 5
    begun = result_of(session, "balance", card=CARD, bots=["random"], games=DEALS, seed=SEED)
    assert begun == {"done": 0, "most": DEALS}
    seen = [result_of(session, "balance_more") for _ in range(DEALS - 1)]
    assert [each["done"] for each in seen] == [2, 3]
    assert seen[-1]["figures"] == figures_outside(folder) != seen[0]["figures"]
    assert "--seed 5" in seen[-1]["text"] and seen[-1]["svg"].startswith("<svg")


def test_a_card_that_was_typed_since_is_measured(session: WorkshopSession) -> None:
    name = "rules/dale.kb"
    text = result_of(session, "text", path=name)["text"]
    result_of(session, "write", path=name, text=text.replace("gold 2 per lake", "gold 0 per lake"))
    result_of(session, "balance", card=CARD, bots=["random"], games=2)
    assert "pays 0.0 gold" in result_of(session, "balance_more")["sentences"][0]


@pytest.mark.parametrize(
    "wish",
    [
        {"card": "none"}, {"card": CARD, "games": 1}, {"card": CARD, "games": 10**6},
        {"card": CARD, "bots": ["nobody"]}, {"card": CARD, "boxes": ["none"]},
    ],
)  # fmt: skip
def test_what_cannot_be_measured_is_told(session: WorkshopSession, wish: dict[str, Any]) -> None:
    refused(session, "balance", **wish)
    refused(session, "balance_more")


CLAUSE = "forbid build on grass & adjacent(water)"
NEVER = f'\nrule never "Never":\n    "Banks are not built on."\n    {CLAUSE}\n'


def test_a_reason_leads_to_its_clause(session: WorkshopSession) -> None:
    text = result_of(session, "text", path=RULES)["text"] + NEVER
    result_of(session, "new_game", seed=3)
    (before,) = result_of(session, "force", card="grass")["offered"]
    result_of(session, "write", path=RULES, text=text)
    (after,) = result_of(session, "reload")["offered"]
    closed = next(hex for hex in before["hexes"] if hex not in after["hexes"])
    found = result_of(session, "why", question=f"why not {closed}")
    assert not found["legal"]
    (own,) = [each for each in found["clauses"] if each.get("path") == RULES]
    assert text[own["from"] : own["to"]] == CLAUSE and own["path"] == RULES
    assert own["speaks"] == "against" and own["sentence"] == "Banks are not built on."


def test_a_legal_move_has_the_sentences_that_allow_it(session: WorkshopSession) -> None:
    group = result_of(session, "new_game", seed=3)["offered"][0]
    found = result_of(session, "why", question=f"{group['text']} {group['hexes'][0]}")
    assert found["legal"] and all(each["speaks"] == "for" for each in found["clauses"])
    assert any("terrain of your card" in each["sentence"] for each in found["clauses"])
    path, at = found["clauses"][0]["path"], found["clauses"][0]["from"]
    shown = result_of(session, "text", path=path)
    assert shown["shipped"] and shown["text"][at:].startswith("permit build")


def test_a_card_that_is_forced_is_a_draw_of_the_log(session: WorkshopSession) -> None:
    view = result_of(session, "new_game", seed=3)
    cards = view["inside"]["cards"]
    other = next(card for card in cards if card not in view["shown"])
    forced = result_of(session, "force", card=other)
    assert forced["shown"] == [other] and forced["number"] == view["number"]
    assert f'"move":"draw {other}"' in result_of(session, "log")["text"].replace(": ", ":")
    again = result_of(session, "load", text=result_of(session, "log")["text"])
    assert again["hash"] == forced["hash"]
    refused(session, "force", card="none")
    assert result_of(session, "view")["hash"] == forced["hash"]


def test_what_is_inside_is_read_from_the_state(session: WorkshopSession) -> None:
    view = result_of(session, "new_game", seed=3)
    inside = view["inside"]
    assert inside["seed"] == 3 and len(inside["seats"]) == 2 and inside["stack"]
    assert dict(inside["state"])["active"] == "0"
    group = view["offered"][0]
    view = result_of(session, "move", text=f"{group['text']} {group['hexes'][0]}")
    assert group["hexes"][0] in "".join(view["inside"]["events"])


@pytest.fixture
def other(tmp_path: Path) -> WorkshopSession:
    """A session of somebody else, whose folder is empty."""
    (tmp_path / "empty").mkdir()
    return WorkshopSession(WorkingCopy(tmp_path / "empty"))


def test_a_box_that_lies_beside_is_played_with(folder: Path) -> None:
    below = folder.parent / "below"
    result_of(WorkshopSession(WorkingCopy(folder)), "new_game")
    (below / "rules").mkdir(parents=True)
    (below / BOX).write_text("format: 1\nid: below\ntitle: Below\nneeds: [dale]\n")
    session = WorkshopSession(WorkingCopy(below))
    assert result_of(session, "findings", path=BOX) == {BOX: []}
    view = result_of(session, "new_game", cards=["rowers"])
    assert "Rowers" in str(view["cards"])
    log = result_of(session, "log")["text"]
    assert result_of(session, "load", text=log)["hash"] == view["hash"]


def test_rules_travel_with_a_game(session: WorkshopSession, other: WorkshopSession) -> None:
    text = result_of(session, "text", path=RULES)["text"] + NEVER
    result_of(session, "write", path=RULES, text=text)
    view = result_of(session, "new_game", seed=3, cards=["rowers", "knights", "lords"])
    fragment = result_of(session, "share")["fragment"]
    there = result_of(other, "share", fragment=fragment)
    assert (there["hash"], there["files"][RULES]) == (view["hash"], text)
    assert "stopped" not in there and "files" not in result_of(other, "view")
    fresh = result_of(other, "new_game", seed=3)
    assert "Rowers" not in str(fresh["cards"])


HOSTILE: list[dict[str, Any]] = [
    {"../up.kb": ""}, {"/etc/up.kb": ""}, {"a/../../b.kb": ""}, {"a.py": ""}, {"a.kb": 3},
    {"expansion.yaml": "x" * 400_001}, {f"{number}.kb": "" for number in range(61)}, {".kb": ""},
    {"a.kb/b.kb": "", "a.kb": ""}, {"expansion.yaml": "a: &a [*a]"}, {"a\\b.kb": ""}, {"": ""},
]  # fmt: skip


@pytest.mark.parametrize("files", HOSTILE, ids=lambda files: str(files)[:20])
def test_texts_of_a_hostile_address_are_refused(
    session: WorkshopSession, files: dict[str, Any], tmp_path: Path
) -> None:
    view = result_of(session, "new_game", seed=3)
    header = result_of(session, "log")["text"].split("\n")[0]
    before = {*tmp_path.rglob("*")}
    refused(session, "share", fragment=to_fragment({"header": header, "moves": [], "files": files}))
    assert {*tmp_path.rglob("*")} == before
    assert result_of(session, "view")["hash"] == view["hash"]


def test_rules_that_are_too_long_for_an_address_are_told(session: WorkshopSession) -> None:
    text = result_of(session, "text", path=RULES)["text"]
    noise = "".join(f"# {number * 7919 % 99991:x}{number**3:x}\n" for number in range(9000))
    result_of(session, "write", path=RULES, text=text + noise)
    result_of(session, "new_game", seed=3)
    error = session.handle("share", {})["error"]
    assert f"more than {MAX_FRAGMENT}" in error["message"] and error["help"]


CELLS = st.sampled_from([".", "W", ".a", "Wb", ".a+", "W+", "G"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(rows=st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=2, max_size=3), at=st.data())
def test_a_piece_that_is_carried_there_and_back_changes_nothing(
    rows: list[list[str]], at: st.DataObject
) -> None:
    hexes = [f"{'abc'[column]}{row + 1}" for row in range(len(rows)) for column in range(3)]
    origin, hex = at.draw(st.sampled_from(hexes)), at.draw(st.sampled_from(hexes))

    def cell(name: str, of: list[list[str]]) -> str:
        return of[int(name[1]) - 1]["abc".index(name[0])]

    def moved(of: list[list[str]], one: str, two: str) -> list[list[str]]:
        text = "\n".join("  " * (row % 2) + "   ".join(each) for row, each in enumerate(of))
        drawing = DrawingSource.of(Source("drawing", text).span(0, len(text)))
        text = edited(text, move_piece(drawing, one, two, Path("drawing")))
        return [line.split() for line in text.split("\n")]

    has_piece, is_free = (
        len(cell(origin, rows).strip("+")) > 1,
        len(cell(hex, rows).strip("+")) == 1,
    )
    there = moved(rows, origin, hex)
    assert [len(row) for row in there] == [len(row) for row in rows]
    if has_piece and is_free:
        assert len(cell(hex, there).strip("+")) > 1 and len(cell(origin, there).strip("+")) == 1
        assert moved(there, hex, origin) == rows
    elif not has_piece:
        assert cell(hex, there)[0] == cell(origin, rows)[0]


def test_nobody_writes_over_a_text_that_he_does_not_know(
    session: WorkshopSession, folder: Path
) -> None:
    text = result_of(session, "text", path=RULES, tab="one")["text"]
    assert result_of(session, "text", path=RULES, tab="two")["text"] == text
    result_of(session, "findings", path=RULES, text=text + "# one\n", tab="one")
    result_of(session, "findings", path=RULES, text=text + "# one.\n", tab="one")
    assert refused(session, "findings", path=RULES, text=text + "# two\n", tab="two") == "KB008"
    assert result_of(session, "changes", tab="two")["files"] == [RULES]
    assert result_of(session, "changes", tab="one")["files"] == []
    assert result_of(session, "text", path=RULES, tab="two")["text"].endswith("# one.\n")
    result_of(session, "findings", path=RULES, text=text + "# two\n", tab="two")
    assert refused(session, "syntax", path=RULES, text=text, tab="one") == "KB008"
    result_of(session, "save", path=RULES, tab="two")
    assert (folder / RULES).read_text().endswith("# two\n")


def test_each_tab_is_told_what_changed_on_disk(session: WorkshopSession, folder: Path) -> None:
    for tab in ("one", "two"):
        result_of(session, "text", path=RULES, tab=tab)
    (folder / RULES).write_text("# other\n")
    for tab in ("one", "two"):
        assert result_of(session, "changes", tab=tab)["files"] == [RULES]


@pytest.fixture
def live(folder: Path) -> Iterator[LiveSession]:
    session = LiveSession(WorkingCopy(folder))
    yield session
    session.close()


def test_who_writes_does_not_wait_for_a_game(live: LiveSession) -> None:
    playing, measuring = live._processes
    with playing._lock, measuring._lock:  # as while a bot thinks
        assert result_of(live, "findings", path=RULES)[RULES] == []


def test_a_process_that_is_ended_is_told_and_made_anew(tmp_path: Path) -> None:
    part = ProcessSession(Ending, tmp_path)
    asked = SimpleNamespace(handle=lambda method, given: part.handle(method, given, {}))
    first = result_of(asked, "view")["pid"]
    assert first != os.getpid()
    assert refused(asked, "end") == "KB058"
    assert result_of(asked, "view")["pid"] != first
    part.close()


def test_names_are_the_findings_without_scenarios(session: WorkshopSession) -> None:
    text = result_of(session, "text", path=RULES)["text"].replace("groups(water)", "grops(water)")
    names = result_of(session, "names", path=RULES, text=text)
    found = result_of(session, "findings")
    assert names[RULES] and found.keys() - names.keys() == {
        SCENARIO,
        "scenarios/mill.scenario.yaml",
    }
    assert all(names[path] == found[path] for path in names)


def test_a_byte_order_mark_is_kept_and_moves_nothing(
    session: WorkshopSession, folder: Path
) -> None:
    rules = folder / RULES
    rules.write_bytes(b"\xef\xbb\xbf" + rules.read_bytes())
    result_of(session, "changes")
    text = result_of(session, "text", path=RULES)["text"].replace("groups(water)", "grops(water)")
    assert not text.startswith("\ufeff")
    (finding, *_) = result_of(session, "names", path=RULES, text=text)[RULES]
    assert text[finding["from"] : finding["to"]] == "grops"
    result_of(session, "save", path=RULES)
    assert rules.read_bytes() == b"\xef\xbb\xbf" + text.encode()
