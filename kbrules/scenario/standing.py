"""Where the game stands in a scenario: the cards, the turn, and what of it is done."""

from __future__ import annotations

from collections.abc import Mapping

from kbrules.diagnostics import quoted
from kbrules.engine.game import Game
from kbrules.game.state import Draft
from kbrules.scenario.laying import bring_to, has_actions
from kbrules.scenario.names import Names
from kbrules.scenario.sanity import Laid

__all__ = ["stand"]


def stand(names: Names, game: Game, laid: Laid) -> None:
    """Put the cards where they are said to be and bring the turn to where it stands."""
    draft = laid.draft
    turn = names.case.model.turn
    draft.shown = _played(names)
    _piles(names, game, draft)
    draft.ending = bool(turn.last_round)
    player = names.player(turn.player, names.case.span("turn", "player"))
    stage = turn.stage or ("actions" if has_actions(game.ruleset) else "start")
    if stage == "actions" and not has_actions(game.ruleset):
        names.report("KB504", names.case.span("turn", "stage"), "no turn of this game has actions")
        return
    bring_to(draft, game.ruleset, stage, max(0, player))
    draft.used = tuple(path for id in range(len(turn.done)) for path in _done(names, game, id))


def _played(names: Names) -> tuple[int, ...]:
    played = names.case.model.turn.played
    if not isinstance(played, str):
        return names.cards(played, "turn", "played")
    card = names.card(played, names.case.span("turn", "played"))
    return (card,) if card >= 0 else ()


def _piles(names: Names, game: Game, draft: Draft) -> None:
    """Cards of which nothing is said are in the deck; if all of the deck is said, they are gone."""
    position = names.case.model.position
    box = [card.count for card in game.ruleset.catalog.deck]
    discards = _pile(names, "discards", position.discards, len(box))
    out = [*draft.shown, *(card for seat in draft.seats for card in seat.hand)]
    rest = [box[card] - out.count(card) - discards[card] for card in range(len(box))]
    if position.deck is None:
        deck, removed = rest, [0] * len(box)
    else:
        deck = _pile(names, "deck", position.deck, len(box))
        removed = [rest[card] - deck[card] for card in range(len(box))]
    draft.piles = (_some(deck), tuple(discards), _some(removed))


def _some(counts: list[int]) -> tuple[int, ...]:
    return tuple(max(0, count) for count in counts)


def _pile(names: Names, pile: str, given: Mapping[str, int], kinds: int) -> list[int]:
    said: dict[int, int] = {}
    for name, count in given.items():
        key = names.case.key("position", pile, name)
        card = names.card(name, key)
        if card >= 0 and card in said:
            names.report("KB504", key, f"{quoted(name)} is a card that is counted here already")
        said[card] = count
    return [said.get(card, 0) for card in range(kinds)]


def _done(names: Names, game: Game, index: int) -> list[str]:
    """The actions of a rule that was done; those of a tile are used with the tile."""
    id = names.case.model.turn.done[index]
    span = names.case.span("turn", "done", index)
    if not names.rule(id, span):
        return []
    offers = [offer for offer in game.program.offers.values() if offer.owner.rule.id == id]
    if not offers:
        names.report("KB504", span, f"{quoted(id)} has no action")
    elif all(offer.owner.tile >= 0 for offer in offers):
        help = "say `status: used` of the tile that is held"
        names.report("KB504", span, f"{quoted(id)} is done with a tile", help)
    return [offer.path for offer in offers if offer.owner.tile < 0]
