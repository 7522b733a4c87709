"""Rules by which play never ends are told of after a budget of moves, not after minutes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import kbrules
from kbrules.engine.configuration import Transition
from kbrules.engine.game import Game
from kbrules.engine.scoring import Scoring
from kbrules.game.events import Event
from kbrules.game.moves import Move
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.game.view import MoveContext
from kbrules.lang.checker.rules import MAX_STATEMENTS
from kbrules.lang.checker.statements import MAX_BRANCHES, MAX_NESTED_ROUNDS
from kbrules.lang.evaluation import WORK
from kbrules.lang.typed import Rule
from kbrules.library.box import usual_boxes
from kbrules.library.compose import MAX_NORMS
from kbrules.text import Source
from kbrules.tools import bots as montecarlo
from kbrules.tools.bots import bot_named
from kbrules.tools.check import FileChecker
from kbrules.tools.lint import suppressions
from kbrules.tools.lint.sampler import MAX_EVENTS, MAX_MOVES, max_work_of
from tests.lang.told import of_checking
from tests.tools.lint.written import warned


@pytest.mark.parametrize("norm", ["forbid build on board", "deny build on board"])
def test_one_game_without_an_end_is_enough(
    norm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, play = [0], Game.play

    def counted(game: Game, state: State, move: Move) -> Transition:
        made[0] += 1
        return play(game, state, move)

    monkeypatch.setattr(Game, "play", counted)
    path = tmp_path / "x.kb"
    path.write_text(f'rule still "Still":\n    "Nobody builds."\n    {norm}\n', encoding="utf-8")
    (found,) = warned(path, ["KB752"])
    assert f"did not end in {MAX_MOVES} moves" in found.message
    assert "no further positions were looked at" in found.message
    assert MAX_MOVES <= made[0] <= 3 * MAX_MOVES


LOOP = "    when build:\n        repeat 400 times: gain 1\n"
NESTED = "    when build:\n        repeat 400 times:\n            repeat 20 times: gain 1\n"
MANY = "    when build: gain 1\n" * (MAX_STATEMENTS - 1)


@pytest.mark.parametrize("body", [LOOP, NESTED, MANY], ids=["loop", "nested", "many"])
def test_games_in_which_too_much_happens_end_the_sampling(
    body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, emit = [0], MoveContext.emit

    def counted(context: MoveContext, event: Event) -> None:
        made[0] += 1
        emit(context, event)

    monkeypatch.setattr(MoveContext, "emit", counted)
    path = tmp_path / "x.kb"
    path.write_text(f'rule busy "Busy":\n    "Much happens."\n{body}', encoding="utf-8")
    (found,) = warned(path, ["KB757"])
    assert f"then stopped: games took over {MAX_EVENTS} steps" in found.message
    assert MAX_EVENTS < made[0] < 3 * MAX_EVENTS


@pytest.mark.parametrize(("times", "codes"), [(100, []), (101, ["KB303"])])
def test_loops_in_one_another_have_a_limit(times: int, codes: list[str]) -> None:
    assert MAX_NESTED_ROUNDS == 400 * 100
    text = f"    when build:\n        repeat 400 times:\n            repeat {times} times: gain 1\n"
    found = of_checking(f'rule busy "Busy":\n    "Much happens."\n{text}')
    assert [finding.code for finding in found] == codes


@pytest.mark.parametrize(("more", "codes"), [(0, []), (1, ["KB303"]), (200, ["KB303"])])
def test_there_is_a_limit_to_what_is_chosen_from(more: int, codes: list[str]) -> None:
    head = 'rule busy "Busy":\n    "Much to choose."\n    action:\n'
    blocks = ["either", *["or"] * (MAX_BRANCHES + more - 1)]
    body = "".join(f"        {word}:\n            build 1 on mine\n" for word in blocks)
    assert [finding.code for finding in of_checking(head + body)] == codes


@pytest.mark.parametrize(("more", "codes"), [(0, []), (1, ["KB303"]), (1700, ["KB303"])])
def test_a_rule_has_a_limit(more: int, codes: list[str]) -> None:
    body = "    gold count(mine)\n" * (MAX_STATEMENTS - 1 + more)
    found = of_checking(f'rule crowd "Crowd":\n    "Much gold."\n{body}')
    assert [finding.code for finding in found] == codes


@pytest.mark.parametrize(("more", "codes"), [(0, []), (1, ["KB303"]), (90, ["KB303"])])
def test_all_norms_together_have_a_limit(more: int, codes: list[str], tmp_path: Path) -> None:
    path = tmp_path / "x.kb"
    left = MAX_NORMS - sum(len(rule.norms) for rule in kbrules.load(*usual_boxes()).rules)
    norms = ["    forbid build on water\n"] * (left + more)
    bodies = norms[:80], norms[80:]
    rules = [f'rule r{n} "R":\n    "R."\n{"".join(body)}' for n, body in enumerate(bodies)]
    path.write_text("".join(rules), encoding="utf-8")
    assert [finding.code for finding in FileChecker().check([path]).findings] == codes


def test_of_many_awards_only_some_positions_are_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, line = [0], Scoring.line

    def counted(self: Scoring, rule: Rule, *rest: Any) -> Any:
        asked[0] += len(rule.awards)
        return line(self, rule, *rest)

    monkeypatch.setattr(Scoring, "line", counted)
    path = tmp_path / "x.kb"
    body = "    gold most(count(mine & row) for row in rows)\n" * (MAX_STATEMENTS - 1)
    rules = [f'rule r{number} "R":\n    "R."\n{body}' for number in range(4)]
    path.write_text("".join(rules), encoding="utf-8")
    warned(path, ["KB745"])
    assert 20 * 4 * MAX_STATEMENTS < asked[0] < 100 * 4 * MAX_STATEMENTS  # then work is spent


def test_many_comments_are_read_line_by_line_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, says = [0], suppressions._is_code_line

    def counted(source: Source, line: int) -> bool:
        asked[0] += 1
        return says(source, line)

    monkeypatch.setattr(suppressions, "_is_code_line", counted)
    comment = "# kb: ignore[KB703] so\n"
    text = comment * 3000 + 'rule x "X":\n    "x"\n' + comment * 3000 + "\n" + comment
    found = suppressions.suppressions_of(Source("x.kb", text))
    assert [found[0].lines, found[-1].lines] == [range(3001, len(text.split("\n")) + 1), range(0)]
    assert asked[0] < 20_000


HEAVY = "sum(sum(count(groups(board - mine - row - line)) for row in rows) for line in diagonals)"
WORDY = [
    "    gold sum(longest_way(mine - row) for row in rows)\n" * (MAX_STATEMENTS - 1),
    f"    gold {HEAVY}\n" * 60,
    f"    forbid build on edge if {HEAVY} > 99999\n" * 30,
    f"    when build: gain {HEAVY}\n",
    f"    increase builds by (1 if {HEAVY} > 99999)\n",
]  # fmt: skip


@pytest.mark.parametrize("body", WORDY, ids=["ways", "pay", "norm", "trigger", "quantity"])
def test_what_words_work_out_ends_the_sampling(body: str, tmp_path: Path) -> None:
    path, before = tmp_path / "x.kb", WORK.total
    path.write_text(f'rule busy "Busy":\n    "Much is asked."\n{body}', encoding="utf-8")
    found = warned(path, ["KB757"])
    assert f"then stopped: the words of rules took over {max_work_of(1)} steps" in found[-1].message
    assert max_work_of(1) < WORK.total - before < 1.1 * max_work_of(1)


@pytest.mark.parametrize("bot", ["greedy", "careful", "mc:10", "uct:10"])
def test_bots_end_their_turn_after_a_budget_of_work(bot: str) -> None:
    text = f'rule busy "Busy":\n    "Much is asked."\n{"".join(WORDY[1:])}'
    game = kbrules.new_game(kbrules.load("base", texts=[Source("x.kb", text)]), 2, 1)
    state = game.start()
    while (moves := game.legal_moves(state)).player < 0:
        state = game.apply(state, moves.sample(Random(1, "deck")))
    before = WORK.steps
    assert bot_named(bot)(game, state, moves, Random(1, "bot")) in moves
    assert WORK.steps - before < 1.1 * 10 * montecarlo.MAX_WORK
