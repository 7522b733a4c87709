"""What a player may begin: actions of the table and of tiles, and the branches of `either`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from kbrules.game.moves import CHANCE, MoveGroup, new_group
from kbrules.game.state import FRESH, READY, Draft, Frame, Tile, draft_of
from kbrules.game.view import (
    REPEATED,
    MoveContext,
    View,
    is_open,
    names_in_action,
    terrains,
    with_choice,
)
from kbrules.hex.sets import Mask
from kbrules.lang import typed as core
from kbrules.library.ruleset import Offer
from kbrules.plan.plan import MAX_TRIALS, MAX_TRIED_BLOCKS, PLAYED, Plan
from kbrules.reference import statements

# The blocks of a rule set linked for one plan.


class LinkedBlocks(dict[str, statements.Statements]):
    """The statements of each block by its path, linked when they are first needed."""

    def __init__(self, plan: Plan, choices: statements.LegalHexes) -> None:
        super().__init__()
        self._plan = plan
        self._choices = choices

    def __missing__(self, path: str) -> statements.Statements:
        self[path] = found = self._linked(path)
        return found

    def _linked(self, path: str) -> statements.Statements:
        blocks, reaction = self._plan.ruleset.blocks, self._plan.questions.get(path)
        if reaction is None:
            return self.block(blocks[path])
        guard = self._plan.reaction_guards[reaction]
        test = self._plan.link(guard) if guard is not None else None
        return (
            statements.ReactionStatement(blocks[reaction], self._plan.reactions[reaction], test),
        )

    def block(self, block: core.Block) -> statements.Statements:
        """The statements of a block."""
        rule = block.path.split("/", 2)[1]
        return tuple(self._statement(statement, rule) for statement in block.steps)

    def _statement(self, statement: core.Statement, rule: str) -> statements.Statement:
        link = self._plan.link
        match statement:
            case core.Step():
                return self._step(statement, rule)
            case core.If(condition=condition, body=body, other=other):
                otherwise = self.block(other) if other is not None else ()
                return statements.IfStatement(
                    statement, link(condition), self.block(body), otherwise
                )
            case core.Repeat(times=times, body=body):
                return statements.RepeatStatement(statement, link(times), self.block(body), rule)
            case core.Each(domain=domain, guard=guard, body=inside):
                test = link(guard) if guard is not None else None
                return statements.ForStatement(statement, link(domain), test, self.block(inside))
            case core.Either():
                return statements.EitherStatement(statement, rule)

    def _step(self, step: core.Step, rule: str) -> statements.Statement:
        linked = self._choices.linked(step)
        if linked.word.is_offers:
            return statements.OfferStep(step)
        if linked.word.is_reuse:
            return statements.ReuseStep(linked, rule)
        if linked.word.asks:
            return statements.ChoiceStep(linked, rule, self._choices)
        if linked.word.outcomes is not None:
            return statements.DrawStep(linked)
        return statements.InstantStep(linked, rule)


class Offers:
    """Finds what can be begun, and its first choice, without changing anything."""

    def __init__(
        self,
        plan: Plan,
        choices: statements.LegalHexes,
        blocks: Mapping[str, statements.Statements],
        machine: statements.MachineInterface,
    ) -> None:
        self._plan = plan
        self._choices = choices
        self._blocks = blocks
        self._machine = machine
        firsts = [(path, blocks[path][0]) for path in plan.offers if blocks[path]]
        self.mixed = frozenset(path for path, first in firsts if self._is_mixed(first))

    def offered(self, context: MoveContext, frame: Frame) -> tuple[MoveGroup, ...]:
        """All that a player may do now in their turn; `end` unless something is required.

        Empty when there is nothing to decide. Within a trial of an action it is empty: an action
        does not begin with actions.
        """
        if context.trials >= MAX_TRIALS:
            return ()
        env = names_in_action(frame.env)
        view = self._machine.view(context, frame.me, env)
        groups, required = self._groups_of(
            context, frame._replace(env=env), view, self._available(context.draft, frame.me)
        )
        if groups and not required:
            groups.append(MoveGroup("end", "turn"))
        return tuple(groups)

    def reusable(
        self, context: MoveContext, frame: Frame, rule: str, places: Mask
    ) -> tuple[MoveGroup, ...]:
        """All that tiles from some places let a player do, but for those of one rule itself.

        Within what is reused nothing is reused.
        """
        if REPEATED in frame.env:
            return ()
        env = names_in_action(frame.env, is_reused=True)
        view = self._machine.view(context, frame.me, env)
        tiles = context.draft.seats[frame.me].tiles
        kinds = (t.kind for t in tiles if is_reusable(t, places))
        offers = [o for kind in dict.fromkeys(kinds) for o in self._of_tile(kind)]
        offers = [offer for offer in offers if offer.owner.rule.id != rule]
        return tuple(self._groups_of(context, frame._replace(env=env), view, offers)[0])

    def _of_tile(self, kind: int) -> tuple[Offer, ...]:
        return self._plan.tile_offers.get(kind, ())

    def _groups_of(
        self, context: MoveContext, frame: Frame, view: View, offers: list[Offer]
    ) -> tuple[list[MoveGroup], bool]:
        """The moves that begin one of some actions, or settle for which terrain."""
        if is_open(context.draft, context.board):
            return self._groups_before_terrain(context, frame, view, offers)
        return self._offer_groups(context, frame, view, offers)

    def _groups_before_terrain(
        self, context: MoveContext, frame: Frame, view: View, offers: list[Offer]
    ) -> tuple[list[MoveGroup], bool]:
        """What needs no terrain, and the terrains with which something that needs one can begin."""
        needing = [offer for offer in offers if offer.path in self._plan.offers_needing_card]
        others = [o for o in offers if o not in needing or o.path in self.mixed]
        groups, required = self._offer_groups(context, frame, view, others)
        for terrain, trial, seen in _terrain_trials(context, view):
            found, must = self._offer_groups(trial, frame, seen, needing)
            if any(group not in groups for group in found):
                groups.append(MoveGroup("choose", terrain))
            required = required or must
        return groups, required

    def _offer_groups(
        self, context: MoveContext, frame: Frame, view: View, offers: list[Offer]
    ) -> tuple[list[MoveGroup], bool]:
        """The moves that begin one of some actions, and whether one of them is required."""
        groups: list[MoveGroup] = []
        required = False
        for offer in offers:
            action, rule = offer.action, offer.owner.rule.id
            if action.guard is None or self._plan.evaluate(action.guard, view):
                inner = self._plan.inside(view, offer.path)
                found = self._first_groups(context, frame, inner, action.body, rule)
                groups += found
                required = required or (action.required and bool(found))
        return groups, required

    def _available(self, draft: Draft, me: int) -> list[Offer]:
        used = draft.used
        found = [offer for offer in self._plan.table_offers if offer.path not in used]
        if draft.unscored:
            found = [o for o in found if o.owner.card < 0 or not draft.unscored >> o.owner.card & 1]
        kinds: list[int] = []
        for kind, _, status in draft.seats[me].tiles:
            if status == READY and kind not in kinds:
                kinds.append(kind)
                found += self._of_tile(kind)
        return found

    def alternatives(
        self, context: MoveContext, frame: Frame, bodies: Iterable[core.Block], rule: str
    ) -> tuple[MoveGroup, ...]:
        """The moves that begin one of several blocks."""
        view = self._machine.view(context, frame.me, frame.env)
        groups: list[MoveGroup] = []
        needing: list[core.Block] = []
        open_ = is_open(context.draft, context.board)
        for body in bodies:
            if open_ and self._plan.depends(body, PLAYED):
                needing.append(body)
            else:
                groups.extend(self._first_groups(context, frame, view, body, rule))
        for terrain, trial, seen in _terrain_trials(context, view) if needing else ():
            if any(self._first_groups(trial, frame, seen, body, rule) for body in needing):
                groups.append(MoveGroup("choose", terrain))
        return tuple(groups)

    def _first_groups(
        self, context: MoveContext, frame: Frame, view: View, body: core.Block, rule: str
    ) -> list[MoveGroup]:
        left = self._blocks[body.path]
        while left and isinstance(first := left[0], statements.InstantStep) and first.prepares:
            left, view = left[1:], first.prepared(view)
        step = self._first_choice(left, view)
        if step is None:
            return self._try_block(context, frame, body, rule)
        hexes = self._choices.legal_hexes(step.linked, view, ())
        return [new_group((step.linked.move_verbs[0], rule, hexes, body.path))] if hexes else []

    def _first_choice(
        self, steps: statements.Statements, view: View
    ) -> statements.ChoiceStep | None:
        """The step a block begins with, if it asks for a hex and nothing happens before."""
        statement = steps[0] if steps else None
        if isinstance(statement, statements.ChoiceStep):
            if statement.linked.at_random:
                return None
            return statement if statement.linked.count(view) > 0 else None
        if isinstance(statement, statements.RepeatStatement) and statement.times.value(view) > 0:
            return self._first_choice(statement.body, view)
        if isinstance(statement, statements.IfStatement) and statement.condition.value(view):
            return self._first_choice(statement.body, view)
        return None

    def _try_block(
        self, context: MoveContext, frame: Frame, body: core.Block, rule: str
    ) -> list[MoveGroup]:
        """Play a block on a copy until it asks for something or has done something."""
        if context.trials >= MAX_TRIED_BLOCKS:
            return []
        trial = context.trial(draft_of(context.draft))
        trial.trials += 1
        base_depth = len(trial.draft.stack)
        self._machine.push(trial, Frame(body.path, 0, frame.me, frame.env))
        moves = self._machine.run(trial, base_depth)
        use = MoveGroup("use", rule, 0, body.path)
        if trial.events or (moves is not None and moves.player == CHANCE):
            return [use]
        groups = () if moves is None else moves.groups
        at_once = [g._replace(path=body.path) for g in groups if g.hexes and g.rule == rule]
        # What begins without a hex, or belongs to another rule, is chosen after this was begun.
        known = body.path not in self._plan.offers_needing_card
        later = [g for g in groups if g.path or (known and g.verb == "choose")]
        return [*([use] if any(not g.hexes or g.rule != rule for g in later) else []), *at_once]

    def _is_mixed(self, statement: statements.Statement) -> bool:
        """Whether it branches, and some branches but not all depend on the terrain played."""
        if not isinstance(statement, statements.EitherStatement):
            return False
        return len({self._plan.depends(body, PLAYED) for body in statement.core.bodies}) == 2


def is_reusable(tile: Tile, places: Mask) -> bool:
    """Whether a tile that may be used in this turn, or was, came from one of some places."""
    return tile.status != FRESH and tile.origin >= 0 and bool(places >> tile.origin & 1)


def _terrain_trials(context: MoveContext, view: View) -> Iterator[tuple[str, MoveContext, View]]:
    """The terrains there are to choose from, and the table as it would be with each of them."""
    catalog = context.board.catalog
    for terrain in terrains(context.draft, context.board):
        draft = with_choice(context.draft, terrain)
        trial = context.trial(draft)
        yield catalog.hexes[terrain].id, trial, view.with_terrain(terrain)
