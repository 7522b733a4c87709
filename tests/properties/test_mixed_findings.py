"""Everything in the boxes occurs: taken, begun, used up, paid for. These games show it, no others.

The games of other tests are not asked, so it does not matter which of them ran, and where.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import pytest

from kbrules.engine.game import Game
from kbrules.engine.setup import game_at
from kbrules.game.events import Gained, Lost, Moved, Placed, Removed, Took, Used
from kbrules.game.moves import Move
from kbrules.game.state import State
from kbrules.library.ruleset import Ruleset
from tests.properties.aims import seeker
from tests.properties.mixes import MIXES, Step, played, rules, table_of

ALL = MIXES[-1]
GAMES = 180


def game_with_everything(ruleset: Ruleset, seed: int) -> Game:
    """A table at which all cards are in play."""
    table, cards = table_of(ruleset, seed), ruleset.catalog.cards
    return Game(ruleset, game_at(ruleset, table).board, table.players, cards, table.options)


@lru_cache(maxsize=1)
def found() -> Counter[str]:
    """What happened in all the games, and how often."""
    findings: Counter[str] = Counter()
    ruleset = rules(ALL)
    for seed in range(GAMES):
        game = game_with_everything(ruleset, seed)
        state = game.start()
        for step in played(game, seed, seeker(game, seed)):
            look(findings, game, step)
            state = step[2].state
        look_at_the_end(findings, game, state)
    return findings


def look(findings: Counter[str], game: Game, step: Step) -> None:
    """Note what one move shows."""
    before, move, after = step
    tiles, pieces = game.ruleset.catalog.tiles, game.ruleset.catalog.pieces
    findings[f"begins {path_of(game, before, move)}"] += 1
    findings[f"does {move.verb}"] += 1
    for event in after.events:
        match event:
            case Took():
                findings[f"takes {tiles[event.kind].id}"] += 1
            case Lost():
                findings[f"loses {tiles[event.kind].id}"] += 1
                findings[f"loses a tile of a {tiles[event.kind].place}"] += 1
            case Used(kind=kind) if kind >= 0:
                findings[f"uses {tiles[kind].id}"] += 1
            case Placed() | Moved() | Removed():
                name = pieces[event.piece].id
                findings[f"{type(event).__name__.lower()} {name}"] += 1
            case Gained():
                findings[f"pays {event.rule}"] += event.gold
    for seat in after.state.seats if move.verb == "draw" else ():
        if len(seat.hand) > 1:
            findings["two cards in a hand"] += 1


def path_of(game: Game, before: State, move: Move) -> str:
    group = game.legal_moves(before).group_of(move)
    assert group is not None
    return group.path


def look_at_the_end(findings: Counter[str], game: Game, state: State) -> None:
    """Note what pays at the end."""
    for lines in game.score(state).lines:
        for line in lines:
            findings[f"pays {line.rule}"] += max(0, line.gold)


def missing(wanted: set[str]) -> list[str]:
    return sorted(each for each in wanted if not found()[each])


def test_every_tile_is_taken_and_every_kind_of_them_is_lost() -> None:
    tiles = rules(ALL).catalog.tiles
    assert missing({f"takes {tile.id}" for tile in tiles}) == []
    assert missing({f"loses {tile.id}" for tile in tiles if tile.copies}) == []
    assert missing({f"loses a tile of a {tile.place}" for tile in tiles}) == []


def test_every_tile_is_used() -> None:
    """But the one that pays when taken and the one that is for a second card."""
    tiles = {tile.id for tile in rules(ALL).catalog.tiles} - {"treasure", "crossroads"}
    wanted = {f"uses {tile}" for tile in tiles} | {"pays treasure", "two cards in a hand"}
    assert missing(wanted) == []


def test_every_action_is_begun() -> None:
    paths = {offer.path for offer in rules(ALL).offers()}
    assert len(paths) >= len(rules(ALL).catalog.tiles) - 3 + 2  # the mandatory one and the caves
    assert missing({f"begins {path}" for path in paths}) == []


def test_every_piece_comes_and_goes() -> None:
    """Of a warrior, wagon or ship each deed is a choice of its own in the action of its tile."""
    wanted = {"moved settlement", "removed settlement", "placed wall", "placed hall"}
    wanted |= {"moved wagon", "moved ship"}
    for piece in ("warrior", "wagon", "ship"):
        wanted |= {f"placed {piece}", f"removed {piece}"}
    assert missing(wanted) == []


@pytest.mark.parametrize("boxes", [(), *((box,) for box in ALL)], ids="".join)
def test_every_card_task_and_rule_that_pays_does(boxes: tuple[str, ...]) -> None:
    """Box by box, so that what is missing is named with its box."""
    ruleset = rules(boxes)
    paying = {rule.id for rule in ruleset.rules if rule.awards}
    assert missing({f"pays {id}" for id in paying | set(ruleset.catalog.cards)}) == []


def test_every_verb_is_chosen() -> None:
    """Hexes marked before set-up among them."""
    verbs = {
        "build",
        "place",
        "lift",
        "move",
        "remove",
        "mark",
        "use",
        "stop",
        "end",
        "draw",
        "choose",
    }
    assert missing({f"does {verb}" for verb in verbs}) == []
