"""What follows events, what is done `whenever`, and the phases, as functions of a kernel."""

from __future__ import annotations

from kbrules.game.state import MAX_FURTHER, THIS_TURN
from kbrules.game.view import TRIGGERS
from kbrules.kernel.lowering import writing
from kbrules.kernel.lowering.blocks import Blocks, EffectLowering
from kbrules.kernel.lowering.expressions import ExpressionLowering
from kbrules.lang import typed as core
from kbrules.library.ruleset import OwnedRule
from kbrules.plan.plan import (
    MAX_FIRINGS,
    MAX_NESTING,
    MAX_TRIALS,
    MAX_TURNS,
    LinkedWheneverRules,
    Plan,
    reaction_question,
)
from kbrules.plan.steps import is_instant

BOUND = {
    "here": "here", "origin": "origin", "actor": "actor", "strayed": "(strayed != 0)",
    writing.BINDING[0]: "binding",
}  # fmt: skip
INTERRUPTED = "interrupted"
GIVEN = "here, origin, actor, strayed, binding"


class TriggerLowering:
    """Writes triggers, `whenever` rules and phases."""

    def __init__(
        self, expressions: ExpressionLowering, blocks: Blocks, facts: EffectLowering
    ) -> None:
        self._expressions = expressions
        self._blocks = blocks
        self._effects = facts
        self._plan: Plan = blocks.plan
        self.functions: list[writing.FunctionWriter] = []
        self._triggers: dict[int, str] = {}

    @property
    def constants(self) -> dict[str, int]:
        """What the machine of a kernel must know of triggers and phases."""
        triggers = {trigger.name.upper(): trigger.name for trigger in TRIGGERS}
        numbers = {f"ON_{name}": number for number, name in enumerate(triggers)}
        follows = {f"FOLLOWS_{n}": int(t in self._plan.triggers) for n, t in triggers.items()}
        names = {
            "ONCE_PHASES": "before setup",
            "SETUP_PHASES": "setup",
            "AFTER_PHASES": "after setup",
            "FINISH_PHASES": "finish",
        }
        phases = {constant: len(self._phases(name)) for constant, name in names.items()}
        limits = {"MAX_TURNS": MAX_TURNS, "MAX_FIRINGS": MAX_FIRINGS, "MAX_TRIALS": MAX_TRIALS}
        limits |= {"CUT_TURNS": writing.LIMIT_BITS["turns"], "THIS_TURN": THIS_TURN}
        limits |= {"MAX_FURTHER": MAX_FURTHER, "CUT_FURTHER": writing.LIMIT_BITS["further"]}
        limits["START_PASSES"] = int(self._plan.start_passes)
        return {**numbers, **follows, **phases, **limits}

    def write(self) -> None:
        """All of them."""
        self._run_triggers()
        self._interrupted(INTERRUPTED, self._plan.whenever_rules)
        self._interrupted("interrupted_draw", self._plan.whenever_rules_of_draws)
        self._stage_begun()
        self._turn_begun()
        self._turn_forgotten()

    def _text(self, expr: core.Expr, scope: writing.Scope) -> str:
        return self._expressions.fold_and_lower(expr, scope)

    # triggers

    def _run_triggers(self) -> None:
        fn = writing.FunctionWriter("run_triggers", "M")
        fn.line("i = 0")
        fn.line("M[PENDING_COUNT] = 0")
        with fn.block("while i < M[TRIGGER_EVENT_COUNT]:"):
            fn.line("at = TRIGGER_EVENTS + i * TRIGGER_EVENT_SIZE")
            fn.line("i += 1")
            for name in (trigger.name for trigger in TRIGGERS):
                if name in self._plan.triggers:
                    with fn.block(f"if M[at] == ON_{name.upper()}:"):
                        fn.line(f"follow_{name}(M, at)")
                    self._follow(name)
        fn.line("M[TRIGGER_EVENT_COUNT] = 0")
        with fn.block("if M[PENDING_COUNT]:"):
            fn.line("begin_pending(M)")
        self.functions.append(fn)

    def _follow(self, name: str) -> None:
        """All that waits for a kind of event."""
        fn = writing.FunctionWriter(f"follow_{name}", "M, at")
        fn.line(f"binding = {writing.BINDINGS.index(writing.bound_by(name))}")
        fn.line("actor = M[at + 1]")
        fn.line("strayed = M[at + 2]")
        fn.line("here = load(M, at + 8)")
        fn.line("origin = load(M, at + 8 + W)")
        for trigger, owner in self._plan.triggers[name]:
            self._whose(trigger, owner, self._trigger(trigger, owner), fn)
        self.functions.append(fn)

    def _whose(
        self, trigger: core.Trigger, owner: OwnedRule, call: str, fn: writing.FunctionWriter
    ) -> None:
        """Let a trigger act for whom the event speaks of, or for the holders of a tile."""
        if trigger.who == "me":
            tests = ["actor >= 0", *self._expressions.owned(owner.tile, owner.card, "actor")]
            with fn.block(f"if {' and '.join(tests)}:"):
                fn.line(call.format("actor"))
            return
        number, players, i, player = (
            fn.new_local("M[PLAYERS]"),
            fn.new_local("0"),
            fn.new_local("0"),
            fn.new_local("0"),
        )
        with fn.block(f"for {i} in range({number}):"):
            fn.line(f"{player} = (M[ACTIVE] + 1 + {i}) % {number}")
            tests = self._expressions.owned(owner.tile, owner.card, player)
            tests += [f"{player} != actor"] if trigger.who == "others" else []
            with fn.block(f"if {' and '.join(tests) or 'True'}:"):
                fn.line(f"{players} |= 1 << {i}")
        with fn.block(f"for {i} in range({number}):"), fn.block(f"if {players} >> {i} & 1:"):
            fn.line(f"{player} = (M[ACTIVE] + 1 + {i}) % {number}")
            fn.line(call.format(player))

    def _trigger(self, trigger: core.Trigger, owner: OwnedRule) -> str:
        """A call of the function of a trigger, with a gap for the player."""
        if id(trigger) not in self._triggers:
            name = self._triggers[id(trigger)] = f"trigger_{len(self._triggers)}"
            fn = writing.FunctionWriter(name, f"M, me, {GIVEN}")
            with fn.at_place(trigger.span):
                self._act(trigger, writing.Scope(fn, "me", dict(BOUND)), owner)
            self.functions.append(fn)
        return f"{self._triggers[id(trigger)]}(M, {{0}}, {GIVEN})"

    def _act(self, trigger: core.Trigger, scope: writing.Scope, owner: OwnedRule) -> None:
        fn = scope.fn
        guard = "True" if trigger.guard is None else self._text(trigger.guard, scope)
        with fn.block(f"if {guard}:"):
            if not trigger.offered and is_instant(trigger.body):
                self._carry_out_all(trigger.body, owner.rule.id, scope)
                return
            path = trigger.body.path
            path = reaction_question(path) if trigger.offered else path
            with fn.block(f"if M[DEPTH] < {MAX_NESTING}:"):
                fn.line(self._blocks.pushed(path, scope))
                fn.line("push_pending(M)")
            with fn.block("else:"):
                fn.line(f"cut_off(M, {writing.LIMIT_BITS['nesting']})")

    def _carry_out_all(self, block: core.Block, rule: str, scope: writing.Scope) -> None:
        """Do steps one after another, each on the table as the one before left it."""
        for statement in block.steps:
            self._carry_out(statement, rule, scope)

    def _carry_out(self, statement: core.Statement, rule: str, scope: writing.Scope) -> None:
        fn = scope.fn
        match statement:
            case core.Step():
                linked = self._blocks.linked(statement)
                self._effects.carry_out(linked, self._effects.values(linked, scope), rule, scope)
            case core.If(condition=condition, body=body, other=other):
                test = fn.new_local(self._text(condition, scope))
                with fn.block(f"if {test}:"):
                    self._carry_out_all(body, rule, scope)
                if other is not None:
                    with fn.block(f"if not {test}:"):
                        self._carry_out_all(other, rule, scope)
            case core.Repeat(times=times, body=body):
                number = writing.rounds(self._text(times, scope), fn)
                with fn.block(f"for {fn.new_local('0')} in range({number}):"):
                    self._carry_out_all(body, rule, scope)
            case core.Each(variable=variable, domain=domain, guard=guard, body=body):
                found = self._plan.folded(domain)
                for item in self._expressions.items(found, scope):
                    inner = scope.bound(**{variable: item})
                    test = "True" if guard is None else self._text(guard, inner)
                    with fn.block(f"if {test}:"):
                        self._carry_out_all(body, rule, inner)

    # what is done whenever something holds

    def _interrupted(self, name: str, whenevers: LinkedWheneverRules) -> None:
        fn, scope = self._expressions.begin_function(name, self._blocks.names_read_by_whenever, "M")
        with fn.block("if M[FIRINGS] > MAX_FIRINGS:"):
            fn.line("return False")
        fn.line("me = M[ACTIVE]")
        for whenever, owner, _ in whenevers:
            expr = self._plan.folded(whenever.condition, drawing=name != INTERRUPTED)
            tests = self._expressions.owned(owner.tile, owner.card, "me")
            with (
                fn.block(f"if {self._expressions.lower(expr, scope)}:"),
                fn.block(f"if {' and '.join(tests) or 'True'}:"),
            ):
                limit = self._limit_met(whenever, scope)
                with fn.block(f"if {limit} != 0:"):
                    fn.line(f"cut_off(M, {limit})")
                with fn.block("else:"):
                    fn.line("M[FIRINGS] += 1")
                    fn.line(self._blocks.pushed(whenever.body.path, writing.Scope(fn, "me")))
                    fn.line("return True")
        fn.line("return False")
        self.functions.append(fn)

    def _limit_met(self, whenever: core.Whenever, scope: writing.Scope) -> str:
        """The limit that keeps a `whenever` rule from acting now; 0 if none does."""
        fn = scope.fn
        limit = fn.new_local("0")
        with fn.block("if M[FIRINGS] == MAX_FIRINGS:"):
            fn.line(f"{limit} = {writing.LIMIT_BITS['firings']}")
        verb = self._plan.redraws.get(whenever.body.path)
        if verb is not None:
            with fn.block("else:"):
                dead = self._expressions.all_cards_dead(verb, scope)
                with fn.block(f"if {dead}:"):
                    fn.line(f"{limit} = {writing.LIMIT_BITS['redraw']}")
        return limit

    # phases

    def _phases(self, name: str) -> list[tuple[core.Phase, OwnedRule]]:
        pairs = self._plan.ruleset.phases(name)
        return [(phase, owner) for phase, owner in pairs if self._plan.may_apply(owner)]

    def _stage_begun(self) -> None:
        """Begin a phase of set-up or finish for a player, if its card is in play.

        The player is active also if the card lies beside the table, but not if it lies elsewhere.
        """
        fn = writing.FunctionWriter("stage_begun", "M, phase, me")
        names = ("before setup", "setup", "after setup", "finish")
        pairs = [pair for name in names for pair in self._phases(name)]
        for number, (phase, owner) in enumerate(pairs):
            here = [f"M[IN_PLAY + {owner.card}] != 0"] if owner.card >= 0 else []
            counts = self._expressions.owned(-1, owner.card, "me")
            with fn.block(f"if {' and '.join([f'phase == {number}', *here])}:"):
                fn.line("M[ACTIVE] = me")
                with fn.block(f"if {' and '.join(counts) or 'True'}:"):
                    self._begin_phase(phase, writing.Scope(fn, "me"))
        self.functions.append(fn)

    def _begin_phase(self, phase: core.Phase, scope: writing.Scope) -> None:
        guard = "True" if phase.guard is None else self._text(phase.guard, scope)
        with scope.fn.block(f"if {guard}:"):
            scope.fn.line(self._blocks.pushed(phase.body.path, scope))

    def _turn_begun(self) -> None:
        """Begin the phases of a turn, the first of them on top."""
        fn = writing.FunctionWriter("turn_begun", "M, me")
        for phase, owner in reversed(self._phases("turn")):
            tests = self._expressions.owned(-1, owner.card, "me")
            with fn.block(f"if {' and '.join(tests) or 'True'}:"):
                self._begin_phase(phase, writing.Scope(fn, "me"))
        self.functions.append(fn)

    def _turn_forgotten(self) -> None:
        """Forget what lasts for a turn, and at the first turn of a round what lasts for one."""
        fn = writing.FunctionWriter("turn_forgotten", "M, begins_round")
        scopes = [scope for scope, _ in self._plan.ruleset.memories.values()]
        with fn.block("for player in range(M[PLAYERS]):"):
            self._forgotten("turn", fn)
            if "round" in scopes:
                with fn.block("if begins_round:"):
                    self._forgotten("round", fn)
        self.functions.append(fn)

    def _forgotten(self, scope: str, fn: writing.FunctionWriter) -> None:
        for name, (its_scope, _) in self._plan.ruleset.memories.items():
            if its_scope == scope:
                at = self._expressions.place_of(name, "player")
                is_set = name in self._expressions.hexes_memories
                fn.line(f"store(M, {at}, nothing())" if is_set else f"M[{at}] = 0")
