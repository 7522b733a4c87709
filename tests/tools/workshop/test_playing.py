"""Games on the page: reasons with places, forced cards, rules that travel with a game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kbrules.library.boards.sections import DrawingSource
from kbrules.text import Source
from kbrules.tools.workshop.game import MAX_FRAGMENT, to_fragment
from kbrules.tools.workshop.session import WorkshopSession
from kbrules.tools.workshop.writing import WorkingCopy, move_piece
from tests.tools.workshop.asking import RULES, refused, result_of

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
    for name in ("empty", "elsewhere/empty"):
        (tmp_path / name).mkdir(parents=True)
    return WorkshopSession(WorkingCopy(tmp_path / "empty", tmp_path / "elsewhere" / "empty"))


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
    before = {path for path in tmp_path.rglob("*") if "shared" not in path.parts}
    refused(session, "share", fragment=to_fragment({"header": header, "moves": [], "files": files}))
    assert {path for path in tmp_path.rglob("*") if "shared" not in path.parts} == before
    assert result_of(session, "view")["hash"] == view["hash"]


def test_rules_that_are_too_long_for_an_address_are_told(session: WorkshopSession) -> None:
    text = result_of(session, "text", path=RULES)["text"]
    noise = "".join(f"# {number * 7919 % 99991:x}{number**3:x}\n" for number in range(9000))
    result_of(session, "write", path=RULES, text=text + noise)
    result_of(session, "new_game", seed=3)
    error = session.handle("share", {})["error"]
    assert f"more than {MAX_FRAGMENT}" in error["message"] and error["remedy"]


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
        changes = move_piece(DrawingSource.of(Source("drawing", text).span(0, len(text))), one, two)
        for change in sorted(changes, reverse=True):
            text = text[: change.start] + change.text + text[change.end :]
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
