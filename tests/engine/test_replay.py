"""Replay: the same game comes out, and whatever is done to a log is noticed and has a code."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from kbrules.diagnostics import Diagnostic, render_full
from kbrules.engine.logs import replay as reader
from kbrules.engine.logs.replay import Log, Replay, parse_log, read_log, replay
from kbrules.engine.logs.writing import checksum
from kbrules.library.load import load
from kbrules.messages import CODES
from kbrules.text import Source
from tests.engine.games import Logged, base, logged

LOG = logged(7)
games = st.builds(logged, st.integers(0, 30), st.integers(2, 4))
places = st.integers(0, 1 << 30)  # of which the test takes the remainder
Data = dict[str, Any]


def read(text: str) -> tuple[Log | None, list[Diagnostic]]:
    log, found = parse_log(Source("game.kblog", text))
    for finding in found:
        assert finding.code in CODES and render_full(finding)
        assert finding.span.source.name == "game.kblog"
    return log, found


def played_again(text: str) -> tuple[Replay | None, list[Diagnostic]]:
    """What reading and replaying a log have to say, in this order."""
    log, found = read(text)
    if log is None:
        assert found
        return None, found
    result = replay(base(), log)
    for finding in result.findings:
        assert finding.code in CODES and render_full(finding)
    return result, [*found, *result.findings]


def changed(line: int, change: Callable[[Data], Any], lines: tuple[str, ...] = LOG.lines) -> str:
    """The log with one line changed, summed up again as somebody with skill would."""
    data = json.loads(lines[line])
    change(data)
    text = [*lines[:line], json.dumps(data) + "\n", *lines[line + 1 :]]
    closing = json.loads(text[-1])
    if "sum" in closing and line < len(lines) - 1:
        text[-1] = json.dumps({**closing, "sum": checksum(text[:-1])}) + "\n"
    return "".join(text)


def codes(text: str) -> list[str]:
    return [finding.code for finding in played_again(text)[1]]


# The same game


@given(games)
@settings(max_examples=25)
def test_a_replay_is_the_same_game(log: Logged) -> None:
    result, found = played_again(log.text)
    assert found == [] and result is not None
    assert result.difference is None and result.moves == len(log.played)
    assert result.states[0].hash() == log.start.hash()
    for state, played in zip(result.states[1:], log.played, strict=True):
        assert state == played.transition.state


@given(st.integers(0, 40))
def test_a_replay_stops_where_it_is_told(until: int) -> None:
    log, _ = read(LOG.text)
    assert log is not None
    result = replay(base(), log, until)
    assert (result.findings, result.moves) == ((), until)
    assert result.states[-1] == ([LOG.start, *(p.transition.state for p in LOG.played)])[until]


def test_a_part_that_is_good_can_be_replayed_when_the_rest_is_not() -> None:
    text = changed(20, lambda line: line.update(hash="0" * 32))
    log, _ = read(text)
    assert log is not None
    assert replay(base(), log, 19).findings == ()
    assert replay(base(), log, 20).moves == 19
    assert [finding.code for finding in replay(base(), log, 20).findings] == ["KB511"]


# Whatever is done to a log


def flipped(text: str, at: int, sign: str) -> str:
    return text[:at] + sign + text[at + 1 :]


@given(games, places, st.sampled_from('0123456789abcdef"{}[]:, \n-.\u00e4'))
@settings(max_examples=60)
def test_one_letter_changed_anywhere_is_noticed(log: Logged, place: int, sign: str) -> None:
    at = place % len(log.text)
    if sign != log.text[at]:
        assert played_again(flipped(log.text, at, sign))[1]


@given(games, places, places, st.sampled_from(("drop", "double", "swap")))
@settings(max_examples=40)
def test_a_line_dropped_doubled_or_swapped_is_noticed(
    log: Logged, place: int, step: int, change: str
) -> None:
    count = len(log.lines)
    one = place % count
    other = (one + 1 + step % (count - 1)) % count
    lines = list(log.lines)
    if change == "drop":
        del lines[one]
    elif change == "double":
        lines.insert(other, lines[one])
    else:
        lines[one], lines[other] = lines[other], lines[one]
    # Without its last move a log is whole in form; then the state it closes with is another.
    is_last = change == "drop" and one == count - 2
    assert codes("".join(lines))[0] == ("KB511" if is_last else "KB510")


def test_a_log_cut_at_any_byte_is_recognised_and_good_up_to_there() -> None:
    short = "".join((*LOG.lines[:6], LOG.lines[-1]))
    ends = {match.end(): number for number, match in enumerate(re.finditer("\n", short))}
    for cut in range(len(short)):
        log, found = read(short[:cut])
        assert [finding.code for finding in found] == ["KB510"], cut
        whole = sum(end <= cut for end in ends)
        assert (log is None) == (whole == 0)
        if log is not None:
            assert len(log.moves) == whole - 1
            assert log.closing is None and not log.checksum_holds
            assert found[0].span.start == cut - 1
        if cut in ends and log is not None:
            result = replay(base(), log)
            assert (result.findings, result.moves) == ((), ends[cut])


@given(st.integers(1, len(LOG.lines) - 2), st.data())
def test_a_wrong_hash_of_a_state_or_event_is_found_at_its_move(
    number: int, data: st.DataObject
) -> None:
    told = json.loads(LOG.lines[number])
    index = data.draw(st.integers(0, len(told["events"])))

    def change(line: Data) -> None:
        spot = ([line, *line["events"]])[index]
        digit = "1" if spot["hash"][5] == "0" else "0"
        spot["hash"] = spot["hash"][:5] + digit + spot["hash"][6:]

    result, found = played_again(changed(number, change))
    assert result is not None and [finding.code for finding in found] == ["KB511"]
    assert result.difference is not None and result.difference.number == number
    assert result.moves == number - 1
    assert found[0].span.line == number + 1
    if index:
        assert f"event {index}" in result.difference.what
    else:
        assert result.difference.expected != result.difference.found
        assert "though all that lies on the table is the same" in result.difference.what


BUILD = next(number for number, line in enumerate(LOG.lines) if number and ": build " in line)
EVENT = next(
    index
    for index, event in enumerate(json.loads(LOG.lines[BUILD])["events"], 1)
    if event["event"] == "built"
)


def built(line: Data) -> Data:
    event: Data = line["events"][EVENT - 1]
    return event


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda line: built(line).update(hex=999), f"event {EVENT}, `hex`:"),
        (lambda line: built(line).update(player=False), "`player`: 0, in the log false"),
        (lambda line: built(line).update(more=1), "`more`: null, in the log 1"),
        (lambda line: line["events"].pop(), "how many events"),
        (lambda line: line["events"].append(line["events"][-1]), "how many events"),
        (lambda line: line.update(player="b"), "who decides: `a`, in the log `b`"),
        (lambda line: line.update(player="chance"), "who decides: `a`, in the log `chance`"),
    ],
)
def test_what_differs_is_said(change: Callable[[Data], Any], said: str) -> None:
    result, found = played_again(changed(BUILD, change))
    assert result is not None and result.difference is not None
    assert result.difference.number == BUILD
    assert said in result.difference.what and said in found[0].message
    assert [finding.code for finding in found] == ["KB511"]


@pytest.mark.parametrize(
    ("move", "code", "said"),
    [
        ("mandatory: build zz1", "KB506", "off the board"),
        ("mandatory: build a1 a2", "KB501", "names two hexes"),
        ("!", "KB501", "cannot be read"),
        ("tower: build a1", "KB502", "the player holds no such tile"),
        ("end turn", "KB502", "required"),
        ("draw grass", "KB502", "is not legal"),
    ],
)
def test_a_move_that_cannot_be_has_its_code_and_reason(move: str, code: str, said: str) -> None:
    result, found = played_again(changed(BUILD, lambda line: line.update(move=move)))
    assert [finding.code for finding in found] == [code]
    assert said in found[0].message + found[0].help
    assert found[0].span.text == json.dumps(move)
    assert result is not None and result.moves == BUILD - 1 and result.difference is None


def test_a_move_that_could_be_two_has_its_code() -> None:
    """Two actions offer the same hex, and the log leaves out which is meant."""
    log, number, name = next(shared_hexes())
    text = changed(number, lambda line: line.update(move=name), log.lines)
    found = played_again(text)[1]
    assert [finding.code for finding in found] == ["KB503"]
    groups = log.game.legal_moves(log.played[number - 1].before).groups
    assert sum(f"`{group.rule}: build {name}`" in found[0].help for group in groups) > 1


def shared_hexes() -> Iterator[tuple[Logged, int, str]]:
    """Moves that build where another action would build as well."""
    for log in map(logged, range(100)):
        for played in log.played:
            groups = log.game.legal_moves(played.before).groups
            hex = max(played.move.hex, 0)
            if played.move.verb == "build" and sum(g.hexes >> hex & 1 for g in groups) > 1:
                yield log, played.number, log.game.board.grid.name(hex)


@pytest.mark.parametrize(
    ("key", "value"),
    [("totals", [1, 2]), ("winners", ["f"]), ("hash", "0" * 32), ("moves", 7)],
)
def test_a_wrong_closing_line_is_found(key: str, value: object) -> None:
    text = changed(len(LOG.lines) - 1, lambda line: line.update({key: value}))
    found = played_again(text)[1]
    assert [finding.code for finding in found] == ["KB511"]
    assert f"`{key}`" in found[0].message and found[0].span.line == len(LOG.lines)


def test_what_no_replay_would_notice_the_sum_does() -> None:
    text = LOG.text.replace('"seed": 7', '"seed": 8', 1)
    result, found = played_again(text)
    assert [finding.code for finding in found] == ["KB510"] and "sum" in found[0].message
    assert result is not None and result.difference is None


def test_a_log_closed_too_early_is_found() -> None:
    lines = list(LOG.lines[:9])
    state = LOG.played[7].transition.state
    sheet = LOG.game.score(state)
    winners = ["ab"[winner] for winner in sheet.winners]
    closing = {"moves": 8, "totals": list(sheet.totals), "winners": winners, "hash": state.hash()}
    lines.append(json.dumps({**closing, "sum": checksum(lines)}) + "\n")
    assert "the game is not over" in played_again("".join(lines))[1][0].message


def test_a_move_after_the_end_is_found() -> None:
    extra = {**json.loads(LOG.lines[-2]), "number": len(LOG.played) + 1}
    text = "".join(LOG.lines[:-1]) + json.dumps(extra) + "\n"
    found = played_again(text)[1]
    assert [finding.code for finding in found] == ["KB510", "KB511"]
    assert "over before" in found[1].message


# Other rules


def test_other_rules_are_refused_before_the_first_move() -> None:
    log, _ = read(LOG.text)
    assert log is not None
    text = 'rule more "More":\n    "One gold."\n    gold 1 per hex in mine\n'
    result = replay(load("base", texts=[Source("more.kb", text)]), log)
    assert [finding.code for finding in result.findings] == ["KB512"]
    assert (result.states, result.moves, result.game) == ((), 0, None)
    assert result.findings[0].help == "`more.kb` (of no box) is new"


def test_missing_boxes_and_folders_are_named() -> None:
    def change(line: Data) -> None:
        line.update(boxes=["base", "dale"], folders=["my-dale"], rules="0" * 32)

    found = played_again(changed(0, change))[1]
    assert [finding.code for finding in found] == ["KB512"]
    assert "`dale`" in found[0].help and "`my-dale`" in found[0].help


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("players", 5, "KB510"),
        ("cards", ["knigths"], "KB510"),
        ("options", {"more": True}, "KB510"),
        ("options", {"lords_rank_zero": 1}, "KB510"),
        ("layout", "tavern farm/oasis nowhere", "KB510"),
        ("layout", "tavern farm/oasis", "KB510"),
        ("tiles", {"a1": "oasis"}, "KB510"),
        ("hash", "0" * 32, "KB511"),
    ],
)
def test_a_table_that_cannot_be_is_refused_at_the_header(key: str, value: Any, code: str) -> None:
    result, found = played_again(changed(0, lambda line: line.update({key: value})))
    assert [finding.code for finding in found] == [code]
    assert found[0].span.line == 1 and result is not None and result.states == ()
    assert found[0].span.text == json.dumps(value)


# The form of lines


@pytest.mark.parametrize("key", json.loads(LOG.lines[0]))
@pytest.mark.parametrize("value", [None, 1.5, {"a": []}, [[]], "!", -1, [1.5], {}])
def test_a_header_of_another_form_is_refused(key: str, value: Any) -> None:
    fits = {"seed": (-1,), "kbrules": ("!",), "layout": ("!",), "options": ({},), "tiles": ({},)}
    text = changed(0, lambda line: line.update({key: value}))
    log, found = read(text)
    if value in fits.get(key, ()):
        assert log is not None and not found
    else:
        assert log is None and [finding.code for finding in found] == ["KB510"]
        assert f"`{key}` must be" in found[0].message
        assert found[0].span.text == json.dumps(value)


@pytest.mark.parametrize("line", [0, 5, len(LOG.lines) - 1])
def test_keys_that_lack_stand_twice_or_do_not_belong_are_refused(line: int) -> None:
    for key in json.loads(LOG.lines[line]).keys() - reader.OPTIONAL:
        found = read(changed(line, lambda data, key=key: data.pop(key)))[1]
        assert found and found[0].code == "KB510" and found[0].span.line == line + 1
    found = read(changed(line, lambda data: data.update(hush=1)))[1]
    assert "`hush` is no key" in found[0].message and found[0].help == "did you mean `hash`?"
    twice = list(LOG.lines)
    twice[line] = twice[line].replace("{", '{"hash": "", ', 1)
    assert "`hash` stands twice" in read("".join(twice))[1][0].message


@pytest.mark.parametrize(
    "line",
    ["", " ", "{}", "[]", "null", "{", '{"a"', '{"a":', '{"a":1', '{"a":1,', '{1:2}', "x", "{}x",
     "[" * 100_000, '{"a":' * 100_000, '{"a":' + "1" * 5000 + "}", '{"a": NaN}', '{"a": 1e999}',
     '{"number": 1, "move": "\\ud800"}', '"' + "x" * 70_000 + '"'],
)  # fmt: skip
def test_lines_that_are_no_record_are_refused(line: str) -> None:
    for at in (0, 3):
        text = "".join([*LOG.lines[:at], line + "\n", *LOG.lines[at + 1 :]])
        log, found = read(text)
        assert found and {finding.code for finding in found} == {"KB510"}
        assert found[0].span.line == at + 1
        assert log is None if at == 0 else log is not None and len(log.moves) == at - 1


@given(st.text(max_size=200))
def test_any_text_is_a_log_or_refused(text: str) -> None:
    assert read(text)[1]


# Files


def test_a_file_is_read_whatever_its_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "game.kblog"
    path.write_bytes(LOG.text.replace("\n", "\r\n").encode())
    log, found = read_log(path)
    assert found == [] and log is not None
    assert replay(base(), log).findings == ()


def test_files_that_are_no_logs_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def found(name: str, data: bytes | None = None) -> list[str]:
        if data is not None:
            (tmp_path / name).write_bytes(data)
        log, findings = read_log(tmp_path / name)
        assert log is None
        return [finding.code for finding in findings]

    assert found("none") == found(".") == found("a\0b") == ["KB001"]
    assert found("empty", b"") == ["KB510"]
    assert found("latin", b'{"a": "\xe4"}\n') == ["KB002"]
    assert found("hidden", '{"a": "\u202e"}\n'.encode()) == ["KB004"]
    monkeypatch.setattr(reader, "MAX_BYTES", 100)
    assert found("large", b" " * 101) == ["KB003"]
    monkeypatch.setattr(reader, "MAX_LINES", 5)
    assert found("long", b"\n" * 10) == ["KB510"]


@given(st.binary(max_size=300))
def test_any_bytes_are_a_log_or_refused(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = tmp_path_factory.mktemp("log") / "x.kblog"
    path.write_bytes(data)
    log, found = read_log(path)
    assert log is None and found
