"""Every expression of some boxes on random positions: the kernel's text against the reference.

By hand: `python -m tests.equal.expressions --tables 10 --seed 7`. It ends with 0 if they agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import groupby
from typing import Any

from kbrules.game.random import Random
from kbrules.game.view import View
from kbrules.hex.sets import bits
from kbrules.lang.typed import Expr, Sort
from kbrules.tools.sampling import Sample, samples
from tests.equal.questions import Answering, Questions, Values, expressions, open_names, questions
from tests.equal.settings import Mix, rules_of, setting_of
from tests.equal.unequal import Unequal, position, told_apart

POSITIONS = 8
"""Of one table: moments of a random game, and the same strewn with pieces and tiles."""


def compared(seed: int, mix: Mix | None = None) -> int:
    """Ask every expression of the boxes of a seed in both ways: on each position, of everybody.

    Answers how many pairs of answers were equal. Raises `Unequal` at the first that are not.
    """
    pairs = 0
    for number, (answering, sample) in enumerate(_positions(seed, mix)):
        if not answering.sees(sample.state):
            continue
        values = Values(sample.game, Random(seed, f"values {number}"))
        for asked, expr in enumerate(answering.exprs):
            names = open_names(expr)
            for me in range(sample.game.players):
                env = {name: values.of(sort) for name, sort in names.items()}
                try:
                    agree(answering, asked, sample.game.view(sample.state, me, env))
                except Exception as error:
                    error.add_note(_where(expr, me, env, sample, seed, mix))
                    raise
                pairs += 1
    return pairs


def _positions(seed: int, mix: Mix | None) -> Iterator[tuple[Answering, Sample]]:
    """The positions of a seed, each with what answers at its table."""
    setting = setting_of(seed, mix)
    drawn = samples(rules_of(setting.mix), POSITIONS, seed, options=setting.table.options)
    kept: dict[object, Questions] = {}
    for _, group in groupby(drawn, lambda sample: id(sample.game)):
        for number, sample in enumerate(group):
            if not number:
                asked = questions(sample.game, partial(expressions, sample.game), kept)
                answering = Answering(asked, sample.game)
            yield answering, sample


def agree(answering: Answering, asked: int, view: View) -> None:
    """Ask in both ways. Raises `Unequal` if the answers differ."""
    mine = answering.answer(asked, view.me, view.env)
    theirs = answering.game.plan.link(answering.exprs[asked]).value(view)
    if mine != theirs:
        raise Unequal("the answers", told_apart(mine, theirs))


def _where(
    expr: Expr, me: int, env: Mapping[str, Any], sample: Sample, seed: int, mix: Mix | None
) -> str:
    span, mix = expr.span, setting_of(seed, mix).mix
    sorts, name = open_names(expr), sample.game.board.grid.name
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
