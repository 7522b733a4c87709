"""A rule set: everything that was loaded, checked and put in order, ready to be played."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from kbrules.diagnostics import check_kind
from kbrules.game.board import CARDS_BESIDE, Catalog
from kbrules.game.moves import OWN_VERBS, MoveNames
from kbrules.lang import evaluation, typed
from kbrules.lang.syntax import tree
from kbrules.library.boards.tables import BoardParts
from kbrules.library.locks import LockedBox
from kbrules.primitives.vocabulary import CARD_KINDS, TILE_KINDS, verbs

Made = TypeVar("Made")

IN_PLAY = "in_play(card)"
WORDS_OF_CARDS = (IN_PLAY, "scoring_cards()", "waiting_cards()")
MOVES_OF_CARDS = frozenset({"retire", "bring", "substitute"})
"""The steps that change which cards are in play."""
_IN_PLAY_FIELDS = ("norms", "changes", "triggers", "whenevers", "actions", "phases")
"""The statements of a rule that matter before the end of the game."""
TURN = "turn"  # what the move that ends the turn belongs to


@dataclass(frozen=True, slots=True)
class OwnedRule:
    """Where a statement comes from: its rule, the tile it hangs on (or -1), its card (or -1)."""

    rule: typed.Rule
    tile: int
    card: int


@dataclass(frozen=True, slots=True)
class Offer:
    """An action with its path, and its owner."""

    path: str
    action: typed.Action
    owner: OwnedRule


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The rules and things of the loaded boxes.

    `memories` maps a memory to its scope and slot, `options` an option to its default,
    `blocks` an address to the steps there. `digest` names the texts it was made from.
    `declarations` are all of these as they were written.
    `marks` are the sets of hexes that are shown with a board, by their word of the rules.
    `titles` are what players call the memories that they see, by name.
    `contents` are digests of the files of each box.
    `derived` is room for what is made of it.
    """

    boxes: tuple[str, ...]
    catalog: Catalog
    parts: BoardParts
    rules: tuple[typed.Rule, ...]
    options: Mapping[str, bool | int]
    memories: Mapping[str, tuple[str, int]]
    evaluate: evaluation.Evaluator
    digest: str
    folders: tuple[str, ...] = ()
    marks: Mapping[str, typed.Expr] = field(default_factory=dict)
    declarations: tuple[tree.Declaration, ...] = field(default=(), repr=False)
    titles: Mapping[str, str] = field(default_factory=dict)
    contents: Mapping[str, LockedBox] = field(default_factory=dict, repr=False)
    derived: dict[Any, Any] = field(init=False, default_factory=dict, repr=False)

    owners: Mapping[str, OwnedRule] = field(init=False, default_factory=dict)
    blocks: Mapping[str, typed.Block] = field(init=False, default_factory=dict)

    def __repr__(self) -> str:
        """The boxes and the digest; all that it holds would be megabytes."""
        return f"Ruleset(boxes={self.boxes!r}, digest={self.digest!r})"

    def __post_init__(self) -> None:
        check_kind(self.catalog, Catalog, "the catalog of a rule set is wanted")
        check_kind(self.rules, tuple, "the rules of a rule set are a tuple")
        for rule in self.rules:
            check_kind(rule, typed.Rule, "the rules of a rule set are checked rules")
        owners = {f"{rule.kind}/{rule.id}": self._owned(rule) for rule in self.rules}
        blocks = {b.path: b for rule in self.rules for b in rule.blocks()}
        object.__setattr__(self, "owners", owners)
        object.__setattr__(self, "blocks", blocks)

    @property
    def acting_cards(self) -> frozenset[int]:
        """The cards whose being in play matters before the end of the game."""
        return self.once("acting", self._acting)

    @property
    def moves_cards(self) -> bool:
        """Whether some step changes which cards are in play, or some lie beside the table."""
        steps = (step for block in self.blocks.values() for step in block.steps)
        names = (step.name for step in steps if isinstance(step, typed.Step))
        beside = self.catalog.numbers.get(CARDS_BESIDE, 0) > 0
        return self.once("moves cards", lambda: beside or not MOVES_OF_CARDS.isdisjoint(names))

    def once(self, key: object, make: Callable[[], Made]) -> Made:
        """Return what is made of these rules, which is made once and found by its key."""
        if key not in self.derived:
            self.derived[key] = make()
        made: Made = self.derived[key]
        return made

    def _acting(self) -> frozenset[int]:
        owners, fields = self.owners.values(), _IN_PLAY_FIELDS
        parts = [getattr(o.rule, field) for o in owners for field in fields]
        asks = any(self.mentions(part, word) for part in parts for word in WORDS_OF_CARDS)
        if asks or self.moves_cards:
            return frozenset(range(len(self.catalog.cards)))
        return frozenset(o.card for o in owners if o.card >= 0 and o.rule.acts_in_play)

    def _owned(self, rule: typed.Rule) -> OwnedRule:
        tile = self.catalog.tile_index(rule.id) if rule.kind in TILE_KINDS else -1
        card = self.catalog.cards.index(rule.id) if rule.kind in CARD_KINDS else -1
        return OwnedRule(rule, tile, card)

    def mentions(self, part: object, word: str) -> bool:
        """Return whether a word (by the key of its signature) occurs in a part of a rule."""
        # The part is held as well, so that no other takes its place in memory.
        _, words = self.once(
            ("words", id(part)),
            lambda: (part, {call.word for call in typed.all_in(part, typed.Call)}),
        )
        return word in words

    def rule(self, id: str) -> typed.Rule | None:
        """The rule, tile or card of a name."""
        return next((rule for rule in self.rules if rule.id == id), None)

    def rule_of(self, step: typed.Step) -> str:
        """Return the name of the rule that a step of its blocks is in; empty for any other step."""
        steps = ((s, rule.id) for rule in self.rules for b in rule.blocks() for s in b.steps)
        rules = self.once(typed.Step, lambda: {id(step): rule for step, rule in steps})
        return rules.get(id(step), "")

    @property
    def move_words(self) -> MoveNames:
        """The names that moves may use."""
        return self.once(MoveNames, self._move_words)

    def _move_words(self) -> MoveNames:
        things = {rule.id for rule in self.rules} | {kind.id for kind in self.catalog.hexes}
        known = OWN_VERBS | verbs(), frozenset(things | {TURN})
        return MoveNames(MoveNames.of(self.catalog).cards, *known)

    def norms(self, verb: str, kind: str) -> tuple[tuple[typed.Norm, OwnedRule], ...]:
        """All norms of a kind about a verb."""
        return tuple(
            (norm, owner)
            for owner in self.owners.values()
            for norm in owner.rule.norms
            if norm.kind == kind and verb in norm.verbs
        )

    def triggers(self) -> tuple[tuple[typed.Trigger, OwnedRule], ...]:
        """All triggers."""
        return tuple((t, o) for o in self.owners.values() for t in o.rule.triggers)

    def whenever_rules(self) -> tuple[tuple[typed.Whenever, OwnedRule], ...]:
        """All that is done `whenever` something holds."""
        return tuple((s, o) for o in self.owners.values() for s in o.rule.whenevers)

    def offers(self) -> tuple[Offer, ...]:
        """All actions."""
        return tuple(
            Offer(action.body.path, action, o)
            for o in self.owners.values()
            for action in o.rule.actions
        )

    def phases(self, name: str) -> tuple[tuple[typed.Phase, OwnedRule], ...]:
        """All blocks of a phase, in the order of their rules' names."""
        return tuple((p, o) for o in self.owners.values() for p in o.rule.phases if p.name == name)
