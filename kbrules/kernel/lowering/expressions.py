"""Expressions of the typed core as the text of a kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kbrules.game.state import ZONES
from kbrules.kernel.errors import NotLowered
from kbrules.kernel.lowering.dead_cards import all_cards_dead, dead, stuck
from kbrules.kernel.lowering.hoisting import depends_on_board_only, depends_on_grid_only, is_cheap
from kbrules.kernel.lowering.scope import Scope
from kbrules.kernel.lowering.words import (
    CUTS,
    EACH,
    HEAVY,
    STARTS,
    areas,
    kinds_on_board,
    neutral_pieces,
    pattern_of,
    piece_kinds,
    tagged,
)
from kbrules.kernel.lowering.writing import REPEATED, REQUIRED, FreeNames, FunctionWriter, Name
from kbrules.lang.evaluation import CONNECTIVES
from kbrules.lang.syntax.tree import Memory
from kbrules.lang.typed import (
    LISTS,
    Call,
    Conditional,
    Expr,
    Fold,
    Lit,
    Sort,
    Var,
    identity,
    parts_of,
)
from kbrules.plan.plan import Plan

SUM = "sum(number)"
OF_STEPS = ("can ", "room ")
NONE_OF = {
    Sort.HEXES: "nothing()",
    Sort.GROUPS: "(0, 0)",
    Sort.PLAYERS: "M[PLAYERS]",
    **dict.fromkeys(LISTS, "record_of(M, -1)"),
}
"""How it is written that there are none of these."""


class ExpressionLowering:
    """Writes the expressions of one plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.catalog = plan.ruleset.catalog
        self.free_names = FreeNames(plan)
        self.functions: list[FunctionWriter] = []
        self.hoisted: dict[object, tuple[str, Expr]] = {}
        declared = plan.ruleset.declarations
        memories = [each for each in declared if isinstance(each, Memory)]
        self.hexes_memories = {each.name.text for each in memories if each.sort.text == "hexes"}
        self._shared: dict[object, tuple[str, list[Name]]] = {}
        self._special: dict[str, Callable[[Call, Scope], str]] = {
            "quantity": self._quantity,
            "memory": self._memory,
            "repeated()": lambda call, scope: scope.value(REPEATED),
            "required()": lambda call, scope: (
                f"({scope.me} == M[ACTIVE] and {scope.value(REQUIRED)})"
            ),
            "pieces(piece)": self._pieces,
            "neutral()": lambda call, scope: neutral_pieces(self.catalog),
            "exactly(number)": self._exactly,
            "/(number,number)": self._division,
            "remainder(number,number)": self._division,
            "cards(zone)": self._cards,
            "areas()": lambda call, scope: areas(self.catalog, scope.fn),
            "terrains()": lambda call, scope: kinds_on_board(self.catalog, False, scope.fn),
            "place_kinds()": lambda call, scope: kinds_on_board(self.catalog, True, scope.fn),
            "piece_kinds()": lambda call, scope: piece_kinds(self.catalog, scope.fn),
            "terrain(terrain)": self._kind,
            "place(place)": self._kind,
            "ends(groups)": self._ends,
            "open(verb)": self._open,
            "forbidden(verb)": self._forbidden,
            "dead(verb)": self._dead,
            "stuck(verb)": self._stuck,
        }

    def has_form(self, word: str) -> bool:
        """Whether a kernel has a form of a word, by its key."""
        return word in self._special or pattern_of(word) is not None

    # any expression

    def lower(self, expr: Expr, scope: Scope) -> str:
        """The text of a value; what must be done before stands in lines of the function."""
        with scope.fn.at_place(expr.span):
            return self._lower(expr, scope)

    def _lower(self, expr: Expr, scope: Scope) -> str:
        if self._is_hoisted(expr, scope):
            return self._constant(expr)
        match expr:
            case Lit():
                return self._literal(expr)
            case Var(sort=sort, name=name):
                return scope.value((name, sort))
            case Conditional():
                return self._choice(expr, scope)
            case Fold():
                return self._fold(expr, scope)
            case Call(word=word) if word in CONNECTIVES:
                return self._connective(expr, scope)
            case Call():
                return self._call(expr, scope)
        raise NotLowered("an expression of another kind")

    def _is_hoisted(self, expr: Expr, scope: Scope) -> bool:
        """Whether a value was hoisted to the board and is read from there."""
        if not depends_on_board_only(expr) or is_cheap(expr):
            return False
        return scope.is_laid or depends_on_grid_only(expr)

    def _literal(self, lit: Lit) -> str:
        if not lit.value and lit.sort in NONE_OF:
            return NONE_OF[lit.sort]
        if lit.sort is Sort.HEXES:
            return self._unknown("a set written out", lit)
        if lit.value is None:
            return "0"
        if isinstance(lit.value, tuple):
            return "(" + ", ".join(str(int(part)) for part in lit.value) + ")"
        if isinstance(lit.value, str):
            return self._unknown(f"`{lit.value}` as a value", lit)
        return str(bool(lit.value)) if lit.sort is Sort.TRUTH else str(int(lit.value))

    def _unknown(self, what: str, expr: Expr) -> str:
        raise NotLowered(what, expr.span)

    def _constant(self, expr: Expr) -> str:
        """What a board fixes lies in the memory."""
        key = identity(expr)
        if key not in self.hoisted:
            self.hoisted[key] = (f"FIXED_{len(self.hoisted)}", expr)
        name = self.hoisted[key][0]
        if expr.sort is Sort.HEXES:
            return f"load(M, {name})"
        if expr.sort in (Sort.GROUPS, Sort.RANGE):
            return f"(M[{name}], M[{name} + 1])"
        return f"(M[{name}] != 0)" if expr.sort is Sort.TRUTH else f"M[{name}]"

    def _call(self, call: Call, scope: Scope) -> str:
        special = self._special.get(call.word)
        if special is not None:
            return special(call, scope)
        of_tag = tagged(self.catalog, call.word.removesuffix("()"))
        if of_tag is not None:
            return of_tag
        if call.word.startswith(OF_STEPS):
            return self._of_step(call, scope)
        pattern = pattern_of(call.word)
        if pattern is None:
            return self._unknown(f"the word `{call.word}`", call)
        first = self.lower(call.arguments[0], scope) if call.arguments else ""
        if call.word in CUTS and self._is_heavy(call.arguments[1]):
            return self._cut(pattern, first, call.arguments[1], scope)
        texts = [first, *(self.lower(part, scope) for part in call.arguments[1:])]
        return pattern.format(*texts, me=scope.me)

    def _of_step(self, call: Call, scope: Scope) -> str:
        """Whether a step can be done at all, and where there is room for it: functions by name."""
        texts = [scope.fn.local(self.lower(part, scope)) for part in call.arguments]
        return f"{call.word.replace(' ', '_')}({', '.join(['M', scope.me, *texts])})"

    def _cut(self, pattern: str, first: str, second: Expr, scope: Scope) -> str:
        """A set cut down: nothing is evaluated if there is nothing to cut."""
        name = scope.fn.new_local(first)
        with scope.fn.block(f"if some({name}):"):
            scope.fn.line(f"{name} = {pattern.format(name, self.lower(second, scope))}")
        return name

    def _is_heavy(self, expr: Expr) -> bool:
        if depends_on_board_only(expr):
            return False
        if isinstance(expr, Fold) or (isinstance(expr, Call) and expr.word in HEAVY):
            return True
        return any(map(self._is_heavy, parts_of(expr)))

    def _connective(self, call: Call, scope: Scope) -> str:
        """`and`, `or`: the second operand is evaluated only if the first does not decide."""
        stops = CONNECTIVES[call.word]
        first, second = call.arguments
        name = scope.fn.new_local(self.lower(first, scope))
        with scope.fn.block(f"if not {name}:" if stops else f"if {name}:"):
            scope.fn.line(f"{name} = {self.lower(second, scope)}")
        return name

    def _choice(self, choice: Conditional, scope: Scope) -> str:
        test = self.lower(choice.condition, scope)
        name = scope.fn.new_local()
        with scope.fn.block(f"if {test}:"):
            scope.fn.line(f"{name} = {self.lower(choice.value, scope)}")
        with scope.fn.block("else:"):
            scope.fn.line(f"{name} = {self.lower(choice.other, scope)}")
        return name

    # folds

    def _fold(self, fold: Fold, scope: Scope) -> str:
        if fold.word == EACH:
            return self._each(fold, scope)
        if fold.word not in STARTS:
            return self._unknown(f"the word `{fold.word}`", fold)
        fn = scope.fn
        found, is_first = fn.new_local(STARTS[fold.word]), fn.new_local("True")
        for item in self.items(fold.domain, scope):
            top = fn.new_local("M[SCRATCH]")
            inner = scope.bound(**{fold.variable: item})
            with fn.block(f"if {self._test(fold.condition, inner)}:"):
                self._accumulate(fold.word, found, is_first, self.lower(fold.body, inner), fn)
            fn.line(f"M[SCRATCH] = {top}")
        return f"bounded({found})" if fold.word == SUM else found

    def _test(self, condition: Expr | None, scope: Scope) -> str:
        return "True" if condition is None else self.lower(condition, scope)

    def _accumulate(
        self, word: str, found: str, is_first: str, value: str, fn: FunctionWriter
    ) -> None:
        match word:
            case "most(number)" | "least(number)":
                name, sign = fn.new_local(value), ">" if word.startswith("most") else "<"
                with fn.block(f"if {is_first} or {name} {sign} {found}:"):
                    fn.line(f"{found} = {name}")
                fn.line(f"{is_first} = False")
            case "sum(number)":
                fn.line(f"{found} += {value}")
            case "count(truth)":
                fn.line(f"{found} += int({value})")
            case "any(truth)":
                fn.line(f"{found} = {found} or {value}")
            case "all(truth)":
                fn.line(f"{found} = {found} and {value}")
            case _:
                fn.line(f"{found} = {found} | {value}")

    def _each(self, fold: Fold, scope: Scope) -> str:
        fn = scope.fn
        domain = fn.new_local(self.lower(fold.domain, scope))
        most = pattern_of(f"count({fold.domain.sort})") or ""
        at, number = (
            fn.new_local(f"allocate_scratch(M, {most.format(domain)} * W)"),
            fn.new_local("0"),
        )
        for item in self.items(fold.domain, scope, domain):
            inner = scope.bound(**{fold.variable: item})
            with fn.block(f"if {self._test(fold.condition, inner)}:"):
                fn.line(f"store(M, {at} + {number} * W, {self.lower(fold.body, inner)})")
                fn.line(f"{number} += 1")
        return f"({at}, {number})"

    def items(self, domain: Expr, scope: Scope, known: str = "") -> Iterator[str]:
        """The lines written while an item is named are done for each item of a domain."""
        fn = scope.fn
        match domain.sort:
            case Sort.GROUPS:
                among, i = known or fn.new_local(self.lower(domain, scope)), fn.new_local("0")
                with fn.block(f"for {i} in range({among}[1]):"):
                    yield fn.new_local(f"load(M, {among}[0] + {i} * W)")
            case Sort.HEXES:
                left = fn.new_local(self.lower(domain, scope))
                with fn.block(f"while some({left}):"):
                    item = fn.new_local(f"foremost({left})")
                    fn.line(f"{left} = {left} & ~{item}")
                    yield item
            case Sort.PLAYERS:
                i = fn.new_local("0")
                first = known or self.lower(domain, scope)
                with fn.block(f"for {i} in range({first}, M[PLAYERS]):"):
                    yield fn.new_local(f"({scope.me} + {i}) % M[PLAYERS]")
            case sort if sort in LISTS:
                at, i = known or fn.new_local(self.lower(domain, scope)), fn.new_local("0")
                with fn.block(f"for {i} in range(M[{at}]):"):
                    yield fn.new_local(f"M[{at} + 1 + {i}]")
            case _:
                self._unknown("a loop over such things", domain)

    # words that need more than a call

    def _quantity(self, call: Call, scope: Scope) -> str:
        """A set-up number and all that increases or decreases it now."""
        name = self._name_in(call)
        fn = scope.fn
        value = fn.new_local(str(self.catalog.numbers[name]))
        for change, owner in self.plan.changes_by_quantity.get(name, ()):
            tests = [*self.owned(owner.tile, owner.card, scope.me)]
            with fn.block(f"if {' and '.join(tests) or 'True'}:"):
                guard = "True"
                if change.guard is not None:
                    guard = self.fold_and_lower(change.guard, scope)
                with fn.block(f"if {guard}:"):
                    fn.line(f"{value} += {self.fold_and_lower(change.amount, scope)}")
        return fn.new_local(f"max(0, {value})")

    def owned(self, tile: int, card: int, me: str) -> list[str]:
        """What must hold for a statement of a tile or a card to matter to a player."""
        tests = [f"held(M, {me}, {tile}) > 0"] if tile >= 0 else []
        return tests + ([f"M[IN_PLAY + {card}] == 1"] if card >= 0 else [])

    def fold_and_lower(self, expr: Expr, scope: Scope) -> str:
        """The text of an expression of a rule, as options decide it."""
        return self.lower(self.plan.folded(expr), scope)

    def _name_in(self, call: Call) -> str:
        first = call.arguments[0]
        assert isinstance(first, Lit)
        return str(first.value)

    def place_of(self, name: str, me: str) -> str:
        """Where the memory of a name lies."""
        scope, slot = self.plan.ruleset.memories[name]
        return f"MEMORY_{slot}" if scope == "table" else f"seat_of({me}) + MEMORY_{slot}"

    def _memory(self, call: Call, scope: Scope) -> str:
        at = self.place_of(self._name_in(call), scope.me)
        return f"load(M, {at})" if call.sort is Sort.HEXES else f"M[{at}]"

    def _kind(self, call: Call, scope: Scope) -> str:
        kind = call.arguments[0]
        if isinstance(kind, Lit) and kind.value >= 0:
            return f"load(M, KINDS + {kind.value} * W)"
        return f"kind_hexes(M, {self.lower(kind, scope)})"

    def _pieces(self, call: Call, scope: Scope) -> str:
        return f"held_by_all(M, {self.lower(call.arguments[0], scope)})"

    def _exactly(self, call: Call, scope: Scope) -> str:
        name = scope.fn.local(self.lower(call.arguments[0], scope))
        return f"({name}, {name})"

    def _division(self, call: Call, scope: Scope) -> str:
        one, other = (scope.fn.local(self.lower(part, scope)) for part in call.arguments)
        sign = "//" if call.word.startswith("/") else "%"
        return f"({one} {sign} {other} if {other} else 0)"

    def _cards(self, call: Call, scope: Scope) -> str:
        zone = self._name_in(call)
        return f"cards_in(M, {ZONES.index(zone)})" if zone in ZONES else "M[SHOWN]"

    def _ends(self, call: Call, scope: Scope) -> str:
        """The ends of groups; those of the lines of a set are found without listing them."""
        of = call.arguments[0]
        if (
            isinstance(of, Call)
            and of.word == "lines(hexes,range)"
            and not depends_on_board_only(of)
        ):
            texts = [self.lower(part, scope) for part in of.arguments]
            return f"line_ends(M, {', '.join(texts)})"
        return f"ends(M, {self.lower(of, scope)})"

    # norms

    def shared(self, expr: Expr, scope: Scope, kind: str) -> str:
        """A call of a function of its own for an expression that is evaluated in many places."""
        key = (kind, identity(expr))
        if key not in self._shared:
            self._shared[key] = self._function(expr, f"{kind}_{len(self._shared)}")
        name, needed = self._shared[key]
        return f"{name}({', '.join(['M', scope.me, *map(scope.value, needed)])})"

    def _function(self, expr: Expr, name: str) -> tuple[str, list[Name]]:
        needed = sorted(self.free_names.of_expr(expr))
        fn, scope = self.begin_function(name, needed)
        with fn.at_place(expr.span):
            fn.line(f"return {self.lower(expr, scope)}")
        self.functions.append(fn)
        return name, needed

    def begin_function(
        self, name: str, needed: list[Name], first: str = "M, me"
    ) -> tuple[FunctionWriter, Scope]:
        """A function that is given a player and names, and the scope inside it."""
        parameters = {each[0]: f"n_{i}" for i, each in enumerate(needed)}
        fn = FunctionWriter(name, ", ".join([first, *parameters.values()]))
        required = parameters.get(REQUIRED[0], "required(M)")
        return fn, Scope(fn, "me", parameters, required)

    def _opening(self, verb: str, scope: Scope) -> str:
        return self.shared(self.plan.folded(self.plan.open_expr(verb)), scope, "open")

    def _open(self, call: Call, scope: Scope) -> str:
        return self._opening(self._name_in(call), scope)

    def _forbidden(self, call: Call, scope: Scope) -> str:
        forbidden = self.plan.norms(self._name_in(call)).forbids_all
        return self.shared(self.plan.folded(forbidden), scope, "forbidden")

    def _dead(self, call: Call, scope: Scope) -> str:
        return dead(self._opening, self._name_in(call), scope)

    def _stuck(self, call: Call, scope: Scope) -> str:
        return stuck(self._opening, self._name_in(call), scope)

    def all_cards_dead(self, verb: str, scope: Scope) -> str:
        """Whether there are cards to draw, and none of them shows a hex open for a verb."""
        return all_cards_dead(self._opening, verb, scope)
