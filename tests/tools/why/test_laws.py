"""Answers agree with the engine: on what is legal, on every clause of a refusal, on all gold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

import pytest

from kbrules.game.moves import CHANCE, Move
from kbrules.game.random import Random
from kbrules.game.state import draft_of
from kbrules.hex.sets import bits
from kbrules.lang.evaluation import INTERSECTION, UNION
from kbrules.lang.typed import Sort
from kbrules.tools.sampling import Sample, samples
from kbrules.tools.tracing import operator_kind
from kbrules.tools.why.evaluation import EvaluatedClause, Round, sheet_of
from kbrules.tools.why.moves import MAX_CHANGES, JudgedMove, changes_about, judge, smallest_change
from kbrules.tools.why.questions import moves_at
from tests.properties.mixes import BOXES, rules

SEEDS = (0, 3)
CLAUSES = ("not in `", "come first", "forbidden on", "not allowed on")
"""How the reasons of a refusal say that a clause stands against it."""
Held = list[bool | None]
TURNED: dict[str, Callable[[Held], bool]] = {
    INTERSECTION: all,
    UNION: any,
}
"""What set algebra makes of whether each part lets a hex through."""
POSITIONS = 16


@lru_cache(maxsize=len(SEEDS))
def sampled(seed: int) -> tuple[Sample, ...]:
    return tuple(samples(rules(BOXES), POSITIONS, seed))


def asked(sample: Sample, random: Random, count: int = 8) -> Iterator[Move]:
    """Moves at hexes drawn by chance, and half as many that are legal."""
    game, state = sample.game, sample.state
    moves = game.legal_moves(state)
    if not moves or moves.player == CHANCE:
        return
    hexes = bits(game.board.grid.full)
    for hex in random.sample(hexes, count):
        yield from moves_at(game, state, hex)
    legal = [move for move in moves if move.hex >= 0]
    yield from random.sample(legal, min(len(legal), count // 2))


def judged_of(sample: Sample, random: Random) -> Iterator[JudgedMove]:
    for move in asked(sample, random):
        yield judge(sample.game, sample.state, move)


def clauses_of(judged: JudgedMove) -> Iterator[EvaluatedClause]:
    """Every clause that was watched for a move."""
    step = judged.step
    assert step is not None
    if step.own_set is not None:
        yield from step.own_set.all()
    for norm in step.norms:
        if norm.target is not None:
            yield from norm.target.all()


def wrong_spans(judged: JudgedMove) -> set[tuple[str, int, int]]:
    """The places of everything said to stand against a move."""
    step = judged.step
    assert step is not None
    clauses = [] if step.own_set is None else list(step.own_set.all())
    for norm in step.norms:
        if norm.effect == "against":
            clauses += [] if norm.target is None else list(norm.target.all())
    spans = [clause.span for clause in clauses if clause.is_wrong]
    spans += [norm.norm.span for norm in step.norms if norm.effect == "against"]
    return {(span.source.name, span.start, span.end) for span in spans}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_move_is_called_legal_if_and_only_if_the_engine_carries_it_out(seed: int) -> None:
    random, counted = Random(seed, "why"), {True: 0, False: 0}
    for sample in sampled(seed):
        for judged in judged_of(sample, random):
            legal = judged.move in sample.game.legal_moves(sample.state)
            assert judged.legal is legal
            counted[legal] += 1
            if legal and judged.step is not None:
                assert judged.step.allows, judged
                assert not any(clause.is_wrong for clause in clauses_of(judged))
    assert min(counted.values()) > 20


@pytest.mark.parametrize("seed", SEEDS)
def test_every_clause_that_a_refusal_names_is_found_to_fail(seed: int) -> None:
    random, met = Random(seed, "why"), 0
    for sample in sampled(seed):
        for judged in judged_of(sample, random):
            for reason in judged.refusal.reasons:
                if not any(word in reason.text for word in CLAUSES):
                    continue
                span = reason.span
                assert span is not None
                assert (span.source.name, span.start, span.end) in wrong_spans(judged), judged
                met += 1
    assert met > 40


@pytest.mark.parametrize("seed", SEEDS)
def test_what_stands_against_a_hex_is_so_by_its_own_value(seed: int) -> None:
    """A clause said to fail has the hex where it must not be, or lacks it where it must."""
    random = Random(seed, "clauses")
    for sample in sampled(seed):
        for judged in judged_of(sample, random):
            if judged.step is None or judged.step.own_set is None:
                continue
            for clause in judged.step.own_set.all():
                if clause.expr.sort is Sort.HEXES and clause.holds is not None:
                    assert clause.holds is bool(clause.value >> judged.move.hex & 1)
                if clause.is_wrong and clause.expr.sort is Sort.HEXES:
                    assert clause.holds is not None
            assert judged.step.own_set.is_wrong is not judged.step.own_set.holds


@pytest.mark.parametrize("seed", SEEDS)
def test_the_parts_to_blame_are_those_that_would_have_to_change(seed: int) -> None:
    """Turning all of them over turns the whole over; where nothing is wrong nothing is blamed."""
    random, met = Random(seed, "blame"), 0
    for sample in sampled(seed):
        for judged in judged_of(sample, random):
            for clause in clauses_of(judged) if judged.step is not None else ():
                assert clause.is_wrong or not any(part.is_wrong for part in clause.parts)
                combine = TURNED.get(operator_kind(getattr(clause.expr, "word", "")))
                if combine is None or len(clause.parts) < 2:
                    continue
                if any(part.holds is None for part in clause.parts):
                    continue
                held: Held = [part.holds is not part.is_taken_away for part in clause.parts]
                wrong = [part.is_wrong for part in clause.parts]
                turned: Held = [one is not two for one, two in zip(held, wrong, strict=True)]
                assert combine(held) is clause.holds
                assert combine(turned) is (clause.holds is not clause.is_wrong)
                met += clause.is_wrong
    assert met > 10


@pytest.mark.parametrize("seed", SEEDS)
def test_the_parts_add_up_to_the_score_sheet(seed: int) -> None:
    for sample in sampled(seed):
        sheet = sample.game.score(sample.state)
        for player, lines in enumerate(sheet.lines):
            assert all(line.gold == 0 for line in lines if line.rule in sheet.nonpaying)
            found = sheet_of(sample.game, sample.state, player)
            for points, line in zip(found, [row[player] for row in sheet.rows], strict=True):
                assert (points.rule.id, points.gold) == (line.rule, line.gold)
                assert points.hexes == line.hexes
                for each in points.rounds:
                    assert sum(part.gold for part in each.parts) == each.gold
                    check_places(each, player)
            total = sum(points.gold for points in found) + sheet.gained[player]
            assert total == sheet.totals[player]


def check_places(round: Round, player: int) -> None:
    """Whoever is paid for a place has it."""
    for place in round.places:
        if place.player == player and round.gold:
            assert place.place == round.award.rank
    values = [place.value for place in round.places]
    assert values == sorted(values, reverse=True)


def test_a_change_that_is_told_makes_the_move_legal() -> None:
    """Carried out once more by its words, and judged by the evaluator that walks."""
    found = 0
    for sample in sampled(SEEDS[0])[2:6]:
        random = Random(sample.seed, "changes")
        illegal = [m for m in asked(sample, random, 2) if not is_legal(sample, m)]
        for move in illegal[:2]:
            search = smallest_change(sample.game, sample.state, move)
            assert len({*search.found}) == len(search.found)
            changes = {c.text: c for c in changes_about(sample.game, sample.state, move)}
            for texts in search.found:
                assert len(texts) == search.size <= MAX_CHANGES
                draft = draft_of(sample.state)
                for text in texts:
                    changes[text].edit(draft)
                assert move in sample.game.legal_moves(draft.seal())
                found += 1
    assert found > 3


def is_legal(sample: Sample, move: Move) -> bool:
    return move in sample.game.legal_moves(sample.state)
