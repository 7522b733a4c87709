"""The machine: it runs rules until somebody must decide, and says what they may begin."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from enum import Enum
from typing import Any

from kbrules.game.board import NONE
from kbrules.game.events import Chose, GameOver, TurnEnded, TurnStarted, Used
from kbrules.game.moves import CHANCE, Move, MoveGroup, MoveSet, new_group
from kbrules.game.state import (
    FRESH,
    READY,
    USED,
    Draft,
    EachLoop,
    Frame,
    RepeatLoop,
    State,
    Tile,
    UpToLoop,
    draft_of,
    frame_of,
    player_of,
)
from kbrules.game.view import (
    REPEATED,
    MoveContext,
    View,
    card_showing,
    is_open,
    names_in_action,
    terrain_played,
    terrains,
    with_choice,
)
from kbrules.hex.sets import Mask
from kbrules.lang import typed as core
from kbrules.lang.evaluation import WORK, Node
from kbrules.lang.typed import Expr, Phase, Whenever
from kbrules.library.ruleset import Offer, Ruleset
from kbrules.plan import plan as plans
from kbrules.plan.steps import LinkedStep
from kbrules.reference import statements

# What a player may begin: actions of the table and of tiles, and the branches of `either`.


class Offers:
    """Finds what can be begun, and its first choice, without changing anything."""

    def __init__(
        self,
        plan: plans.Plan,
        choices: statements.LegalHexes,
        blocks: Mapping[str, statements.Statements],
        machine: Machine,
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
        if context.trials >= plans.MAX_TRIALS:
            return ()
        env = names_in_action(frame.env)
        view = self._machine.view(context, frame.me, env)
        groups, required = self._groups_of(
            context, frame._replace(env=env), view, self.available(context.draft, frame.me)
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

    def available(self, draft: Draft, me: int) -> list[Offer]:
        """The actions that cards and tiles let a player begin; those whose `standing` is open."""
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
            if open_ and self._plan.depends(body, plans.PLAYED):
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
        while left and isinstance(first := left[0], statements.InstantStep):
            if not first.linked.word.prepares:
                break
            left, view = left[1:], statements.prepared(first.linked, view)
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
        if context.trials >= plans.MAX_TRIED_BLOCKS:
            return []
        trial = context.trial(draft_of(context.draft))
        trial.trials += 1
        base_depth = len(trial.draft.stack)
        trial.draft.stack += (Frame(body.path, 0, frame.me, frame.env),)
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
        return len({self._plan.depends(body, plans.PLAYED) for body in statement.core.bodies}) == 2


class Standing(Enum):
    """Whether an action can be begun, as far as its card and tile decide; else why not."""

    OPEN = "open"
    DONE = "done"
    BESIDE = "beside"
    NOT_HELD = "not held"
    USED = "used"
    FRESH = "fresh"


def standing(offer: Offer, state: State, me: int) -> Standing:
    """Return whether an action is available to a player; else why not.

    `Offers.available` finds all of them at once, which is quicker.
    """
    if offer.path in state.used and offer.owner.tile < 0:
        return Standing.DONE
    if offer.owner.card >= 0 and state.unscored >> offer.owner.card & 1:
        return Standing.BESIDE
    if offer.owner.tile < 0:
        return Standing.OPEN
    statuses = [tile.status for tile in state.seats[me].tiles if tile.kind == offer.owner.tile]
    if not statuses:
        return Standing.NOT_HELD
    if READY in statuses:
        return Standing.OPEN
    return Standing.USED if statuses[0] == USED else Standing.FRESH


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


# The course of a game: set-up, turns in rounds, what follows the last round, the end.


class PhaseSequence:
    """Which block comes next when the stack is empty.

    `before setup` is done once; `setup`, `after setup` and `finish` by every player in turn
    order; between them players take turns, round after round, until the last round is over. The
    finish begins anew where a step says so.
    """

    def __init__(self, plan: plans.Plan, players: int) -> None:
        ruleset = plan.ruleset
        self._plan = plan
        self.players = players
        self._cards: dict[int, int] = {}
        once = [(phase, 0) for phase in self._phases("before setup")]
        self._setup = once + self._by_player("setup") + self._by_player("after setup")
        self.turn = self._phases("turn")
        self._finish = self._by_player("finish")
        self._forgotten = {
            scope: tuple(slot for its, slot in ruleset.memories.values() if its == scope)
            for scope in ("turn", "round")
        }

    def _phases(self, name: str) -> list[Phase]:
        found = self._plan.ruleset.phases(name)
        phases = [(phase, owner) for phase, owner in found if self._plan.may_apply(owner)]
        self._cards |= {id(phase): owner.card for phase, owner in phases if owner.card >= 0}
        return [phase for phase, _ in phases]

    def _by_player(self, name: str) -> list[tuple[Phase, int]]:
        phases = self._phases(name)
        return [(phase, player) for player in range(self.players) for phase in phases]

    def _frames(self, context: MoveContext, phases: list[Phase], player: int) -> tuple[Frame, ...]:
        """The frames of phases whose guards hold now, the first on top."""
        frames = [
            frame_of((phase.body.path, 0, player, {}, None, 0, ()))
            for phase in reversed(phases)
            if self._counts(phase, context)
            and (phase.guard is None or self._holds(phase.guard, context, player))
        ]
        return tuple(frames)

    def _counts(self, phase: Phase, context: MoveContext) -> bool:
        """Whether the card of a phase, if it is of one, counts now."""
        card = self._cards.get(id(phase))
        return card is None or not context.draft.unscored >> card & 1

    def _holds(self, guard: Expr, context: MoveContext, player: int) -> bool:
        view = View(context.board, context.draft, player, self._plan, {})
        return bool(self._plan.evaluate(guard, view))

    def next_stage(self, context: MoveContext) -> None:
        """Go on to the next stage; it may push a frame."""
        name, index = context.draft.stage
        if name == "setup":
            self._from_list(context, "setup", index, self._setup)
        elif name == "turn":
            context.draft.stage = ("turn over", index)
            context.emit(TurnEnded(self._player_of(index)))
        elif name == "turn over":
            self._after_turn(context, index)
        elif name == "finish":
            self._from_list(context, "finish", index, self._finish)

    def _from_list(
        self, context: MoveContext, name: str, index: int, phases: list[tuple[Phase, int]]
    ) -> None:
        if index < len(phases):
            phase, player = phases[index]
            context.draft.stage = (name, index + 1)
            context.draft.active = player
            context.draft.stack = self._frames(context, [phase], player)
        elif name == "setup":
            self.start_turn(context, 0)
        elif context.draft.further & 1:
            context.draft.further += 1
            context.draft.stage = (name, 0)
        else:
            context.emit(GameOver(-1))

    def _after_turn(self, context: MoveContext, index: int) -> None:
        if context.draft.further & 1:
            context.draft.further += 1
            self.start_turn(context, index)
            return
        context.draft.further = 0
        is_round_over = (index + 1) % self.players == 0
        if is_round_over and not context.draft.ending and index >= plans.MAX_TURNS:
            context.cut_off(self._player_of(index), "turns", "")
        if is_round_over and (context.draft.ending or index >= plans.MAX_TURNS):
            context.draft.stage = ("finish", 0)
        else:
            self.start_turn(context, index + 1)

    def _player_of(self, turn: int) -> int:
        return player_of(turn, self.players, self._plan.start_passes)

    def start_turn(self, context: MoveContext, index: int) -> None:
        """Begin the turn of a number, counted from 0 through all rounds."""
        player = self._player_of(index)
        context.draft.stage = ("turn", index)
        context.draft.firings = 0
        context.draft.stack = self._frames(context, self.turn, player)
        begins_round = index % self.players == 0 and not context.draft.further
        of_round = self._forgotten["round"] if begins_round else ()
        context.emit(TurnStarted(player, self._forgotten["turn"] + of_round))


# The machine: it runs rules until somebody must decide, and goes on from what was decided.
#
# A running rule is a frame on the stack of the state, so a half-finished action can be
# saved, copied and taken back like any other position.

NO_MOVES = MoveSet(CHANCE, ())
DRAW = (MoveGroup("draw", ""),)
MAX_MACHINES = 64
STATEMENT_WORK = 10
"""How much beginning a statement takes, in steps of an expression."""


class Machine:
    """Runs the rules of one table."""

    def __init__(
        self, plan: plans.Plan, choices: statements.LegalHexes, phases: PhaseSequence
    ) -> None:
        self.plan = plan
        self.choices = choices
        self.phases = phases
        self.blocks = statements.LinkedBlocks(plan, choices)
        triggers = statements.TriggerDispatcher(plan, self.blocks)
        self.trigger_events: Collection[type] = triggers.linked
        self.dispatch: Callable[[MoveContext], None] = triggers.dispatch
        self.offers: Offers = Offers(plan, choices, self.blocks, self)

    # running

    def run(self, context: MoveContext, base_depth: int = -1) -> MoveSet | None:
        """Run until a decision is due and answer its moves.

        With `base_depth` it is a trial: answer None as soon as the stack is no deeper than that, or
        something has happened.
        A game that is over has no moves.
        """
        draft, code = context.draft, self.blocks
        while True:
            stack = draft.stack
            if base_depth >= 0 and (len(stack) <= base_depth or context.events):
                return None
            if not stack:
                if draft.stage[0] == "over":
                    return NO_MOVES
                self.phases.next_stage(context)
                if context.pending:
                    self.dispatch(context)
                continue
            frame = stack[-1]
            WORK.steps += STATEMENT_WORK
            WORK.check()
            block, pc, _, _, _, _, _ = frame  # reading fields by name is slow in such numbers
            try:
                statement = code[block][pc]
            except IndexError:
                self._leave_or_repeat_block(context, frame)
                continue
            moves = _RUNS[type(statement)](self, context, frame, statement)
            if moves is not None:
                return moves

    def begin_turn(self, context: MoveContext) -> None:
        """Begin the turn that the stage names, with what follows `when turn_start`."""
        self.phases.start_turn(context, context.draft.stage[1])
        self.dispatch(context)

    def view(self, context: MoveContext, me: int, env: Any) -> View:
        """The table as a player sees it."""
        return View(context.board, context.draft, me, self.plan, env)

    def _run_first_whenever(
        self, context: MoveContext, view: View, whenevers: plans.LinkedWheneverRules
    ) -> bool:
        """Let the first `whenever` rule that holds act; whether one did."""
        draft = context.draft
        if draft.firings > plans.MAX_FIRINGS:
            return False
        if view.me != draft.active:
            view = view.of(draft.active)
        for whenever, owner, condition in whenevers:
            if condition.value(view) and self.plan.applies_to(owner, draft, view.me):
                if limit := self._limit_met(view, whenever):
                    context.cut_off(view.me, limit, owner.rule.id)
                    continue
                draft.firings += 1
                draft.stack += (Frame(whenever.body.path, 0, draft.active, {}),)
                return True
        return False

    def _limit_met(self, view: View, whenever: Whenever) -> str:
        """The limit that keeps a `whenever` rule from acting now; empty if none does."""
        if view.state.firings >= plans.MAX_FIRINGS:
            return "firings"
        verb = self.plan.redraws.get(whenever.body.path)
        return "redraw" if verb and self.plan.all_cards_dead(view, verb) else ""

    def _stop_move(self, frame: Frame, rule: str) -> tuple[MoveGroup, ...]:
        """The move that ends an `up to` loop, where the player may stop."""
        loop = frame.loop
        begun = frame.pc or frame.repetitions or frame.chosen
        if begun or not isinstance(loop, UpToLoop) or not (loop.done or loop.may_stop):
            return ()
        return (MoveGroup("stop", rule),)

    # statements: each is carried out for a frame of the stack, and returns a decision if one is due

    def _run_instant(
        self, context: MoveContext, frame: Frame, step: statements.InstantStep
    ) -> None:
        view = self.view(context, frame.me, frame.env)
        self._next_statement(context)
        step.execute(context, view)
        if context.pending:
            self.dispatch(context)

    def _run_choice(
        self, context: MoveContext, frame: Frame, step: statements.ChoiceStep
    ) -> MoveSet | None:
        linked = step.linked
        _, _, me, env, loop, done, chosen = frame
        view = View(context.board, context.draft, me, self.plan, env)
        times = linked.times
        if done >= (times if times >= 0 else linked.count(view)):
            self._next_statement(context)
            return None
        if self._run_first_whenever(context, view, self.plan.whenever_rules):
            return None
        if linked.needs_terrain and is_open(context.draft, context.board):
            groups = self._which_terrain(context, linked, view, chosen)
        else:
            if linked.is_simple:
                hexes = linked.legal.value(view)
            else:
                hexes = self.choices.legal_hexes(linked, view, chosen)
            name = linked.move_verbs[len(chosen)]
            groups = (new_group((name, step.rule, hexes, "")),) if hexes else ()
        if not groups:
            self._skip(context, frame)
            return None
        if linked.at_random:
            return MoveSet(CHANCE, groups)
        return MoveSet(me, (*groups, *self._stop_move(frame, step.rule)) if loop else groups)

    def _which_terrain(
        self, context: MoveContext, linked: LinkedStep, view: View, chosen: tuple[int, ...]
    ) -> tuple[MoveGroup, ...]:
        """Return the terrains of the cards face up with which a step can be done."""
        catalog = context.board.catalog
        return tuple(
            MoveGroup("choose", catalog.hexes[terrain].id)
            for terrain in terrains(context.draft, context.board)
            if self.choices.legal_hexes(linked, view.with_terrain(terrain), chosen)
        )

    def _run_draw(
        self, context: MoveContext, frame: Frame, step: statements.DrawStep
    ) -> MoveSet | None:
        view = View(context.board, context.draft, frame.me, self.plan, frame.env)
        times = step.linked.times
        if frame.repetitions < (times if times >= 0 else step.linked.count(view)):
            if self._run_first_whenever(context, view, self.plan.whenever_rules_of_draws):
                return None
            assert step.linked.word.outcomes is not None
            weights = step.linked.word.outcomes(view)
            if any(weights):
                return MoveSet(CHANCE, DRAW, weights)
        self._next_statement(context)
        return None

    def _run_offer(
        self, context: MoveContext, frame: Frame, step: statements.OfferStep
    ) -> MoveSet | None:
        view = View(context.board, context.draft, frame.me, self.plan, frame.env)
        if self._run_first_whenever(context, view, self.plan.whenever_rules):
            return None
        return self._offer(context, frame, step, self.offers.offered(context, frame))

    def _run_reuse(
        self, context: MoveContext, frame: Frame, step: statements.ReuseStep
    ) -> MoveSet | None:
        view = self.view(context, frame.me, frame.env)
        if self._run_first_whenever(context, view, self.plan.whenever_rules):
            return None
        [places] = step.linked.values(view)  # where a tile must come from to serve
        groups = self.offers.reusable(context, frame, step.rule, places)
        if groups:
            groups += self._stop_move(frame, step.rule)
        return self._offer(context, frame, step, groups)

    def _offer(
        self,
        context: MoveContext,
        frame: Frame,
        step: statements.OfferStep | statements.ReuseStep,
        groups: tuple[MoveGroup, ...],
    ) -> MoveSet | None:
        """Return the decision of a step that offers actions; without any the step is over."""
        if self.plan.observer is not None:
            self.plan.observer.record(step.linked.step, bool(groups))
        if groups:
            return MoveSet(frame.me, groups)
        self._next_statement(context)
        return None

    def _run_if(
        self, context: MoveContext, frame: Frame, statement: statements.IfStatement
    ) -> None:
        holds = statement.condition.value(self.view(context, frame.me, frame.env))
        self._next_statement(context)
        body = statement.core.body if holds else statement.core.other
        if body is not None:
            context.draft.stack += (Frame(body.path, 0, frame.me, frame.env),)

    def _run_repeat(
        self, context: MoveContext, frame: Frame, statement: statements.RepeatStatement
    ) -> None:
        core = statement.core
        times = statement.rounds(context, self.view(context, frame.me, frame.env))
        must_begin = frame.pc == 0 and frame.block in self.plan.offers
        self._next_statement(context)
        if times > 0:
            loop = UpToLoop(times, 0, not must_begin) if core.may_stop else RepeatLoop(times)
            context.draft.stack += (Frame(core.body.path, 0, frame.me, frame.env, loop),)

    def _run_for(
        self, context: MoveContext, frame: Frame, statement: statements.ForStatement
    ) -> None:
        core = statement.core
        items = statement.items(self.view(context, frame.me, frame.env))
        self._next_statement(context)
        loop = EachLoop(core.variable, items)
        body = Frame(core.body.path, 0, frame.me, frame.env, loop)
        context.draft.stack += (body,)
        self._bind_next(context, body, loop, statement.guard)

    def _run_either(
        self, context: MoveContext, frame: Frame, statement: statements.EitherStatement
    ) -> MoveSet | None:
        view, rule = self.view(context, frame.me, frame.env), statement.rule
        if self._run_first_whenever(context, view, self.plan.whenever_rules):
            return None
        groups = self.offers.alternatives(context, frame, statement.core.bodies, rule)
        if not groups:
            self._skip(context, frame)
            return None
        return MoveSet(frame.me, (*groups, *self._stop_move(frame, rule)))

    def _run_reaction(
        self, context: MoveContext, frame: Frame, statement: statements.ReactionStatement
    ) -> MoveSet | None:
        view, rule = self.view(context, frame.me, frame.env), statement.owner.rule.id
        groups: tuple[MoveGroup, ...] = ()
        if statement.is_available(view, frame):
            if self._run_first_whenever(context, view, self.plan.whenever_rules):
                return None
            groups = self.offers.alternatives(context, frame, (statement.body,), rule)
        if groups:
            return MoveSet(frame.me, (*groups, MoveGroup("stop", rule)))
        self._next_statement(context)
        return None

    # frames

    def _next_statement(self, context: MoveContext) -> None:
        """Go on to the next step of the running block; a block that is done is left."""
        stack = context.draft.stack
        block, pc, me, env, loop, _, _ = stack[-1]
        if not loop and pc + 1 >= len(self.blocks[block]):
            context.draft.stack = stack[:-1]
        else:
            context.draft.stack = (*stack[:-1], frame_of((block, pc + 1, me, env, loop, 0, ())))

    def _skip(self, context: MoveContext, frame: Frame) -> None:
        """Go on past a step that cannot be done; `up to` ends if it would begin a round."""
        _, pc, _, _, loop, done, chosen = frame
        if isinstance(loop, UpToLoop) and not (pc or done or chosen):
            context.draft.stack = context.draft.stack[:-1]
        else:
            self._next_statement(context)

    def _replace(self, context: MoveContext, frame: Frame) -> None:
        context.draft.stack = (*context.draft.stack[:-1], frame)

    def _leave_or_repeat_block(self, context: MoveContext, frame: Frame) -> None:
        """The end of a block: once more, or back to the one below."""
        block, _, me, env, loop, _, _ = frame
        if isinstance(loop, EachLoop):
            self._bind_next(context, frame, loop, self._loop_of(frame).guard)
        elif loop and loop.left > 1:
            self._replace(context, Frame(block, 0, me, env, loop.next_round()))
        else:
            context.draft.stack = context.draft.stack[:-1]

    def _loop_of(self, frame: Frame) -> statements.ForStatement:
        parent = self.blocks[frame.block.rpartition(".")[0]]
        return next(
            statement
            for statement in parent
            if isinstance(statement, statements.ForStatement)
            and statement.core.body.path == frame.block
        )

    def _bind_next(
        self, context: MoveContext, frame: Frame, loop: EachLoop, guard: Node | None
    ) -> None:
        """Bind the next item of a `for` whose guard holds, or leave the loop."""
        for index, item in enumerate(loop.left):
            env = {**frame.env, loop.variable: item}
            view = self.view(context, frame.me, env)
            if guard is None or guard.value(view):
                left = EachLoop(loop.variable, loop.left[index + 1 :])
                self._replace(context, Frame(frame.block, 0, frame.me, env, left))
                return
        context.draft.stack = context.draft.stack[:-1]

    # resuming

    def resume(self, context: MoveContext, move: Move, group: MoveGroup) -> None:
        """Carry out what was decided, up to where the next `run` begins."""
        frame = context.draft.stack[-1]
        verb, _, hexes, path = group
        if path:
            self._begin(context, frame, path)
            if hexes:
                self._choose_first(context, move)
            else:
                self._begin_branch(context, move)
        elif verb == "end":
            self._next_statement(context)
        elif verb == "stop":
            context.draft.stack = context.draft.stack[:-1]
        elif verb == "choose":
            self._choose_terrain(context, frame.me, context.board.catalog.hex_index(group.rule))
        else:
            self._carry_out_choice(context, frame, move)

    def _begin(self, context: MoveContext, frame: Frame, path: str) -> None:
        """Begin an action, a reaction or an alternative."""
        block, pc, me, env, _, _, _ = frame
        offer = self.plan.offers.get(path)
        if (
            offer is not None
            and len(context.draft.shown) > 1
            and path in self.plan.offers_needing_card
        ):
            self._choose_terrain(context, me, terrain_played(context.draft, context.board))
        if path in self.plan.reactions:
            self._react(context, frame, path)
        elif offer is None:
            self._next_statement(context)
        elif isinstance(self.blocks[block][pc], statements.ReuseStep):
            env = names_in_action(env, is_reused=True)
            self._next_statement(context)
        else:
            env = names_in_action(env)
            context.emit(Used(me, path, offer.owner.tile))
        context.draft.stack += (frame_of((path, 0, me, env, None, 0, ())),)

    def _react(self, context: MoveContext, frame: Frame, path: str) -> None:
        """A reaction that is begun uses its tile; whether there is another is decided later."""
        self._replace(context, frame._replace(repetitions=1))
        owner = self.plan.reactions[path]
        if owner.tile >= 0:
            context.emit(Used(frame.me, path, owner.tile))

    def _begin_branch(self, context: MoveContext, move: Move) -> None:
        """Go into the branch that the same move begins, if the block begins with branches."""
        frame = context.draft.stack[-1]
        statement = self.blocks[frame.block][frame.pc]
        if isinstance(statement, statements.EitherStatement):
            for group in self.offers.alternatives(
                context, frame, statement.core.bodies, statement.rule
            ):
                if (group.verb, group.rule, group.hexes) == (move.verb, move.rule, 0):
                    self.resume(context, move, group)
                    return

    def _choose_terrain(self, context: MoveContext, me: int, terrain: int) -> None:
        """Settle which of the cards face up is used, if there is one that can be."""
        if terrain != NONE:
            card = card_showing(context.draft, context.board, terrain)
            context.emit(Chose(me, card, terrain))

    def _choose_first(self, context: MoveContext, move: Move) -> None:
        """Go down to the step that offers the hex, and choose.

        That is the step a block begins with if it surely asks, or the first that asks: there may
        be steps before it that have nothing to offer, and now that the action has begun, what was
        counted may be none. Where a `whenever` rule comes between, as the action was used,
        the block has begun and the hex is still to be chosen.
        """
        frame = context.draft.stack[-1]
        block = self.blocks[frame.block]
        statement = block[frame.pc] if frame.pc < len(block) else None
        if isinstance(statement, statements.ChoiceStep) and statement.linked.times > 0:
            self._carry_out_choice(context, frame, move)
        elif isinstance(statement, statements.RepeatStatement):
            self._run_repeat(context, frame, statement)
            self._choose_first(context, move)
        else:
            moves = self.run(context)
            group = None if moves is None else moves.group_of(move)
            if group is not None:
                self.resume(context, move, group)

    def _carry_out_choice(self, context: MoveContext, frame: Frame, move: Move) -> None:
        block, pc, me, env, loop, done, chosen = frame
        statement: Any = self.blocks[block][pc]
        linked = statement.linked
        stack = context.draft.stack
        if len(chosen) + 1 < len(linked.target_nodes):
            chosen = (*chosen, move.hex)
            context.draft.stack = (*stack[:-1], frame_of((block, pc, me, env, loop, done, chosen)))
            return
        view = self.view(context, me, env)
        values = linked.values(view)
        context.strayed = self.choices.needs_waiver(linked, view, chosen, move.hex)
        context.draft.stack = (*stack[:-1], frame_of((block, pc, me, env, loop, done + 1, ())))
        what = (*chosen, move.hex) if linked.target_nodes else move.hex
        linked.word.code(context, me, what, *values)
        if context.pending:
            self.dispatch(context)


_RUNS: Mapping[type, Callable[..., MoveSet | None]] = {
    statements.InstantStep: Machine._run_instant,
    statements.ChoiceStep: Machine._run_choice,
    statements.DrawStep: Machine._run_draw,
    statements.OfferStep: Machine._run_offer,
    statements.ReuseStep: Machine._run_reuse,
    statements.IfStatement: Machine._run_if,
    statements.RepeatStatement: Machine._run_repeat,
    statements.ForStatement: Machine._run_for,
    statements.EitherStatement: Machine._run_either,
    statements.ReactionStatement: Machine._run_reaction,
}
"""How each kind of statement is carried out."""


def machine_of(
    ruleset: Ruleset,
    players: int,
    cards: tuple[int, ...],
    options: Mapping[str, bool | int],
    linking: plans.LinkerFactory,
) -> Machine:
    """The machine for these players, cards and options, cached with the rule set.

    Most cards only pay at the end; games that differ in such cards alone share a machine.
    """
    acting = tuple(sorted(set(cards) & ruleset.acting_cards))
    key = (players, acting, tuple(sorted(options.items())), linking)
    machines: dict[Any, Machine] = ruleset.derived.setdefault(Machine, {})
    if key not in machines:
        if len(machines) >= MAX_MACHINES:
            machines.clear()
        plan = plans.Plan(ruleset, acting, options, linking)
        machines[key] = Machine(plan, statements.LegalHexes(plan), PhaseSequence(plan, players))
    return machines[key]
