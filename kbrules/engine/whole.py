"""Games played at a stretch: what of the rules matters, as the compiler is told it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

from kbrules.compile.whole.plan import Asked, Begin, Follow, Plan, Sourced
from kbrules.engine import joining
from kbrules.engine.apart import Apart, apart
from kbrules.engine.asking import Asking
from kbrules.engine.doings import is_instant
from kbrules.engine.program import PLAYED, Program
from kbrules.engine.repeating import Repeating
from kbrules.engine.stages import MAX_TURNS
from kbrules.engine.works import Works
from kbrules.lang.core import Block, Call, Expr, Lit, Phase, Step
from kbrules.lang.deciding import decided
from kbrules.library.ruleset import Offer, Owned


def plan_of(works: Works, players: int) -> Plan:
    """What of the rules matters to these works."""
    return _Planner(works, players).plan()


class _Planner:
    def __init__(self, works: Works, players: int) -> None:
        self.works = works
        self.program: Program = works.program
        self.players = players
        self._asked: dict[int, Asked] = {}

    def folded(self, expr: Expr) -> Expr:
        return self.program.folded(expr)

    def _asks(self, word: str) -> bool:
        program = self.program
        return any(program.ruleset.mentions(owner.rule, word) for owner in program.owners)

    def _maybe(self, expr: Expr | None) -> Expr | None:
        return None if expr is None else self.folded(expr)

    def plan(self) -> Plan:
        program, ruleset = self.program, self.program.ruleset
        catalog = ruleset.catalog
        return Plan(
            players=self.players,
            setup=self._setup(),
            turn=tuple(self._phase(phase) for phase in self._phases("turn")),
            finish=self._by_player("finish"),
            forgotten=tuple(s for scope, s in ruleset.memories.values() if scope == "turn"),
            follows={name: self._follows(name) for name in program.triggers},
            standings=self._standings(drawing=False),
            draws=self._standings(drawing=True),
            offers=tuple(filter(_may_begin, map(self._offer, program.table_offers))),
            tile_offers={
                kind: tuple(map(self._offer, offers))
                for kind, offers in program.tile_offers.items()
            },
            open={v: self.folded(n.unbarred(None)) for v, n in program.norms_by_verb.items()},
            barred={v: self.folded(n.forbids_all) for v, n in program.norms_by_verb.items()},
            changes=self._changes(),
            memories=ruleset.memories,
            neutral=tuple(piece.neutral for piece in catalog.pieces),
            single=tuple(piece.size == 1 for piece in catalog.pieces),
            tagged={
                f"{tag}()": tuple(i for i, p in enumerate(catalog.pieces) if tag in p.tags)
                for tag in sorted({tag for piece in catalog.pieces for tag in piece.tags})
            },
            implementations=ruleset.evaluate.implementations,
            asked=self.asked,
            word=self.program.word,
            asks=self._asks,
            needs_terrain=self._needs_terrain,
            folded=self.folded,
            fixed=self._fixed(),
            most_turns=MAX_TURNS,
        )

    def _fixed(self) -> Callable[[Expr], Any]:
        from kbrules.compile.writing import identity

        nodes: dict[Any, Any] = {}

        def fixed(expr: Expr) -> Any:
            key = identity(expr)
            if key not in nodes:
                nodes[key] = self.program.ruleset.evaluate.linked(expr)
            return nodes[key]

        return fixed

    def _changes(self) -> dict[str, Any]:
        found = {}
        for name, number in self.program.ruleset.catalog.numbers.items():
            changes = self.program.changes(name)
            found[name] = (
                number,
                tuple(
                    (self._maybe(c.guard), owner.tile, self.folded(c.amount))
                    for c, owner in changes
                ),
            )
        return found

    # phases

    def _phases(self, name: str) -> list[Phase]:
        pairs = self.program.ruleset.phases(name)
        return [phase for phase, owner in pairs if self.program.applies_at_all(owner)]

    def _phase(self, phase: Phase) -> Begin:
        return Begin(phase.body, self._maybe(phase.guard))

    def _by_player(self, name: str) -> tuple[tuple[Begin, int], ...]:
        begins = [self._phase(phase) for phase in self._phases(name)]
        return tuple((begin, player) for player in range(self.players) for begin in begins)

    def _setup(self) -> tuple[tuple[Begin, int], ...]:
        once = tuple((self._phase(phase), 0) for phase in self._phases("before setup"))
        return (*once, *self._by_player("setup"), *self._by_player("after setup"))

    # offers, triggers, standings

    def _offer(self, offer: Offer) -> Begin:
        guard = self._maybe(offer.action.guard)
        needs = offer.path in self.program.needing
        mixed = offer.path in self.works.machine.offers.mixed
        minds = offer.path in self.program.minding
        required = offer.action.required
        repeats = self._repeats(offer)
        tile = offer.owner.tile
        return Begin(offer.action.body, guard, tile, required, needs, mixed, minds, repeats)

    def _repeats(self, offer: Offer) -> bool:
        """Whether anything that an action comes to may ask if it is repeated."""
        return self._repeating.matters_to(offer)

    @cached_property
    def _repeating(self) -> Repeating:
        return Repeating(self.program)

    def _follows(self, name: str) -> tuple[Follow, ...]:
        return tuple(self._follow(*pair) for pair in self.program.triggers[name])

    def _follow(self, trigger: Any, owner: Owned) -> Follow:
        instant = not trigger.offered and is_instant(self._doings(trigger.body))
        guard = self._maybe(trigger.guard)
        return Follow(trigger.body, guard, trigger.who, owner.tile, instant, trigger.offered)

    def _doings(self, block: Block) -> Any:
        return self.works.machine.code[block.path]

    def _standings(self, drawing: bool) -> tuple[Begin, ...]:
        found = self.program.standings_of_draws if drawing else self.program.standings
        return tuple(self._standing(s, owner, drawing) for s, owner, _ in found)

    def _standing(self, standing: Any, owner: Owned, drawing: bool) -> Begin:
        known = {**self.program.known, "drawing()": drawing}
        implementations = self.program.ruleset.evaluate.implementations
        return Begin(standing.body, decided(standing.condition, known, implementations), owner.tile)

    # steps

    def asked(self, step: Step) -> Asked:
        found = self._asked.get(id(step))
        if found is None:
            found = self._asked[id(step)] = self._made(step)
        return found

    def _needs_terrain(self, block: Block) -> bool:
        return self.program.depends(block, PLAYED)

    def _made(self, step: Step) -> Asked:
        asking = self.works.choices.asking(step)
        norms, phrases = asking.norms, asking.phrases
        asks = asking.word.asks
        is_source = bool(asks) and (asking.word.lifts or not asking.verb)
        way = apart(asking, self.program) if asking.word.lifts else None
        slots = asking.word.signature.slots
        return Asked(
            step,
            asking.word,
            self._maybe(phrases.get("count")) if asking.counting is not None else None,
            tuple(self._maybe(value) for value in _taken(asking, slots)),
            self._maybe(phrases.get(asks[0].phrase)) if is_source else None,
            self._maybe(phrases.get("piece")),
            asking.stays,
            self.folded(asking.legal_expr) if asks and asking.verb else None,
            None if way is None else self._apart(way),
            self.folded(norms.forbids_all),
            _prefers_touching(asking),
            asking.freely is not None,
            self.folded(asking.strict_expr) if asks and asking.verb else None,
            self._waivers(asking),
            asking.needs_terrain,
            asking.at_random,
            tuple(asking.names),
        )

    def _waivers(self, asking: Asking) -> tuple[Expr, ...]:
        """Of each rule that may waive preferences of a step whether it does."""
        by_rule: dict[str, list[Expr]] = {}
        for clause in asking.norms.waives if asking.freely is None else ():
            by_rule.setdefault(clause.owner.rule.id, []).append(clause.test or joining.YES)
        return tuple(self.folded(joining.some(tests)) for tests in by_rule.values())

    def _apart(self, way: Apart) -> Sourced:
        own = None if way.through is not None else self.folded(joining.both(way.free))
        kinds = tuple(sorted(way.kinds))
        return Sourced(own, self._maybe(way.related), self._maybe(way.through), way.only, kinds)


def _may_begin(begin: Begin) -> bool:
    """Whether options do not rule it out."""
    return not isinstance(begin.guard, Lit) or bool(begin.guard.value)


def _taken(asking: Asking, slots: Iterable[Any]) -> list[Expr | None]:
    return [asking.phrases.get(name) for name in asking.taken]


def _prefers_touching(asking: Asking) -> bool:
    """Whether what is preferred is just what touches the player's own pieces."""
    prefers = asking.norms.prefers
    on = prefers[0].norm.on if len(prefers) == 1 and prefers[0].test is None else None
    if not isinstance(on, Call) or on.word != "adjacent(hexes)":
        return False
    of = on.arguments[0]
    return isinstance(of, Call) and of.word == "mine()"
