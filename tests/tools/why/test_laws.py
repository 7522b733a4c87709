"""Answers agree with the engine: on what is legal, on every clause of a refusal, on all gold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial, reduce
from operator import or_
from pathlib import Path

import pytest

import kbrules
from kbrules.engine.derivation import Cause, derive
from kbrules.game.moves import CHANCE, Move
from kbrules.game.random import Random
from kbrules.game.state import draft_of
from kbrules.hex.sets import bits
from kbrules.lang.evaluation import INTERSECTION, UNION
from kbrules.lang.typed import Sort
from kbrules.reference.machine import Standing, machine_of, standing
from kbrules.tools.sampling import Sample, samples
from kbrules.tools.tracing import operator_kind
from kbrules.tools.why.evaluation import EvaluatedClause, Round, sheet_of
from kbrules.tools.why.moves import (
    MAX_CHANGES,
    ExplainedMove,
    changes_about,
    explain_move,
    smallest_change,
)
from kbrules.tools.why.questions import moves_at
from tests.properties.mixes import BOXES, rules

HOUSE = Path("tests/house")
SEEDS = (0, 3)
CLAUSES = (Cause.OWN_SET, Cause.PERMIT, Cause.FORBID, Cause.PREFER, Cause.DENY)
"""The verdicts about clauses."""
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


def sampled_of_house(name: str) -> tuple[Sample, ...]:
    return tuple(samples(kbrules.load(folders=[HOUSE / name]), 8, 1))


OF_SAMPLES = {f"boxes {seed}": partial(sampled, seed) for seed in SEEDS} | {
    name: partial(sampled_of_house, name) for name in ("fair", "senate", "shapes")
}


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


def explained_of(sample: Sample, random: Random) -> Iterator[ExplainedMove]:
    for move in asked(sample, random):
        yield explain_move(sample.game, sample.state, move)


def with_parts(clause: EvaluatedClause) -> Iterator[EvaluatedClause]:
    """Yield a clause and all its parts, outer ones first."""
    yield clause
    for part in clause.parts:
        yield from with_parts(part)


def clauses_of(move: ExplainedMove) -> Iterator[EvaluatedClause]:
    """Every clause that was watched for a move."""
    if move.own_set is not None:
        yield from with_parts(move.own_set)
    for norm in move.norms:
        if norm.target is not None:
            yield from with_parts(norm.target)


def wrong_spans(move: ExplainedMove) -> set[tuple[str, int, int]]:
    """The places of everything said to stand against a move."""
    against = [norm for norm in move.norms if norm.verdict.speaks == "against"]
    spans = [clause.span for clause in clauses_of(move) if clause.is_wrong]
    spans += [norm.verdict.span for norm in against if norm.verdict.span is not None]
    return {(span.source.name, span.start, span.end) for span in spans}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_move_is_called_legal_if_and_only_if_the_engine_carries_it_out(seed: int) -> None:
    random, counted = Random(seed, "why"), {True: 0, False: 0}
    for sample in sampled(seed):
        for explained in explained_of(sample, random):
            legal = explained.derivation.move in sample.game.legal_moves(sample.state)
            assert explained.derivation.legal is legal
            assert bool(explained.derivation.verdicts) is not legal
            counted[legal] += 1
            if legal:
                assert explained.is_allowed, explained
                assert not any(clause.is_wrong for clause in clauses_of(explained))
    assert min(counted.values()) > 20


@pytest.mark.parametrize("seed", SEEDS)
def test_every_clause_that_a_refusal_names_is_found_to_fail(seed: int) -> None:
    random, met = Random(seed, "why"), 0
    for sample in sampled(seed):
        for explained in explained_of(sample, random):
            for verdict in explained.derivation.verdicts:
                if verdict.cause not in CLAUSES:
                    continue
                span = verdict.span
                assert span is not None
                assert (span.source.name, span.start, span.end) in wrong_spans(explained)
                met += 1
    assert met > 40


@pytest.mark.parametrize("of", OF_SAMPLES)
def test_a_derivation_leaves_the_hexes_that_the_engine_evaluates(of: str) -> None:
    """Its set and its norms account for each hex that is not left of the step's expression."""
    compared = 0
    for sample in OF_SAMPLES[of]():
        game, state = sample.game, sample.state
        full = bits(game.board.grid.full)
        for group in game.legal_moves(state).groups:
            move = Move(group.verb, group.rule, full[0])
            for step in derive(game, state, move).steps[:1] if group.hexes else ():
                if step.is_source:
                    continue
                legal = step.linked.legal.value(step.view)
                assert not legal & ~step.sets.open
                for hex in full:
                    step.hex = hex
                    assert (next(step.verdicts(), None) is None) is bool(legal >> hex & 1)
                compared += 1
    assert compared > 2


@pytest.mark.parametrize("of", OF_SAMPLES)
def test_actions_that_are_available_are_those_whose_standing_is_open(of: str) -> None:
    found: set[Standing] = set()
    for sample in OF_SAMPLES[of]():
        game, state = sample.game, sample.state
        table = game.players, game.card_indexes, game.options, game.plan.linking
        machine = machine_of(game.ruleset, *table)
        for player in range(game.players):
            standings = {o.path: standing(o, state, player) for o in game.plan.offers.values()}
            found |= {*standings.values()}
            is_open = {path for path, each in standings.items() if each is Standing.OPEN}
            assert is_open == {o.path for o in machine.offers.available(draft_of(state), player)}
    assert len(found) > 1


@pytest.mark.parametrize("seed", SEEDS)
def test_what_stands_against_a_hex_is_so_by_its_own_value(seed: int) -> None:
    """A clause said to fail has the hex where it must not be, or lacks it where it must."""
    random = Random(seed, "clauses")
    for sample in sampled(seed):
        for explained in explained_of(sample, random):
            if explained.own_set is None:
                continue
            for clause in with_parts(explained.own_set):
                if clause.expr.sort is Sort.HEXES and clause.holds is not None:
                    assert clause.holds is bool(clause.value >> explained.derivation.hex & 1)
                if clause.is_wrong and clause.expr.sort is Sort.HEXES:
                    assert clause.holds is not None
            assert explained.own_set.is_wrong is not explained.own_set.holds


@pytest.mark.parametrize("seed", SEEDS)
def test_the_parts_to_blame_are_those_that_would_have_to_change(seed: int) -> None:
    """Turning all of them over turns the whole over; where nothing is wrong nothing is blamed."""
    random, met = Random(seed, "blame"), 0
    for sample in sampled(seed):
        for explained in explained_of(sample, random):
            for clause in clauses_of(explained):
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
                    assert reduce(or_, (part.hexes for part in each.parts), 0) == each.hexes
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
