"""Laws of whole games with the Marshlands: pieces aside, bonus tiles, who decides."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from kbrules.engine.game import Game
from kbrules.engine.setup import game_at
from kbrules.game.events import LastRound
from kbrules.game.moves import CHANCE
from kbrules.game.state import Seat, State
from kbrules.library.boards.tables import Layout
from tests.properties.mixes import Step, played, rules, table_of

MIXES = (("marshlands",), ("marshlands", "nomads", "crossroads", "caves", "capitol"))
GAMES = 12
MARSHES = Layout(((("canoe", False), ("temple", True)), (("refuge", True), ("fountain", False))))
KINDS = ("temple", "refuge", "canoe", "fountain")


def remembered(game: Game, seat: Seat, name: str) -> int:
    return seat.memory[game.ruleset.memories[name][1]]


def no_piece_is_lost(game: Game, state: State) -> None:
    """On the board, in the supply, or laid aside; only settlements are laid aside."""
    for seat in state.seats:
        for piece, of in enumerate(game.ruleset.catalog.pieces):
            begun = remembered(game, seat, "founded") or state.stage[0] != "turn"
            owed = 0 if begun else remembered(game, seat, "owed")
            aside = remembered(game, seat, "away") + owed if of.id == "settlement" else 0
            on = seat.pieces[piece].bit_count() // of.size
            assert of.neutral or on + seat.supply[piece] + aside == of.supply, of.id


def bonuses_come_with_two(game: Game, state: State) -> None:
    """One bonus tile of a kind at most, and with the default never without two of the kind."""
    names = [tile.id for tile in game.ruleset.catalog.tiles]
    for seat in state.seats:
        held = Counter(names[tile.kind] for tile in seat.tiles)
        for kind in KINDS:
            assert held[f"{kind}_bonus"] <= 1 and held[kind] <= 2
            if game.plan.option("bonus_lost"):
                assert held[f"{kind}_bonus"] == (held[kind] == 2), kind


def who_decides(game: Game, state: State) -> int:
    """Whoever has the turn decides, but for reactions; 1 if this is one."""
    moves = game.legal_moves(state)
    rules = {group.rule for group in moves.groups}
    if moves.player in (CHANCE, state.active) and rules != {"canoe"}:
        return 0
    assert not moves or rules == {"canoe"}, rules
    assert not moves or ("stop", "canoe") in {(g.verb, g.rule) for g in moves.groups}
    unused = [t for t in state.seats[moves.player].tiles if t.status != "used"]
    names = [game.ruleset.catalog.tiles[tile.kind].id for tile in unused]
    deciding = state.stack[-1].block.endswith("?")
    assert not moves or not deciding or "canoe" in names
    return 1


def the_end_waits_for_what_is_aside(game: Game, step: Step) -> int:
    """The last round waits for a settlement laid aside, unless an option says otherwise."""
    _, _, done = step
    calls = [event.player for event in done.events if isinstance(event, LastRound)]
    for player in calls:
        seat = done.state.seats[player]
        waits = game.options.get("temple_delays_end", True) and remembered(game, seat, "away") > 0
        assert seat.supply[0] == 0 and not waits
    return len(calls)


def takers_are_not_asked(game: Game, state: State) -> None:
    """Nobody is asked because of a last tile they took themselves."""
    if state.stack and state.stack[-1].block.endswith("?"):
        assert game.legal_moves(state).player != state.stack[-1].env["actor"]


@pytest.mark.parametrize("boxes", MIXES, ids="+".join)
def test_every_law_holds_in_every_game(boxes: tuple[str, ...]) -> None:
    reactions = calls = 0
    for seed in range(GAMES):
        table = replace(table_of(rules(boxes), seed), layout=MARSHES, tiles={})
        game = game_at(rules(boxes), table)
        for step in played(game, seed):
            state = step[2].state
            no_piece_is_lost(game, state)
            bonuses_come_with_two(game, state)
            takers_are_not_asked(game, state)
            reactions += who_decides(game, state)
            calls += the_end_waits_for_what_is_aside(game, step)
    assert calls == GAMES
    assert reactions > 0
