"""A move judged clause by clause: the step it is for, where that may be done, and every norm."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from operator import and_

from kbrules.engine.configuration import Refusal
from kbrules.engine.explanation import deciding_steps
from kbrules.engine.game import Game
from kbrules.game.moves import Move
from kbrules.game.state import State
from kbrules.game.view import View
from kbrules.hex.sets import Mask
from kbrules.lang.typed import Block, Each, If, Norm, Repeat, Rule, Statement, Step, inner_blocks
from kbrules.plan.norms import NormClause
from kbrules.plan.steps import LinkedStep
from kbrules.tools.why.evaluation import (
    EvaluatedClause,
    Evaluation,
    clause_of,
    short_list,
    value_text,
)

# The conditions before a step in its action, and how often it is done.


def unmet_conditions(game: Game, rule: Rule, step: Step, view: View) -> Iterator[str]:
    """Why a rule does not come to a step of its own at all, as things are; nothing if it does."""
    path = _path_to(rule, step)
    if any(isinstance(statement, Each) for statement in path):
        return  # what a loop binds is not known before it runs
    for statement in path:
        if isinstance(statement, Repeat) and game.plan.evaluate(statement.times, view) <= 0:
            yield f"it is done `{statement.times.span.one_line}` times, which is 0"
        elif isinstance(statement, If) and not game.plan.evaluate(statement.condition, view):
            yield f"`{statement.condition.span.one_line}` does not hold"
    linked = game.choices.linked(step)
    if linked.word.asks and linked.count(view) <= 0:
        yield f"`{linked.argument_exprs['count'].span.one_line}` is 0"


def _path_to(rule: Rule, step: Step) -> tuple[Statement, ...]:
    """What a step is inside of, from the outside in."""
    paths = (_path_below(action.body, step) for action in rule.actions)
    return next((path for path in paths if path is not None), ())


def _path_below(block: Block, step: Step) -> tuple[Statement, ...] | None:
    for statement in block.steps:
        if statement is step:
            return ()
        for inner in inner_blocks(statement):
            path = _path_below(inner, step)
            if path is not None:
                # The other branch of a condition is not hindered by it.
                is_other = isinstance(statement, If) and inner is statement.other
                return path if is_other else (statement, *path)
    return None


@dataclass(frozen=True, slots=True)
class JudgedNorm:
    """A norm about the step: whether it applies, what it says of the hex, and what comes of it.

    `effect` is "for", "against" or "" if it decides nothing here; `note` says more in words.
    """

    norm: Norm
    rule: Rule
    applies: bool
    guard: EvaluatedClause | None
    target: EvaluatedClause | None
    effect: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class JudgedStep:
    """What a step says of a hex: its own set, the norms about it, and what else is in the way.

    `own_set` is None where the step leaves it to the norms which hexes are open.
    """

    step: Step
    verb: str
    own_set: EvaluatedClause | None
    norms: tuple[JudgedNorm, ...]
    obstacles: tuple[str, ...]

    @property
    def allows(self) -> bool:
        """Whether nothing of it stands against the hex."""
        is_outside = self.own_set is not None and self.own_set.is_wrong
        return not (is_outside or self.obstacles or any(n.effect == "against" for n in self.norms))


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A move in a position: whether it is legal, why not, and what its step says of the hex."""

    move: Move
    state: State
    refusal: Refusal
    rule: Rule | None
    step: JudgedStep | None

    @property
    def legal(self) -> bool:
        """Whether the engine would carry it out."""
        return not self.refusal.reasons

    @property
    def hex(self) -> int:
        """The hex it is about, -1 if it has none."""
        return -1 if self.move.verb == "draw" else self.move.hex


def judge(game: Game, state: State, move: Move) -> JudgedMove:
    """A move judged."""
    refusal = game.explain(state, move)
    if move.verb == "draw":  # its hex is a card
        return JudgedMove(move, state, refusal, None, None)
    rule = game.ruleset.rule(move.rule)
    steps = [
        _step(game, step, view, chosen, move.hex)
        for step, view, chosen in deciding_steps(game, state, move)
    ]
    allowing = [step for step in steps if step.allows and not refusal.reasons]
    step = next(iter([*allowing, *steps]), None)
    if step is not None and rule is not None and refusal.reasons and step.allows:
        # Nothing is wrong with the hex: the rule does not come to the step.
        view = game.view(state, game.legal_moves(state).player, {})
        obstacles = tuple(unmet_conditions(game, rule, step.step, view))
        step = replace(step, obstacles=obstacles)
    return JudgedMove(move, state, refusal, rule, step)


def _step(game: Game, step: Step, view: View, chosen: tuple[int, ...], hex: int) -> JudgedStep:
    linked = game.choices.linked(step)
    if len(chosen) >= len(linked.word.asks) or hex < 0:
        return JudgedStep(step, step.verb, None, (), ())
    verb, hex_phrase = linked.move_verbs[len(chosen)], linked.word.asks[len(chosen)]
    evaluation = Evaluation(game.plan, hex)
    choice_view = game.choices.choice_view(linked, view, chosen) if hex_phrase.verb else view
    target = linked.argument_exprs.get(hex_phrase.phrase)
    own_set = None if target is None else clause_of(target, choice_view, evaluation, True)
    if not hex_phrase.verb:
        return JudgedStep(
            step, verb, own_set, (), tuple(_source_obstacles(game, linked, view, own_set, hex))
        )
    norm_judge = _NormJudge(linked, choice_view, evaluation, own_set)
    return JudgedStep(
        step,
        verb,
        own_set,
        norm_judge.all(),
        tuple(_target_obstacles(linked, choice_view, own_set, hex)),
    )


def _supply_obstacles(linked: LinkedStep, view: View) -> Iterator[str]:
    if linked.can is not None and not linked.can(view, *linked.values(view)):
        yield "no such piece is left in the supply"


def _source_obstacles(
    game: Game, linked: LinkedStep, view: View, own_set: EvaluatedClause | None, hex: int
) -> Iterator[str]:
    """What keeps a piece from being taken up, though its hex is in the step's set."""
    yield from _supply_obstacles(linked, view)
    if own_set is not None and own_set.is_wrong:
        return
    name = view.board.grid.name(hex)
    if not view.state.occupied >> hex & 1:
        yield f"there is no piece on {name}"
    elif not linked.pieces(view) >> hex & 1:
        yield f"the piece on {name} is of another kind than the step moves"
    elif len(linked.target_nodes) > 1 and not game.choices.targets(linked, view, (hex,)):
        start = "lifted from {name} it" if linked.word.lifts else "the piece on {name}"
        goals = _target_text(game, linked, view, hex)
        yield f"{start.format(name=name)} would have nowhere to go{goals}"


def _target_text(game: Game, linked: LinkedStep, view: View, hex: int) -> str:
    """Where the step would put a lifted piece, were no norm against it."""
    target = linked.argument_exprs.get(linked.word.asks[-1].phrase)
    if target is None:
        return ""
    choice_view = game.choices.choice_view(linked, view, (hex,))
    clause = clause_of(target, choice_view, Evaluation(game.plan))
    rest = ", and the rules leave none of them" if clause.value else ""
    return f": `{clause.text}` is {value_text(clause)}{rest}"


def _target_obstacles(
    linked: LinkedStep, view: View, own_set: EvaluatedClause | None, hex: int
) -> Iterator[str]:
    """What keeps a piece from being put there, beside sets and norms."""
    yield from _supply_obstacles(linked, view)
    is_outside = own_set is not None and own_set.is_wrong
    if not is_outside and linked.is_closed(view, hex):
        yield "each way there crosses a hex on which `cross` is forbidden"
    if not is_outside and not linked.room(view) >> hex & 1:
        yield linked.no_room


class _NormJudge:
    """The norms of a step, judged for one hex."""

    def __init__(
        self,
        linked: LinkedStep,
        view: View,
        evaluation: Evaluation,
        own_set: EvaluatedClause | None,
    ) -> None:
        self._linked_step = linked
        self._norms = linked.norms
        self._view = view
        self._evaluation = evaluation
        self._bit = 1 << evaluation.hex
        self._has_own_set = own_set is not None
        self._base = self._permitted() if own_set is None else own_set.value
        self._open_hexes: Mask = self._base & ~self._norms.forbidden(view)

    def _permitted(self) -> Mask:
        hexes = 0
        for clause in self._norms.permits:
            hexes |= clause.hexes_in(self._view) if clause.holds(self._view) else 0
        return hexes

    def all(self) -> tuple[JudgedNorm, ...]:
        """Every norm in the order in which norms are applied."""
        norms = self._norms
        permits = () if self._has_own_set else norms.permits
        return (
            *map(self._permit, permits),
            *(self._forbid(clause, "forbidden") for clause in norms.forbids),
            *map(self._waive, norms.waives),
            *map(self._prefer, norms.prefers),
            *(self._forbid(clause, "not allowed") for clause in norms.denies),
        )

    def _judged(
        self, clause: NormClause, required: bool | None, effect: str, note: str
    ) -> JudgedNorm:
        norm = clause.norm
        guard = None if norm.guard is None else clause_of(norm.guard, self._view, self._evaluation)
        target = (
            None
            if norm.target is None
            else clause_of(norm.target, self._view, self._evaluation, required)
        )
        applies = clause.holds(self._view)
        if not applies:
            effect, note = "", self._idle_reason(clause)
        return JudgedNorm(norm, clause.owner.rule, applies, guard, target, effect, note)

    def _idle_reason(self, clause: NormClause) -> str:
        if clause.guard is not None and not clause.guard.value(self._view):
            return "it does not apply: its condition does not hold"
        return "it does not apply: the player holds no such tile"

    def _permit(self, clause: NormClause) -> JudgedNorm:
        if clause.hexes_in(self._view) & self._bit:
            return self._judged(clause, None, "for", "")
        is_permitted_elsewhere = bool(self._base & self._bit)
        required = None if is_permitted_elsewhere or not clause.holds(self._view) else True
        return self._judged(clause, required, "" if is_permitted_elsewhere else "against", "")

    def _forbid(self, clause: NormClause, word: str) -> JudgedNorm:
        if clause.hexes_in(self._view) & self._bit and clause.holds(self._view):
            return self._judged(clause, False, "against", word)
        return self._judged(clause, None, "", "")

    def _waive(self, clause: NormClause) -> JudgedNorm:
        return self._judged(clause, None, "for", "sets preferences aside")

    def _prefer(self, clause: NormClause) -> JudgedNorm:
        board, hexes = self._view.board, clause.hexes_in(self._view)
        preferred = reduce(and_, self._preferred(), self._open_hexes)
        if self._linked_step.freely or self._norms.is_waived(self._view):
            return self._judged(clause, None, "", "set aside here")
        if not preferred:
            return self._judged(clause, None, "", "no open hex is preferred, so it narrows nothing")
        note = f"of {self._open_hexes.bit_count()} open hexes {preferred.bit_count()} preferred"
        if hexes & self._bit:
            return self._judged(clause, None, "for" if self._open_hexes & self._bit else "", note)
        note += f": {short_list(board, preferred)}"
        is_open = bool(self._open_hexes & self._bit)
        return self._judged(clause, is_open or None, "against" if is_open else "", note)

    def _preferred(self) -> Iterator[Mask]:
        for clause in self._norms.prefers:
            if clause.holds(self._view):
                yield clause.hexes_in(self._view)
