"""Where a step can be done, as the text of a kernel: its legal hexes, sources and targets."""

from __future__ import annotations

from kbrules.kernel.lowering.blocks import Blocks
from kbrules.kernel.lowering.expressions import ExpressionLowering
from kbrules.kernel.lowering.scope import Scope
from kbrules.kernel.lowering.writing import ORIGIN, Name
from kbrules.lang.typed import Expr, Sort, identity
from kbrules.plan import norms as expressions
from kbrules.plan.steps import LinkedStep, is_origin, split_target


class LegalSetLowering:
    """Writes the legal hexes of steps."""

    def __init__(self, expressions: ExpressionLowering, blocks: Blocks) -> None:
        self._expressions = expressions
        self._blocks = blocks
        self._plan = expressions.plan
        self._targets: dict[object, tuple[str, list[Name]]] = {}
        self._sources: dict[int, tuple[str, list[Name]]] = {}

    def first(self, linked: LinkedStep, scope: Scope) -> str:
        """The hexes that may be chosen first for a step."""
        if len(linked.target_nodes) > 1:
            return self._if_it_can(linked, self._with_targets(linked, scope), scope)
        if not linked.verb:
            return self._if_it_can(linked, self.pieces(linked, scope), scope)
        return self._expressions.shared(self._plan.folded(linked.legal_expr), scope, "legal")

    def _if_it_can(self, linked: LinkedStep, hexes: str, scope: Scope) -> str:
        """The hexes, or none if a step is not possible at all."""
        if linked.can is None:
            return hexes
        values = [linked.argument_exprs.get(name) for name in linked.argument_names]
        can = expressions.call_word(f"can {linked.step.name}", Sort.TRUTH, values)
        found = scope.fn.new_local("nothing()")
        with scope.fn.block(f"if {self._expressions.fold_and_lower(can, scope)}:"):
            scope.fn.line(f"{found} = {hexes}")
        return found

    def second(self, linked: LinkedStep, origin: str, scope: Scope) -> str:
        """Those that may be chosen after a first one."""
        return self._chosen(linked, linked.legal_expr, origin, scope)

    def strict(self, linked: LinkedStep, origin: str, scope: Scope) -> str:
        """Those that would be legal if nothing waived preferences."""
        if linked.is_pair:
            return self._chosen(linked, linked.expr_without_waivers, origin, scope)
        return self._expressions.shared(
            self._plan.folded(linked.expr_without_waivers), scope, "legal"
        )

    def pieces(self, linked: LinkedStep, scope: Scope) -> str:
        """The hexes of its `from` phrase that hold a piece of the right kind."""
        fn = scope.fn
        text = self._expressions.fold_and_lower(
            linked.argument_exprs[linked.word.asks[0].phrase], scope
        )
        found = fn.new_local(f"{text} & load(M, OCCUPIED)")
        for kind in linked.immovable_kinds:
            fn.line(f"{found} = {found} & ~held_by_all(M, {kind})")
        if linked.piece is not None:
            kind_text = self._expressions.fold_and_lower(linked.argument_exprs["piece"], scope)
            fn.line(f"{found} = {found} & held_by_all(M, {kind_text})")
        return found

    def _chosen(self, linked: LinkedStep, legal: Expr, origin: str, scope: Scope) -> str:
        """A set as it is when a first hex was chosen, and its piece taken up if the step does."""
        expr = self._plan.folded(legal)
        key = (linked.word.lifts, identity(expr))
        if key not in self._targets:
            self._targets[key] = self._target_function(expr, linked.word.lifts)
        name, needed = self._targets[key]
        return f"{name}({', '.join(['M', scope.me, origin, *map(scope.value, needed)])})"

    def _target_function(self, expr: Expr, lifts: bool) -> tuple[str, list[Name]]:
        needed = sorted(self._expressions.free_names.of_expr(expr) - {ORIGIN})
        name = f"targets_{len(self._targets)}"
        fn, scope = self._expressions.begin_function(name, needed, "M, me, hex")
        owner, piece = fn.new_local(), fn.new_local()
        if lifts:
            fn.line(f"{owner}, {piece} = lift_piece(M, hex)")
        found = fn.new_local(self._expressions.lower(expr, scope.bound(origin="single(hex)")))
        if lifts:
            fn.line(f"put_back(M, {owner}, {piece}, hex)")
        fn.line(f"return {found}")
        self._expressions.functions.append(fn)
        return name, needed

    # sources

    def _with_targets(self, linked: LinkedStep, scope: Scope) -> str:
        """The pieces of a step's `from` phrase that have somewhere to go."""
        if id(linked) not in self._sources:
            self._sources[id(linked)] = self._source_function(linked)
        name, needed = self._sources[id(linked)]
        return f"{name}({', '.join(['M', scope.me, *map(scope.value, needed)])})"

    def _source_function(self, linked: LinkedStep) -> tuple[str, list[Name]]:
        needed = sorted(self._expressions.free_names.of_step(linked))
        name = f"sources_{len(self._sources)}"
        fn, scope = self._expressions.begin_function(name, needed)
        pieces = fn.new_local(self.pieces(linked, scope))
        found = fn.new_local("nothing()")
        doubtful = fn.new_local(self._sources_at_once(linked, pieces, found, scope) or pieces)
        hex = fn.new_local("0")
        with fn.block(f"while some({doubtful}):"):
            fn.line(f"{hex} = lowest({doubtful})")
            fn.line(f"{doubtful} = {doubtful} & ~single({hex})")
            with fn.block(f"if some({self.second(linked, hex, scope)}):"):
                fn.line(f"{found} = {found} | single({hex})")
        fn.line(f"return {found}")
        self._expressions.functions.append(fn)
        return name, needed

    def _sources_at_once(
        self, linked: LinkedStep, pieces: str, found: str, scope: Scope
    ) -> str | None:
        """Find what can be found of all pieces at once; the pieces to be tested one by one."""
        denies = linked.norms.denies
        only = len(denies) == 1 and denies[0].test is None and is_origin(denies[0].norm.target)
        split = split_target(linked) if only else None
        if split is None:
            return None
        fn, (terms, relation) = scope.fn, split
        own = fn.new_local("load(M, FULL)")
        for term in terms:
            fn.line(f"{own} = {own} & {self._expressions.fold_and_lower(term, scope)}")
        barred = self._plan.folded(linked.norms.forbids_all)
        free = fn.new_local(f"{own} & ~{self._expressions.shared(barred, scope, 'forbidden')}")
        with fn.block(f"if not some({free}):"):
            fn.line(f"return {found}")
        if relation is not None:
            text = self._expressions.fold_and_lower(relation, scope.bound(origin=free))
            fn.line(f"{pieces} = {pieces} & {text}")
        if linked.freely:
            fn.line(f"{found} = {pieces}")
            return "nothing()"
        fn.line(f"{found} = {pieces} & ~{own}")
        return f"{pieces} & {own}"
