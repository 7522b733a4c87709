"""The cards and the turn of a position: piles, player, stage, rules done."""

from __future__ import annotations

from collections.abc import Mapping

from kbrules.diagnostics import quoted
from kbrules.engine.game import Game
from kbrules.game.state import Draft
from kbrules.scenario.setup.position_edits import enter_stage, has_actions
from kbrules.scenario.setup.resolver import NameResolver


def set_turn(resolver: NameResolver, game: Game, draft: Draft) -> None:
    """Set the piles of cards, the player, the stage of the turn and the rules done in it."""
    turn = resolver.scenario.model.turn
    draft.shown = _played(resolver)
    _piles(resolver, game, draft)
    draft.ending = bool(turn.last_round)
    player = resolver.player(turn.player, resolver.scenario.where("turn", "player"))
    stage = turn.stage or ("actions" if has_actions(game.ruleset) else "start")
    if stage == "actions" and not has_actions(game.ruleset):
        span = resolver.scenario.span("turn", "stage")
        resolver.report("KB504", span, "no turn of this game has actions")
        return
    enter_stage(draft, game.ruleset, stage, max(0, player), turn.round)
    done = enumerate(turn.done)
    draft.used = tuple(path for i, id in done for path in _paths_done(resolver, game, i, id))


def _played(resolver: NameResolver) -> tuple[int, ...]:
    played = resolver.scenario.model.turn.played
    if not isinstance(played, str):
        return resolver.cards(played, "turn", "played")
    card = resolver.card(played, resolver.scenario.where("turn", "played"))
    return (card,) if card >= 0 else ()


def _piles(resolver: NameResolver, game: Game, draft: Draft) -> None:
    """Set the piles: cards not named are in the deck, or removed if the deck is given."""
    position = resolver.scenario.model.position
    totals = [card.count for card in game.ruleset.catalog.deck]
    discards = _pile(resolver, "discards", position.discards, len(totals))
    drawn = [*draft.shown, *(card for seat in draft.seats for card in seat.hand)]
    undrawn = [totals[card] - drawn.count(card) - discards[card] for card in range(len(totals))]
    if position.deck is None:
        deck, removed = undrawn, [0] * len(totals)
    else:
        deck = _pile(resolver, "deck", position.deck, len(totals))
        removed = [undrawn[card] - deck[card] for card in range(len(totals))]
    draft.piles = (_not_negative(deck), tuple(discards), _not_negative(removed))


def _not_negative(counts: list[int]) -> tuple[int, ...]:
    return tuple(max(0, count) for count in counts)


def _pile(resolver: NameResolver, pile: str, counts: Mapping[str, int], kinds: int) -> list[int]:
    counts_by_card: dict[int, int] = {}
    for name, count in counts.items():
        key = resolver.scenario.where_key("position", pile, name)
        card = resolver.card(name, key)
        if card >= 0 and card in counts_by_card:
            resolver.report(
                "KB504", key(), f"{quoted(name)} is a card that is counted here already"
            )
        counts_by_card[card] = count
    return [counts_by_card.get(card, 0) for card in range(kinds)]


def _paths_done(resolver: NameResolver, game: Game, index: int, id: str) -> list[str]:
    """The paths of the actions of a rule that was done; a tile has a status instead."""
    where = resolver.scenario.where("turn", "done", index)
    if not resolver.rule(id, where):
        return []
    offers = [offer for offer in game.plan.offers.values() if offer.owner.rule.id == id]
    if not offers:
        resolver.report("KB504", where(), f"{quoted(id)} has no action")
    elif all(offer.owner.tile >= 0 for offer in offers):
        help = "say `status: used` of the tile that is held"
        resolver.report("KB504", where(), f"{quoted(id)} is done with a tile", help)
    return [offer.path for offer in offers if offer.owner.tile < 0]
