"""Every expression of some boxes on random positions: generated code against the tree.

By hand: `python -m tests.equal.expressions --tables 10 --seed 7`. It ends with 0 if they agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from kbrules.compile.late import Late
from kbrules.engine.game import Game
from kbrules.game.random import Random
from kbrules.game.view import View
from kbrules.hex.masks import bits
from kbrules.lang.sorts import Sort
from kbrules.tools.sampling import Sample, samples
from tests.equal.everything import Values, nodes, open_names
from tests.equal.settings import Mix, rules_of, setting_of
from tests.equal.unequal import Unequal, position, told_apart

POSITIONS = 8
"""Of one table: moments of a random game, and the same strewn with pieces and tiles."""

Asked = tuple[Late, Mapping[str, Sort]]
"""An expression, and the names that are open in it."""


def compared(seed: int, mix: Mix | None = None) -> int:
    """Ask every expression of the boxes of a seed in both ways: on each position, of everybody.

    Answers how many pairs of answers were equal. Raises `Unequal` at the first that are not.
    """
    pairs = 0
    for number, (asked, sample) in enumerate(_positions(seed, mix)):
        values = Values(sample.game, Random(seed, f"values {number}"))
        for node, names in asked:
            for me in range(sample.game.players):
                env = {name: values.of(sort) for name, sort in names.items()}
                try:
                    agree(node, sample.game.view(sample.state, me, env), noting=bool(me % 2))
                except Exception as error:
                    error.add_note(_where(node, me, env, sample, seed, mix))
                    raise
                pairs += 1
    return pairs


def _positions(seed: int, mix: Mix | None) -> Iterator[tuple[list[Asked], Sample]]:
    """The positions of a seed, each with all that can be asked at its table."""
    setting = setting_of(seed, mix)
    drawn = samples(rules_of(setting.mix), POSITIONS, seed, options=setting.table.options)
    for _, group in groupby(drawn, lambda sample: id(sample.game)):
        for number, sample in enumerate(group):
            if not number:
                asked = asked_at(sample.game)
            yield asked, sample


def asked_at(game: Game) -> list[Asked]:
    """All that can be asked in a game, generated."""
    found = [(node, open_names(node.expr)) for node in nodes(game)]
    for node, _ in found:
        node.generate()
    return found


def agree(node: Late, view: View, *, noting: bool) -> None:
    """Ask in both ways. Raises `Unequal` if the answers differ, or what was counted for them."""
    answers = []
    for answer in (node.value, node.tree.value):
        view.notes = [] if noting else None
        answers.append((answer(view), view.notes))
    mine, theirs = answers
    if mine != theirs:
        raise Unequal("the answers, with what was counted,", told_apart(mine, theirs))


def _where(
    node: Late, me: int, env: Mapping[str, Any], sample: Sample, seed: int, mix: Mix | None
) -> str:
    span, mix = node.expr.span, setting_of(seed, mix).mix
    sorts, name = open_names(node.expr), sample.game.board.grid.name
    bound = {
        variable: list(map(name, bits(value))) if sorts[variable] is Sort.HEXES else value
        for variable, value in env.items()
    }
    return (
        f"to {span.source.name}:{span.line}:{span.column}: `{span.text}`\n"
        f"of player {me} with {bound or 'no names'}, on a {sample.kind} position of seed {seed}\n"
        f"again: python -m tests.equal.expressions --tables 1 --seed {seed} --with {mix}\n"
        f"{position(sample.game, sample.state)}"
    )


if __name__ == "__main__":
    from tests.equal.by_hand import ask

    ask()
