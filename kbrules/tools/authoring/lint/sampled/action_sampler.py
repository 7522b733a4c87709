"""Samples of offers: what players may do at positions, and what it changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from kbrules.engine.game import Game
from kbrules.game.events import CutOff, Event
from kbrules.game.moves import CHANCE, Move, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import READY, State
from kbrules.game.triggers import triggers_of
from kbrules.lang.typed import Rule, Step
from kbrules.library.ruleset import Offer, Ruleset
from kbrules.primitives.vocabulary import step_words


@dataclass(slots=True, eq=False)
class SampledOffer:
    """An action: how often a player was free to use it, could begin it, and did."""

    offer: Offer
    ready: int = 0
    offered: int = 0
    begun: int = 0


class ActionSampler:
    """Plays on from positions, mostly what some rules offer, and counts what happens."""

    def __init__(self, ruleset: Ruleset, rules: tuple[Rule, ...]) -> None:
        self._ruleset = ruleset
        self._ids = {rule.id for rule in rules}
        offers = [offer for offer in ruleset.offers() if offer.owner.rule.id in self._ids]
        self.offers = {offer.path: SampledOffer(offer) for offer in offers}
        self.tiles = sorted({o.owner.tile for o in offers if o.owner.tile >= 0})
        self.trigger_counts: Counter[str] = Counter()
        self.limit_counts: Counter[tuple[str, str]] = Counter()
        """How often which limit stopped which rule."""

    @property
    def limited_turns(self) -> int:
        """In how many turns rules ran into a limit; a redraw stops before it does anything."""
        return sum(turns for (limit, _), turns in self.limit_counts.items() if limit != "redraw")

    def play_on(self, game: Game, state: State, moves: int, random: Random) -> State:
        """The state after a few moves more; all are counted."""
        for _ in range(moves):
            legal = game.legal_moves(state)
            if not legal:
                break
            self._count_offers(state, legal)
            state = self._play(game, state, self._choose_move(legal, random))
        return state

    def _choose_move(self, moves: MoveSet, random: Random) -> Move:
        preferred = [group for group in moves.groups if group.rule in self._ids]
        others = [group for group in moves.groups if group.verb not in ("end", "stop")]
        for groups in (preferred, others):
            if moves.player != CHANCE and groups and random.below(3):
                return random.choice(random.choice(groups).moves())
        return moves.sample(random)

    def _count_offers(self, state: State, moves: MoveSet) -> None:
        """Count what is offered, and what might be."""
        if moves.player == CHANCE:
            return
        for path in {group.path for group in moves.groups} & self.offers.keys():
            self.offers[path].offered += 1
        if self._is_choosing_actions(state):
            for path in self._ready(state):
                self.offers[path].ready += 1

    def _is_choosing_actions(self, state: State) -> bool:
        frame = state.stack[-1]
        block = self._ruleset.blocks.get(frame.block)  # there is none for a reaction
        step = None if block is None else block.steps[frame.pc]
        return isinstance(step, Step) and step_words()[step.name].is_offers

    def _ready(self, state: State) -> Iterator[str]:
        tiles = state.seats[state.stack[-1].me].tiles
        ready = {tile.kind for tile in tiles if tile.status == READY}
        for path, sampled in self.offers.items():
            tile = sampled.offer.owner.tile
            if tile in ready or (tile < 0 and path not in state.used):
                yield path

    def _play(self, game: Game, state: State, move: Move) -> State:
        """The state after a move; what happened, and the action that was begun, are recorded."""
        group = game.legal_moves(state).group_of(move)
        path = group.path if group is not None else ""
        transition = game.play(state, move)
        for event in transition.events:
            self._count_event(event)
        if path in self.offers:
            self.offers[path].begun += 1
        return transition.state

    def _count_event(self, event: Event) -> None:
        if isinstance(event, CutOff):
            self.limit_counts[event.limit, event.rule] += 1
        for name in triggers_of(type(event)):
            self.trigger_counts[name] += 1
