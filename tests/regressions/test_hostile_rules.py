"""Rules by which play never ends are told of after a budget of moves, not after minutes."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbrules.engine.game import Game
from kbrules.game.moves import Move
from kbrules.game.state import State
from kbrules.text import Source
from kbrules.tools.authoring.lint import suppressions
from kbrules.tools.authoring.lint.sampled.sampler import LONGEST
from tests.tools.lint.written import warned


@pytest.mark.parametrize("norm", ["forbid build on board", "deny build on board"])
def test_one_game_without_an_end_is_enough(
    norm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, apply = [0], Game.apply

    def counted(game: Game, state: State, move: Move) -> State:
        made[0] += 1
        return apply(game, state, move)

    monkeypatch.setattr(Game, "apply", counted)
    path = tmp_path / "x.kb"
    path.write_text(f'rule still "Still":\n    "Nobody builds."\n    {norm}\n', encoding="utf-8")
    (found,) = warned(path, ["KB752"])
    assert f"did not end in {LONGEST} moves" in found.message
    assert "no further positions were looked at" in found.message
    assert made[0] <= 2 * LONGEST


def test_many_comments_are_read_line_by_line_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, says = [0], suppressions._says

    def counted(source: Source, line: int) -> bool:
        asked[0] += 1
        return says(source, line)

    monkeypatch.setattr(suppressions, "_says", counted)
    comment = "# kb: ignore[KB703] so\n"
    text = comment * 3000 + 'rule x "X":\n    "x"\n' + comment * 3000 + "\n" + comment
    found = suppressions.suppressions_of(Source("x.kb", text))
    assert [found[0].lines, found[-1].lines] == [range(3001, len(text.split("\n")) + 1), range(0)]
    assert asked[0] < 20_000
