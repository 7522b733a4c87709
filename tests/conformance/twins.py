"""Cases on which a slow second telling of the rules agrees: turns of games, and their gold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from kbrules.engine.game import Game
from kbrules.engine.setup import choose_table, game_at
from kbrules.game.moves import Move, write_move
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.hex.sets import bits
from kbrules.tools import conform as answers
from tests.boxes import bridge, scores as box_scores
from tests.boxes.follow import same as same_scene
from tests.boxes.scattered import opening, scattered
from tests.boxes.turn import story as box_story
from tests.conformance.book import LETTERS, Book, rules_of, written
from tests.oracle.ground import lay
from tests.oracle.picture import new_table
from tests.oracle.seen import answer_of, picture_of, question_of, rules
from tests.oracle.test_oracle import OPTIONS
from tests.oracle.twin_game import CHANCE, whole_game
from tests.oracle.twin_scores import score

MOVES = 7  # of a turn that are recorded
REFUSED = 3


@dataclass
class Walk:
    """A game and its twin, side by side. gold: what the twin pays; None where it cannot say."""

    name: str
    game: Game
    state: State
    story: Iterator[Any]
    gold: Callable[[], dict[str, dict[str, int]]]
    agrees: Callable[[State], bool]
    source: str


def record(book: Book, walk: Walk, every: int, turns: int) -> None:
    """Play, and enter what is offered, refused, paid and done in every so manieth turn."""
    random, question = Random(7, walk.name), next(walk.story, None)
    stage: object = None
    turn, kept, position, made = 0, 0, "", []
    while question is not None and not walk.state.is_over and kept <= turns:
        moves = walk.game.legal_moves(walk.state)
        asked = question_of(walk.game, moves)
        if asked.answers != question.answers or dict(asked.cards) != dict(question.cards):
            raise AssertionError(f"{walk.name}: the twin asks something else")
        if walk.state.stage != stage and question.player != CHANCE:
            stage, made, turn = walk.state.stage, [], turn + 1
            position = _position(book, walk, turn) if turn % every == 0 else ""
            kept += bool(position)
        if position and len(made) < MOVES:
            _ask(book, walk, position, made, random)
        groups = moves.groups
        each = groups[random.below(len(groups))].moves() if not moves.weights else ()
        move = each[random.below(len(each))] if each else moves.sample(random)
        question = _step(book, walk, position if len(made) < MOVES else "", made, move)


def _position(book: Book, walk: Walk, turn: int) -> str:
    keys = written(walk.game, walk.state)
    if keys is None:
        return ""
    name = f"{walk.name}-{turn}"
    book.positions[name] = keys
    gold = walk.gold()
    paid = {rule for each in gold.values() for rule, n in each.items() if n} - {"total"}
    book.put(f"{name}-scores", name, {"scores": gold}, paid, "twin", walk.source)
    return name


def _ask(book: Book, walk: Walk, position: str, made: list[str], random: Random) -> None:
    moves = walk.game.legal_moves(walk.state)
    id = f"{position}-{len(made)}"
    legal = answers.legal(walk.game, walk.state)
    book.put(
        f"{id}-legal", position, {"legal": legal}, rules_of(moves), "twin", walk.source, made
    )  # fmt: skip
    refused = dict(_refused(walk, random))
    if refused:
        holds = {rule for rules in refused.values() for rule in rules} | rules_of(moves)
        holds -= {"turn"}
        book.put(
            f"{id}-refused", position, {"refused": refused}, holds, "twin", walk.source, made
        )  # fmt: skip


def _refused(walk: Walk, random: Random) -> Iterator[tuple[str, tuple[str, ...]]]:
    """A few hexes that a rule on offer does not offer, with what stands against them."""
    groups = [group for group in walk.game.legal_moves(walk.state).groups if group.hexes]
    for group in groups[:REFUSED]:
        others = [*bits(walk.game.board.grid.full & ~group.hexes)]
        move = Move(group.verb, group.rule, random.choice(others))
        if walk.game.legal_moves(walk.state).group_of(move) is None:
            why = answers.reasons(walk.game, walk.state, move)
            known = {rule.id for rule in walk.game.ruleset.rules}
            yield write_move(move, walk.game.board), tuple(r for r in why if r in known)


def _step(book: Book, walk: Walk, position: str, made: list[str], move: Move) -> Any:
    """Make a move on both tables; its events are a case if what lies there then agrees."""
    before = walk.game.legal_moves(walk.state)
    done = walk.game.play(walk.state, move)
    answer = answer_of(walk.game, move)
    walk.state = done.state
    made.append(write_move(move, walk.game.board))
    try:
        question = walk.story.send(answer)  # type: ignore[attr-defined]
    except StopIteration:
        question = None
    events = answers.event_records(walk.game, done.events)
    if position and events and question is not None and walk.agrees(walk.state):
        holds = {move.rule or "terrain_cards"} if not before.weights else {"terrain_cards"}
        book.put(
            f"{position}-{len(made)}-events", position, {"events": events}, holds, "twin",
            walk.source, made,
        )  # fmt: skip
    return question


def base_walk(seed: int) -> Walk:
    """A game of the base box, with its twin."""
    options = OPTIONS[seed % len(OPTIONS)]
    table = choose_table(rules(), 2 + seed % 3, seed, "random", options)
    game = game_at(rules(), table)
    twin = new_table(lay(table.layout.rows), table.players, **options)

    def gold() -> dict[str, dict[str, int]]:
        found = {}
        for player in range(table.players):
            paid = {rule: score(twin, rule, player) for rule in ("castles", *table.cards)}
            found[LETTERS[player]] = {**paid, "total": sum(paid.values())}
        return found

    def agrees(state: State) -> bool:
        seen = picture_of(game, table, state)
        return seen.pieces == twin.pieces and seen.supply == twin.supply

    source = "tests/oracle/twin_game.py"
    return Walk(f"base-{seed}", game, game.start(), whole_game(twin), gold, agrees, source)


def boxes_walk(seed: int, played: bool) -> Walk:
    """A game of many boxes, or a scattered position of them, with its twin."""
    placed = opening(seed) if played else scattered(seed)
    scene = placed.scene
    game = bridge.game_of(placed)
    state = bridge.state_of(game, scene)

    def gold() -> dict[str, dict[str, int]]:
        found = {}
        for player in range(scene.players):
            each = (*box_scores.BASE, *box_scores.SCORES)
            paid = {rule: box_scores.score(scene, rule, player) for rule in each}
            total = sum(paid.values()) + scene.gold[player]
            found[LETTERS[player]] = {**paid, "total": total}
        return found

    def agrees(state: State) -> bool:
        try:
            same_scene(game, state, scene)
        except AssertionError:
            return False
        return True

    name = f"boxes-{'game' if played else 'strewn'}-{seed}"
    told = box_story(scene, 1000 if played else 1)
    return Walk(name, game, state, told, gold, agrees, "tests/boxes/turn.py")
