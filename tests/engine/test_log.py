"""Logs: what the lines say, that events alone lead from fact to fact, and how files are written."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings, strategies as st

from kbrules import __version__
from kbrules.engine.logs.writing import (
    LogFile,
    MatchInfo,
    Recorder,
    checksum,
    event_entry,
    write_atomically,
)
from kbrules.game.events import Event, Remembered
from kbrules.game.moves import read_move, write_move
from kbrules.game.state import State, draft_of
from kbrules.library.boards.tables import read_layout
from tests.engine.games import Logged, base, logged, table_of

KINDS = {kind.__name__.lower(): kind for kind in get_args(Event)}
games = st.builds(logged, st.integers(0, 15), st.integers(2, 4))


def records(log: Logged) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.lines]


def test_the_header_has_all_that_fixes_the_table() -> None:
    log = logged(7, 3)
    table, _ = table_of(7, 3)
    header = records(log)[0]
    assert header["format"] == 1 and header["kbrules"] == __version__
    assert (header["rules"], header["boxes"]) == (base().digest, ["base"])
    assert (header["seed"], header["players"]) == (7, 3)
    assert read_layout(header["layout"]) == table.layout
    assert tuple(header["cards"]) == table.cards and header["options"] == {}
    assert header["tiles"] == table.tiles == {}
    assert header["hash"] == log.start.hash()


@given(games)
@settings(max_examples=15)
def test_each_line_says_who_did_what_and_where_it_led(log: Logged) -> None:
    for played, line in zip(log.played, records(log)[1:-1], strict=True):
        moves = log.game.legal_moves(played.before)
        assert line["number"] == played.number
        assert line["player"] == ("chance" if moves.player < 0 else "abcd"[moves.player])
        assert read_move(line["move"], log.game.board, moves) == played.move
        assert line["move"] == write_move(played.move, log.game.board)
        assert line["hash"] == played.transition.state.hash()
        assert [event["event"] for event in line["events"]] == [
            type(event).__name__.lower() for event in played.transition.events
        ]


@given(games)
@settings(max_examples=15)
def test_events_alone_lead_from_fact_to_fact_without_any_rule(log: Logged) -> None:
    draft = draft_of(log.start)
    count = 0
    for line in records(log)[1:-1]:
        for told in line["events"]:
            kind, digest = KINDS[told.pop("event")], told.pop("hash")
            facts = {k: tuple(v) if isinstance(v, list) else v for k, v in told.items()}
            kind(**_numbers(facts)).fold(draft)
            assert draft.facts_hash() == digest
            count += 1
    assert count > 100
    assert draft.facts() == log.played[-1].transition.state.facts()


def _numbers(facts: dict[str, Any]) -> dict[str, Any]:
    """Large numbers are written in hexadecimal."""
    return {
        key: int(value, 16) if isinstance(value, str) and value.startswith("0x") else value
        for key, value in facts.items()
    }


def test_the_closing_line_has_the_result_and_a_sum_of_all_above() -> None:
    log = logged(7, 3)
    closing = records(log)[-1]
    end = log.played[-1].transition.state
    sheet = log.game.score(end)
    assert closing["moves"] == len(log.played)
    assert closing["totals"] == list(sheet.totals)
    assert closing["winners"] == ["abc"[winner] for winner in sheet.winners]
    assert closing["hash"] == end.hash()
    assert closing["sum"] == checksum(log.lines[:-1]) != checksum(log.lines[1:-1])


def test_a_log_knows_no_path_of_the_machine(tmp_path: Path) -> None:
    from dataclasses import replace

    table, game = table_of(7)
    game.ruleset = replace(base(), folders=(str(tmp_path / "dale"),))
    try:
        header = Recorder(game, game.start(), MatchInfo(table, 7)).lines[0]
    finally:
        game.ruleset = base()
    assert json.loads(header)["folders"] == ["dale"]
    assert str(tmp_path) not in header


def test_numbers_too_large_for_other_readers_are_written_in_hexadecimal() -> None:
    told = event_entry(Remembered(0, 1, 1 << 400), "00")
    assert told["value"] == hex(1 << 400) and told["slot"] == 1
    assert json.loads(json.dumps(told)) == told


def test_a_recorder_forgets_the_last_moves() -> None:
    log = logged(7)
    table, game = table_of(7)
    recorder = Recorder(game, log.start, MatchInfo(table, 7, ("any", "any")))
    for played in log.played[:5]:
        game.play(played.before, played.move, recorder.watch)
        recorder.add(played.player, played.move, played.transition)
    assert tuple(recorder.lines) == log.lines[:6]
    recorder.drop(2)
    assert tuple(recorder.lines) == log.lines[:4]
    with pytest.raises(ValueError):
        recorder.drop(4)


OTHERWISE: dict[str, Any] = {
    "seats": (), "neutral": (7,), "stock": (), "piles": ((), (), ()), "shown": (3, 3),
    "aside": (2,), "choice": 4, "memory": (5,), "revealed": 3, "ending": True, "used": ("x",),
    "active": 9, "stage": ("turn", 99), "stack": (), "firings": 99, "cut": 9, "further": 3,
    "beside": 9, "retired": 9,
}  # fmt: skip
ENGINES_OWN = {"active", "stage", "stack", "firings", "further"}  # what no event tells
DERIVED = {"occupied", "cache"}


@pytest.mark.parametrize("slot", sorted(set(State.__slots__) - DERIVED))
def test_a_hash_sees_every_part_of_a_state(slot: str) -> None:
    state = logged(7).played[20].transition.state
    other = draft_of(state)
    assert getattr(other, slot) != OTHERWISE[slot]
    setattr(other, slot, OTHERWISE[slot])
    assert other.hash() != state.hash()
    assert (other.facts_hash() != state.facts_hash()) == (slot not in ENGINES_OWN)


# Files


def test_a_saved_log_has_the_very_lines_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "game.kblog"
    path.write_text("old")
    write_atomically(path, ["one\n", "two\n"])
    assert path.read_bytes() == b"one\ntwo\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_log_that_cannot_be_saved_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.kblog"
    path.write_text("old")

    def fail(*_: object) -> None:
        raise OSError("full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="full"):
        write_atomically(path, ["one\n"])
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@given(st.lists(st.one_of(st.text("ab\u00e4", max_size=5), st.integers(1, 3)), max_size=20))
def test_a_journal_holds_at_any_moment_what_was_written_and_not_dropped(
    tmp_path_factory: pytest.TempPathFactory, doings: list[str | int]
) -> None:
    path = tmp_path_factory.mktemp("journal") / "game.kblog"
    lines = ["head\n"]
    with LogFile(path) as journal:
        journal.write("head\n")
        for doing in doings:
            if isinstance(doing, str):
                journal.write(doing + "\n")
                lines.append(doing + "\n")
            elif doing < len(lines):
                journal.drop(doing)
                del lines[-doing:]
            else:
                with pytest.raises(ValueError):
                    journal.drop(doing)
            assert path.read_bytes().decode() == "".join(lines)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_written_into_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_atomically(pipe, ["a line\n"])
        assert os.read(reader, 100) == b"a line\n"
    finally:
        os.close(reader)
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old")
    link.symlink_to(real)
    write_atomically(link, ["new"])
    assert link.is_symlink() and real.read_text() == "new"


@given(
    st.lists(st.text("ab\u00e4", max_size=5), min_size=1, max_size=9), st.text("ab\r", max_size=5)
)
def test_a_log_that_is_gone_on_with_keeps_its_lines_and_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], torn: str
) -> None:
    path = tmp_path_factory.mktemp("journal") / "game.kblog"
    lines = [f"{text}\n" for text in texts]
    path.write_bytes(("".join(lines) + torn).encode())
    with LogFile(path, lines) as journal:
        assert path.read_bytes().decode() == "".join(lines)
        journal.write("more\n")
        journal.drop(min(2, len(lines)))
        assert path.read_bytes().decode() == "".join([*lines, ""][: max(1, len(lines) - 1)])
