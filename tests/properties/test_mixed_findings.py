"""Everything in the boxes occurs: taken, begun, used up, paid for. These games show it, no others.

The games of other tests are not asked, so it does not matter which of them ran, and where.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import lru_cache
from itertools import combinations

import pytest

from kbrules.engine.game import Game
from kbrules.engine.setup import game_at, random_tiles
from kbrules.game.events import Gained, Lost, Moved, Placed, Received, Removed, Stored, Took, Used
from kbrules.game.moves import Move
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.library.ruleset import Ruleset
from tests.properties.mixes import BOXES, Step, played, rules, seeker, table_of

pytestmark = pytest.mark.slow
FIRST, GAMES = 0, 170


KITS = [*combinations(("", "crossroads", "harvest", "marshlands", "nomads"), 2)]
"""Boxes with sections, two by two; on a table laid of two boxes their tiles often meet."""
MEETING = {("crossroads", "harvest"): ["barracks_crossroads", "bazaar_water_mill"]}
"""Sections of which one has a tile that is used once more in a way of its own by the other's."""


def sections_of(box: str) -> set[str]:
    """The sections of one box for the table, those of the base game without a name."""
    base = rules(()).parts.sections
    return {*rules((box,)).parts.sections} - {*base} if box else {*base}


def game_with_everything(ruleset: Ruleset, seed: int) -> Game:
    """A table of the sections of two boxes at which all cards are in play.

    Palaces pay only without the noblewomen, who are left out of every other game.
    """
    table, random = table_of(ruleset, seed), Random(seed, "sections")
    one, other = kit = KITS[seed % len(KITS)]
    chosen = [*MEETING.get(kit, ())]
    left = sorted((sections_of(one) | sections_of(other)) - {*chosen})
    chosen += random.sample(left, 4 - len(chosen))
    spots = [(section, bool(random.below(2))) for section in chosen]
    layout = replace(table.layout, rows=((spots[0], spots[1]), (spots[2], spots[3])))
    tiles = random_tiles(ruleset, layout, seed)
    cards = [card for card in ruleset.catalog.cards if card != "noblewomen" or seed // 10 % 2]
    return game_at(ruleset, replace(table, layout=layout, tiles=tiles, cards=tuple(cards)))


@lru_cache(maxsize=1)
def found() -> Counter[str]:
    """What happened in all the games, and how often."""
    findings: Counter[str] = Counter()
    ruleset = rules(BOXES)
    for seed in range(FIRST, FIRST + GAMES):
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
            case Took() | Received():
                findings[f"takes {tiles[event.kind].id}"] += 1
            case Lost():
                findings[f"loses {tiles[event.kind].id}"] += 1
                findings[f"loses a tile of a {tiles[event.kind].place}"] += 1
            case Used(kind=kind) if kind >= 0:
                findings[f"uses {tiles[kind].id}"] += 1
            case Placed() | Moved() | Removed() | Stored():
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
    tiles = rules(BOXES).catalog.tiles
    assert missing({f"takes {tile.id}" for tile in tiles}) == []
    assert missing({f"loses {tile.id}" for tile in tiles if tile.copies}) == []
    assert missing({f"loses a tile of a {tile.place}" for tile in tiles}) == []


def test_every_tile_is_used() -> None:
    """But those that pay when taken, are for a second card, or change what others allow."""
    tiles = {tile.id for tile in rules(BOXES).catalog.tiles}
    tiles -= {"treasure", "crossroads", "temple_bonus", "fountain_bonus"}
    wanted = {f"uses {tile}" for tile in tiles} | {"pays treasure", "two cards in a hand"}
    assert missing(wanted) == []


def test_every_action_is_begun() -> None:
    paths = {offer.path for offer in rules(BOXES).offers()}
    tiles = {tile.id for tile in rules(BOXES).catalog.tiles}
    tiles -= {"treasure", "outpost", "canoe", "temple_bonus", "fountain_bonus"}
    assert {path.split("/")[1] for path in paths} == tiles | {
        "mandatory",
        "cave_walk",
        "farm_action",
    }
    assert missing({f"begins {path}" for path in paths}) == []


def test_every_piece_comes_and_goes() -> None:
    """Of a warrior, wagon or ship each deed is a choice of its own in the action of its tile."""
    wanted = {"moved settlement", "removed settlement", "placed wall", "placed hall"}
    wanted |= {"moved warrior", "moved wagon", "moved ship", "stored settlement"}
    for piece in ("warrior", "wagon", "ship", "scout"):
        wanted |= {f"placed {piece}", f"removed {piece}"}
    assert missing(wanted) == []


@pytest.mark.parametrize("boxes", [(), *((box,) for box in BOXES)], ids="".join)
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
        "store",
        "mark",
        "use",
        "stop",
        "end",
        "draw",
        "choose",
    }
    assert missing({f"does {verb}" for verb in verbs}) == []
