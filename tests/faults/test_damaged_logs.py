"""Every byte of logs is cut and changed: that is told, or means nothing, and raises nothing.

The logs are of short games by many boxes. What was read and played of lines that are as they were
is remembered, and a share of all cases is read and played without that.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from kbrules.engine.game import Game
from kbrules.engine.logs import replay as reader
from kbrules.engine.logs.replay import read_log, replay
from kbrules.engine.logs.writing import MatchInfo, Recorder
from kbrules.engine.matches import Match
from kbrules.engine.setup import choose_table, game_at
from kbrules.library.box import shipped_boxes
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.text import Source
from tests.engine.games import any_move

END = """\
rule short "A short game" replaces ending:
    "Once somebody has some pieces on the board the round is played to its end."
    when build, move, place if count(mine) >= 4 and end_waits = 0: last round
"""
LOGS = 20
SAMPLED = 211
"""One in so many cases is read and played without what is remembered."""
SIGNS = '0123456789abcdef"{}[]:, \\n-.'
Found = tuple[tuple[str, ...], int]
"""The codes of what is found, and how many moves are as the log says."""


@lru_cache(maxsize=4)
def rules(box: str) -> Ruleset:
    """The rules of a box with those it needs, but for the end of a game."""
    return load(box, texts=[Source("short.kb", END)])


def recorded(number: int) -> tuple[Ruleset, str]:
    """A whole log of a short game, by another box for each number."""
    boxes = shipped_boxes()
    ruleset = rules(boxes[number % len(boxes)])
    table = choose_table(ruleset, ruleset.parts.players[0] + number % 2, number)
    game = game_at(ruleset, table)
    recorder = Recorder(game, game.start(), MatchInfo(table, number, ("any",) * table.players))
    match = Match(game, number, [any_move] * table.players, recorder.watch)
    for each in match:
        recorder.add(each.player, each.move, each.transition)
    recorder.close(match.state)
    return ruleset, "".join(recorder.lines)


def found(ruleset: Ruleset, path: Path, data: bytes) -> Found:
    """What reading and replaying tells of a file."""
    path.write_bytes(data)
    log, findings = read_log(path)
    if log is None:
        return tuple(each.code for each in findings), -1
    result = replay(ruleset, log)
    return tuple(each.code for each in (*findings, *result.findings)), result.moves


def remember(monkeypatch: pytest.MonkeyPatch, whole: Callable[[], Found]) -> None:
    """Remember what is read and played of the lines of a whole log, and of no others."""
    memory: dict[object, Any] = {}
    monkeypatch.setattr(reader, "parse_record", _kept(reader.parse_record, memory, _line))
    monkeypatch.setattr(reader, "_record_errors", _kept(_listed, memory, _ids))
    monkeypatch.setattr(reader, "game_of", _kept(reader.game_of, memory, _header))
    monkeypatch.setattr(Game, "start", _kept(Game.start, memory, id))
    monkeypatch.setattr(reader, "_replay_move", _kept(reader._replay_move, memory, _ids))
    assert whole()[0] == ()
    memory["full"] = True


def _kept(
    work: Callable[..., Any], memory: dict[object, Any], key_of: Callable[..., object]
) -> Callable[..., Any]:
    name = work.__name__

    def kept(*given: Any) -> Any:
        key = name, key_of(*given)
        if key in memory:
            return memory[key][0]
        result = work(*given)
        if "full" not in memory:
            memory[key] = result, given  # which live on, so that no other has their ids
        return result

    return kept


_errors_in = reader._record_errors


def _listed(*given: Any) -> list[Any]:
    return [*_errors_in(*given)]


def _line(source: Source, line: int) -> object:
    return line, source.line_text(line)


def _ids(*given: Any) -> object:
    *_, one, other = given
    if isinstance(other, list):  # the records above
        return id(one), id(other[-1]) if other else 0
    return id(one), id(other)


def _header(_: object, log: Any) -> object:
    return id(log.header)


def changes(data: bytes) -> Iterator[tuple[str, int, bytes]]:
    """A log cut at each byte, with one bit of each turned, and with another sign in its place."""
    signs = cycle(SIGNS.encode())
    for at, byte in enumerate(data):
        yield "cut", at, data[:at]
        yield "turned", at, data[:at] + bytes([byte ^ 1 << at % 8]) + data[at + 1 :]
        other = next(sign for sign in signs if sign != byte)
        yield "another", at, data[:at] + bytes([other]) + data[at + 1 :]


def is_meaningless(data: bytes, changed: bytes) -> bool:
    """Whether only the last line differs, and that in spaces between its values."""
    *above, last = data.splitlines(keepends=True)
    *others, closing = changed.splitlines(keepends=True)
    return above == others and json.dumps(json.loads(last)) == json.dumps(json.loads(closing))


def strike(number: int, step: int, path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Cut and change a log at every byte, or every so many; how many cases, how many untold."""
    ruleset, text = recorded(number)
    data = text.encode()
    cases = [case for at, case in enumerate(changes(data)) if at % step == 0]
    plain = {at: found(ruleset, path, cases[at][2]) for at in range(0, len(cases), SAMPLED)}
    untold = 0
    with monkeypatch.context() as patched:
        remember(patched, lambda: found(ruleset, path, data))
        for at, (how, place, changed) in enumerate(cases):
            codes, moves = found(ruleset, path, changed)
            assert plain.get(at, (codes, moves)) == (codes, moves), (how, place)
            assert "KB901" not in codes
            if how == "cut":
                assert codes == ("KB510",), place
                assert moves == max(changed.count(b"\n") - 1, -1), place
            elif not codes:
                untold += 1
                assert is_meaningless(data, changed), (how, place)
    return len(cases), untold


def test_whatever_is_done_to_a_log_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cases, untold = strike(18, 17, tmp_path / "g", monkeypatch)
    assert cases > 500 and untold < 10


def test_spaces_in_the_last_line_mean_nothing(tmp_path: Path) -> None:
    ruleset, text = recorded(18)
    above, last = text.rstrip("\n").rsplit("\n", 1)
    spaced = above + "\n" + last.replace(", ", ",\t") + " \n"
    assert found(ruleset, tmp_path / "g", spaced.encode())[0] == ()
    header = text.replace(", ", ",\t", 1)
    assert found(ruleset, tmp_path / "g", header.encode())[0] == ("KB510",)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(LOGS))
def test_every_byte_of_a_log(
    number: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
) -> None:
    cases, untold = strike(number, 1, tmp_path / "g", monkeypatch)
    record_property("cases", cases)
    record_property("untold", untold)
    assert cases == 3 * len(recorded(number)[1].encode())
