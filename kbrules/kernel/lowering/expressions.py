"""Expressions of the typed core, and the words in them, as the text of a kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from inspect import Parameter, signature

from kbrules.game.board import Catalog
from kbrules.game.state import ZONES
from kbrules.kernel.lowering import writing
from kbrules.kernel.runtime import cards, geometry, paths, pieces
from kbrules.lang import evaluation, typed as core
from kbrules.lang.syntax.tree import Memory
from kbrules.library.vocabulary import hex_tags, piece_tags
from kbrules.plan.plan import Plan
from kbrules.primitives.vocabulary import implementations

# Which expressions a board decides alone, so that they are worked out once for a game.
#
# Where a definition is written out in a rule its words keep what the check said of them, when
# their arguments were still names; here they are looked at again, and folds as well.


HOISTED_SORTS = (core.Sort.HEXES, core.Sort.GROUPS)
"""Numbers and the like are worked out as quickly as read."""
OF_THE_GRID = frozenset({"edge()", "rows()", "diagonals()", "edges()", "sectors()"})
"""Words that the shape of a table decides, whatever lies on it; no kernel works them out."""
DIRECT_LOADS = frozenset({"board()", "terrain(terrain)", "place(place)"})
"""Words that are read from the memory as they are."""


def depends_on_grid_only(expr: core.Expr) -> bool:
    """Whether an expression is to be hoisted to the grid, for all tables of its shape."""
    return isinstance(expr, core.Call) and expr.word in OF_THE_GRID


def depends_on_board_only(expr: core.Expr) -> bool:
    """Whether an expression is to be hoisted to the board: it answers hexes, always the same."""
    if isinstance(expr, core.Call) and expr.fixed:
        return expr.sort not in core.LISTS
    return (
        expr.sort in HOISTED_SORTS
        and not isinstance(expr, core.Lit)
        and _is_fixed(expr, frozenset())
    )


def _is_fixed(expr: core.Expr, bound: frozenset[str]) -> bool:
    """Whether board and options decide a value, but for the names of loops around it."""
    match expr:
        case core.Lit():
            return True
        case core.Var(name=name):
            return name in bound
        case core.Call(word=word, arguments=arguments, fixed=fixed):
            return fixed or (_is_blind(word) and all(_is_fixed(each, bound) for each in arguments))
        case core.Fold(word=word, variable=variable, domain=domain, condition=condition, body=body):
            parts = [body] if condition is None else [body, condition]
            inside = all(_is_fixed(each, bound | {variable}) for each in parts)
            return _is_blind(word) and inside and _is_fixed(domain, bound)
        case core.Conditional(condition=condition, value=value, other=other):
            return all(_is_fixed(each, bound) for each in (condition, value, other))


def _is_blind(word: str) -> bool:
    """Whether the code of a word does not see the state, but the board at most."""
    found = implementations().get(word)
    return found is not None and found.first != "view"


# Words of which the things of the boxes say what they mean: tags, kinds of terrain and piece.


def tagged(catalog: Catalog, tag: str) -> str | None:
    """The hexes of all that has a tag; None if nothing of the boxes can have it."""
    if tag in piece_tags(catalog):
        pieces = [i for i, piece in enumerate(catalog.pieces) if tag in piece.tags]
        return _joined([f"held_by_all(M, {piece})" for piece in pieces])
    if tag in hex_tags(catalog):
        kinds = [f"KINDS + {i} * W" for i, kind in enumerate(catalog.hexes) if tag in kind.tags]
        grids = [f"GRIDS + {i} * W" for i, grid in enumerate(catalog.grids) if tag in grid.tags]
        return _joined([f"load(M, {at})" for at in [*kinds, *grids]])
    return None


def neutral_pieces(catalog: Catalog) -> str:
    """The pieces of nobody."""
    pieces = [i for i, piece in enumerate(catalog.pieces) if piece.neutral]
    return _joined([f"load(M, NEUTRAL + {piece} * W)" for piece in pieces])


def areas(catalog: Catalog, fn: writing.FunctionWriter) -> str:
    """The groups of each terrain, one list behind another."""
    at, number = fn.new_local("M[SCRATCH]"), fn.new_local("0")
    for i, kind in enumerate(catalog.hexes):
        if not kind.is_place:
            found = fn.new_local(f"groups(M, load(M, KINDS + {i} * W))")
            fn.line(f"{number} += {found}[1]")
    return f"({at}, {number})"


def list_of(kinds: Iterable[int], test: str, fn: writing.FunctionWriter) -> str:
    """Where a list of those kinds lies for which a test is true: how many, and then each."""
    kinds = tuple(kinds)
    at = fn.new_local(f"allocate_scratch(M, {len(kinds) + 1})")
    fn.line(f"M[{at}] = 0")
    for number in kinds:
        with fn.block(f"if {test.format(number)}:"):
            fn.line(f"M[{at}] += 1")
            fn.line(f"M[{at} + M[{at}]] = {number}")
    return at


def _joined(sets: list[str]) -> str:
    return f"({' | '.join(sets)})" if sets else "nothing()"


HEAVY = frozenset({
    "connected(hexes,hexes)", "linked(hexes,hexes)", "linked(groups,hexes)", "groups(hexes)",
    "lines(hexes,range)", "parts(hexes,groups)", "within(hexes,number)", "slide(hexes,hexes)",
    "slide(hexes,hexes,hexes)", "next_in(hexes,hexes)", "next_in(hexes,hexes,hexes)",
    "reach(hexes,number,hexes)", "reach(hexes,number,hexes,hexes)",
    "straight(hexes,number,hexes)", "alike(hexes)", "span(hexes)",
    "triangles(hexes)", "rings(hexes)", "enclosed(hexes)", "ringed(hexes)", "longest_way(hexes)",
    "distance(hexes,hexes)",
    "open(verb)", "forbidden(verb)", "dead(verb)", "stuck(verb)", "quantity", "held(tile)",
    "usable(tile)", "fresh_from()", "cards(zone)", "played()",
})  # fmt: skip
"""Words so costly that it is worth testing first whether they are needed."""
PLAIN = {
    "&(hexes,hexes)": "({0} & {1})",
    "|(hexes,hexes)": "({0} | {1})",
    "-(hexes,hexes)": "({0} & ~{1})",
    "narrowed": "narrowed({0}, {1})",
    "-(number,number)": "bounded({0} - {1})",
    "-(number)": "(-{0})",
    "+(number,number)": "bounded({0} + {1})",
    # Gold may be larger than other numbers; their product has to fit into 64 bits as well.
    "*(number,number)": "bounded(bounded({0}) * bounded({1}))",
    "most(number,number)": "max({0}, {1})",
    "least(number,number)": "min({0}, {1})",
    "=(number,number)": "({0} == {1})",
    "!=(number,number)": "({0} != {1})",
    "<(number,number)": "({0} < {1})",
    "<=(number,number)": "({0} <= {1})",
    ">(number,number)": "({0} > {1})",
    ">=(number,number)": "({0} >= {1})",
    "=(hexes,hexes)": "(not some({0} ^ {1}))",
    "=(player,player)": "({0} == {1})",
    "!=(player,player)": "({0} != {1})",
    "=(terrain,terrain)": "({0} == {1})",
    "=(piece,piece)": "({0} == {1})",
    "=(tile,tile)": "({0} == {1})",
    "=(place,place)": "({0} == {1})",
    "=(card,card)": "({0} == {1})",
    **{f"!=({each},{each})": "({0} != {1})" for each in core.LISTS.values()},
    "not(truth)": "(not {0})",
    "at least(number)": "({0}, 1000000)",
    "at most(number)": "(0, {0})",
    "board()": "load(M, FULL)",
    "mine()": "load(M, seat_of({me}) + ALL)",
    "mine(piece)": "load(M, seat_of({me}) + PIECES + {0} * W)",
    "pieces(piece)": "held_by_all(M, {0})",
    "pieces(player)": "load(M, seat_of({0}) + ALL)",
    "occupied()": "load(M, OCCUPIED)",
    "stocked()": "load(M, STOCKED)",
    "adjacent(hexes)": "neighbours(M, {0})",
    "straight(hexes,number)": "straight_over(M, {0}, {1}, load(M, FULL))",
    "straight(hexes,number,hexes)": "straight_over(M, {0}, {1}, {2})",
    "slide(hexes,hexes)": "slide_over(M, {0}, {1}, load(M, FULL))",
    "slide(hexes,hexes,hexes)": "slide_over(M, {0}, {1}, {2})",
    "next_in(hexes,hexes)": "next_over(M, {0}, {1}, load(M, FULL))",
    "next_in(hexes,hexes,hexes)": "next_over(M, {0}, {1}, {2})",
    "reach(hexes,number,hexes)": "reach_over(M, {0}, {1}, {2}, load(M, FULL))",
    "reach(hexes,number,hexes,hexes)": "reach_over(M, {0}, {1}, {2}, {3})",
    "linked(hexes,hexes)": "linked_hexes(M, {0}, {1})",
    "linked(groups,hexes)": "linked_groups(M, {0}, {1})",
    "count(groups)": "{0}[1]",
    "count(players)": "(M[PLAYERS] - {0})",
    **{f"count({each})": "M[{0}]" for each in core.LISTS},
    "any(hexes)": "some({0})",
    "none(hexes)": "(not some({0}))",
    "gold()": "M[seat_of({me}) + GOLD]",
    "gold(player)": "M[seat_of({0}) + GOLD]",
    "mirrored(hexes)": "transformed(M, {0}, MIRRORED)",
    "flipped(hexes)": "transformed(M, {0}, FLIPPED)",
    "turned(hexes)": "transformed(M, {0}, TURNED)",
    "supply(piece)": "M[seat_of({me}) + SUPPLY + {0}]",
    "in_hand()": "M[seat_of({me}) + HAND]",
    "finishing()": "(M[STAGE] == FINISH)",
    "round()": "(M[INDEX] // M[PLAYERS] + 1 if M[STAGE] == TURN or M[STAGE] == TURN_OVER else 0)",
    "turn_to_come()": "is_turn_to_come(M, {me})",
    "in_play(card)": "(M[IN_PLAY + {0}] == 1)",
    "me()": "{me}",
    "players()": "0",
    "others()": "1",
    "revealed_terrains()": "record_of(M, M[REVEALED])",
    "my_turn()": "({me} == M[ACTIVE])",
    "played()": "terrain_played(M)",
    "scoring_cards()": "cards_at(M, COUNTS)",
    "waiting_cards()": "cards_at(M, BESIDE)",
    "drawing()": "False",
}
"""Words that are written out by means of others; `{0}` is the first argument, `{me}` the player.

Players are represented by how far from the player the first of them sits, lists of terrains and
the like by where the number of them lies, with the items behind it.
"""
FUNCTIONS = {
    name: code
    for module in (geometry, paths, pieces, cards)
    for name, code in vars(module).items()
    if callable(code)
}
RUNTIME_TYPES = {
    core.Sort.HEXES: "Hexes",
    core.Sort.GROUPS: "Groups",
    core.Sort.RANGE: "Groups",
    core.Sort.TRUTH: "bool",
}
"""What the functions of the runtime call the sorts; any other is a number."""
CUTS = ("&(hexes,hexes)", "-(hexes,hexes)")
EACH = "each(hexes)"
"""The word that makes groups of what a loop answers."""
STARTS = {
    "most(number)": "0", "least(number)": "0", "sum(number)": "0", "any(truth)": "False",
    "all(truth)": "True", "union(hexes)": "nothing()", "count(truth)": "0",
}  # fmt: skip


@cache
def pattern_of(word: str) -> str | None:
    """How a word is written, by its key; None if the kernel has no form of it.

    A word that is not put together of others is the function of the runtime with its name, if
    that takes the same sorts.
    """
    name, _, taken = word.removesuffix(")").partition("(")
    if word in PLAIN or name not in FUNCTIONS:
        return PLAIN.get(word)
    sorts = [core.Sort(sort) for sort in taken.split(",") if sort]
    parameters = [*signature(FUNCTIONS[name]).parameters.values()]
    values = [each for each in parameters if each.name not in ("M", "me")]
    if [each.annotation for each in values] != [RUNTIME_TYPES.get(sort, "int") for sort in sorts]:
        return None
    texts = [f"{{{number}}}" for number in range(len(values))]
    return f"{name}({', '.join([*_before(parameters), *texts])})"


def _before(parameters: list[Parameter]) -> list[str]:
    """What a function takes before the arguments: the memory, and the player."""
    known = {"M": "M", "me": "{me}"}
    return [known[each.name] for each in parameters if each.name in known]


SUM = "sum(number)"
OF_STEPS = ("can ", "room ")
NONE_OF = {
    core.Sort.HEXES: "nothing()",
    core.Sort.GROUPS: "(0, 0)",
    core.Sort.PLAYERS: "M[PLAYERS]",
    **dict.fromkeys(core.LISTS, "record_of(M, -1)"),
}
"""How it is written that there are none of these."""


class ExpressionLowering:
    """Writes the expressions of one plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.catalog = plan.ruleset.catalog
        self.functions: list[writing.FunctionWriter] = []
        self.hoisted: dict[object, tuple[str, core.Expr]] = {}
        memories = [each for each in plan.ruleset.declarations if isinstance(each, Memory)]
        self._sets = {each.name.text for each in memories if each.sort.text == "hexes"}
        self._shared: dict[object, writing.FunctionWriter] = {}
        self._special: dict[str, Callable[[core.Call, writing.KernelScope], str]] = {
            "quantity": self._quantity,
            "memory": self._memory,
            "repeated()": lambda call, scope: scope.value(writing.REPEATED),
            "required()": lambda call, scope: (
                f"({scope.me} == M[ACTIVE] and {scope.value(writing.REQUIRED)})"
            ),
            "neutral()": lambda call, scope: neutral_pieces(self.catalog),
            "exactly(number)": self._exactly,
            "/(number,number)": self._division,
            "remainder(number,number)": self._division,
            "cards(zone)": self._cards,
            "areas()": lambda call, scope: areas(self.catalog, scope.fn),
            "terrains()": partial(self._kinds, False),
            "place_kinds()": partial(self._kinds, True),
            "piece_kinds()": lambda call, scope: list_of(
                (i for i, piece in enumerate(self.catalog.pieces) if not piece.neutral),
                "True",
                scope.fn,
            ),
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

    def lower(self, expr: core.Expr, scope: writing.KernelScope) -> str:
        """The text of a value; what must be done before stands in lines of the function."""
        with scope.fn.at_place(expr.span):
            return self._lower(expr, scope)

    def _lower(self, expr: core.Expr, scope: writing.KernelScope) -> str:
        if self._is_hoisted(expr, scope):
            return self._constant(expr)
        match expr:
            case core.Lit():
                return self._literal(expr)
            case core.Var(sort=sort, name=name):
                return scope.value((name, sort))
            case core.Conditional():
                return self._choice(expr, scope)
            case core.Fold():
                return self._fold(expr, scope)
            case core.Call(word=word) if word in evaluation.CONNECTIVES:
                return self._connective(expr, scope)
            case core.Call():
                return self._call(expr, scope)
        raise writing.NotLowered("an expression of another kind")

    def _is_hoisted(self, expr: core.Expr, scope: writing.KernelScope) -> bool:
        """Whether a value was hoisted to the board and is read from there."""
        is_direct = isinstance(expr, core.Call) and expr.word in DIRECT_LOADS
        if is_direct and all(isinstance(each, core.Lit) for each in core.parts_of(expr)):
            return False
        return depends_on_board_only(expr) and (scope.is_laid or depends_on_grid_only(expr))

    def _literal(self, lit: core.Lit) -> str:
        if not lit.value and lit.sort in NONE_OF:
            return NONE_OF[lit.sort]
        if lit.sort is core.Sort.HEXES:
            return self._unknown("a set written out", lit)
        if lit.value is None:
            return "0"
        if isinstance(lit.value, tuple):
            return "(" + ", ".join(str(int(part)) for part in lit.value) + ")"
        if isinstance(lit.value, str):
            return self._unknown(f"`{lit.value}` as a value", lit)
        return str(bool(lit.value)) if lit.sort is core.Sort.TRUTH else str(int(lit.value))

    def _unknown(self, what: str, expr: core.Expr) -> str:
        raise writing.NotLowered(what, expr.span)

    def _constant(self, expr: core.Expr) -> str:
        """What a board fixes lies in the memory."""
        key = core.identity(expr)
        if key not in self.hoisted:
            self.hoisted[key] = (f"FIXED_{len(self.hoisted)}", expr)
        name = self.hoisted[key][0]
        if expr.sort is core.Sort.HEXES:
            return f"load(M, {name})"
        if expr.sort in (core.Sort.GROUPS, core.Sort.RANGE):
            return f"(M[{name}], M[{name} + 1])"
        return f"(M[{name}] != 0)" if expr.sort is core.Sort.TRUTH else f"M[{name}]"

    def _call(self, call: core.Call, scope: writing.KernelScope) -> str:
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

    def _of_step(self, call: core.Call, scope: writing.KernelScope) -> str:
        """Whether a step can be done at all, and where there is room for it: functions by name."""
        texts = [scope.fn.local(self.lower(part, scope)) for part in call.arguments]
        return f"{call.word.replace(' ', '_')}({', '.join(['M', scope.me, *texts])})"

    def _cut(self, pattern: str, first: str, second: core.Expr, scope: writing.KernelScope) -> str:
        """A set cut down: nothing is evaluated if there is nothing to cut."""
        name = scope.fn.new_local(first)
        with scope.fn.block(f"if some({name}):"):
            scope.fn.line(f"{name} = {pattern.format(name, self.lower(second, scope))}")
        return name

    def _is_heavy(self, expr: core.Expr) -> bool:
        if depends_on_board_only(expr):
            return False
        if isinstance(expr, core.Fold) or (isinstance(expr, core.Call) and expr.word in HEAVY):
            return True
        return any(map(self._is_heavy, core.parts_of(expr)))

    def _connective(self, call: core.Call, scope: writing.KernelScope) -> str:
        """`and`, `or`: the second operand is evaluated only if the first does not decide."""
        stops = evaluation.CONNECTIVES[call.word]
        first, second = call.arguments
        name = scope.fn.new_local(self.lower(first, scope))
        with scope.fn.block(f"if not {name}:" if stops else f"if {name}:"):
            scope.fn.line(f"{name} = {self.lower(second, scope)}")
        return name

    def _choice(self, choice: core.Conditional, scope: writing.KernelScope) -> str:
        test = self.lower(choice.condition, scope)
        name = scope.fn.new_local()
        with scope.fn.block(f"if {test}:"):
            scope.fn.line(f"{name} = {self.lower(choice.value, scope)}")
        with scope.fn.block("else:"):
            scope.fn.line(f"{name} = {self.lower(choice.other, scope)}")
        return name

    # folds

    def _fold(self, fold: core.Fold, scope: writing.KernelScope) -> str:
        if fold.word == EACH:
            return self._each(fold, scope)
        if fold.word not in STARTS:
            return self._unknown(f"the word `{fold.word}`", fold)
        fn = scope.fn
        found, is_first = fn.new_local(STARTS[fold.word]), fn.new_local("True")
        for item in self.items(fold.domain, scope):
            top = fn.new_local("M[SCRATCH]")
            inner = scope.bound(**{fold.variable: item})
            with fn.block(f"if {self.test(fold.condition, inner)}:"):
                self._accumulate(fold.word, found, is_first, self.lower(fold.body, inner), fn)
            fn.line(f"M[SCRATCH] = {top}")
        return f"bounded({found})" if fold.word == SUM else found

    def _accumulate(
        self, word: str, found: str, is_first: str, value: str, fn: writing.FunctionWriter
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

    def _each(self, fold: core.Fold, scope: writing.KernelScope) -> str:
        fn = scope.fn
        domain = fn.new_local(self.lower(fold.domain, scope))
        most = pattern_of(f"count({fold.domain.sort})") or ""
        at = fn.new_local(f"allocate_scratch(M, {most.format(domain)} * W)")
        number = fn.new_local("0")
        for item in self.items(fold.domain, scope, domain):
            inner = scope.bound(**{fold.variable: item})
            with fn.block(f"if {self.test(fold.condition, inner)}:"):
                fn.line(f"store(M, {at} + {number} * W, {self.lower(fold.body, inner)})")
                fn.line(f"{number} += 1")
        return f"({at}, {number})"

    def items(
        self, domain: core.Expr, scope: writing.KernelScope, known: str = ""
    ) -> Iterator[str]:
        """The lines written while an item is named are done for each item of a domain."""
        fn = scope.fn
        match domain.sort:
            case core.Sort.GROUPS:
                among, i = known or fn.new_local(self.lower(domain, scope)), fn.new_local("0")
                with fn.block(f"for {i} in range({among}[1]):"):
                    yield fn.new_local(f"load(M, {among}[0] + {i} * W)")
            case core.Sort.HEXES:
                left = fn.new_local(self.lower(domain, scope))
                with fn.block(f"while some({left}):"):
                    item = fn.new_local(f"foremost({left})")
                    fn.line(f"{left} = {left} & ~{item}")
                    yield item
            case core.Sort.PLAYERS:
                i = fn.new_local("0")
                first = known or self.lower(domain, scope)
                with fn.block(f"for {i} in range({first}, M[PLAYERS]):"):
                    yield fn.new_local(f"({scope.me} + {i}) % M[PLAYERS]")
            case sort if sort in core.LISTS:
                at, i = known or fn.new_local(self.lower(domain, scope)), fn.new_local("0")
                with fn.block(f"for {i} in range(M[{at}]):"):
                    yield fn.new_local(f"M[{at} + 1 + {i}]")
            case _:
                self._unknown("a loop over such things", domain)

    def each(
        self,
        variable: str,
        domain: core.Expr,
        guard: core.Expr | None,
        scope: writing.KernelScope,
    ) -> Iterator[writing.KernelScope]:
        """The lines written in a scope are done for each item for which the guard is true."""
        for item in self.items(self.plan.folded(domain), scope):
            inner = scope.bound(**{variable: item})
            with scope.fn.block(f"if {self.test(guard, inner)}:"):
                yield inner

    # words that need more than a call

    def _quantity(self, call: core.Call, scope: writing.KernelScope) -> str:
        """A set-up number and all that increases or decreases it now."""
        name = self._name_in(call)
        fn = scope.fn
        value = fn.new_local(str(self.catalog.numbers[name]))
        for change, owner in self.plan.changes_by_quantity.get(name, ()):
            with (
                fn.block(f"if {self.owned(owner.tile, owner.card, scope.me)}:"),
                fn.block(f"if {self.test(change.guard, scope)}:"),
            ):
                fn.line(f"{value} += {self.text(change.amount, scope)}")
        return fn.new_local(f"max(0, {value})")

    def owned(self, tile: int, card: int, me: str) -> str:
        """What must be true for a statement of a tile or a card to matter to a player."""
        tests = [f"held(M, {me}, {tile}) > 0"] if tile >= 0 else []
        tests += [f"M[IN_PLAY + {card}] == 1"] if card >= 0 else []
        return " and ".join(tests) or "True"

    def text(self, expr: core.Expr, scope: writing.KernelScope) -> str:
        """The text of an expression of a rule, as options decide it."""
        return self.lower(self.plan.folded(expr), scope)

    def test(self, guard: core.Expr | None, scope: writing.KernelScope) -> str:
        """The text of a condition; without one it is true."""
        return "True" if guard is None else self.text(guard, scope)

    def _name_in(self, call: core.Call) -> str:
        first = call.arguments[0]
        assert isinstance(first, core.Lit)
        return str(first.value)

    def is_set(self, name: str) -> bool:
        """Whether the memory of a name is a set of hexes."""
        return name in self._sets

    def place_of(self, name: str, me: str) -> str:
        """Where the memory of a name lies."""
        scope, slot = self.plan.ruleset.memories[name]
        return f"MEMORY_{slot}" if scope == "table" else f"seat_of({me}) + MEMORY_{slot}"

    def _memory(self, call: core.Call, scope: writing.KernelScope) -> str:
        at = self.place_of(self._name_in(call), scope.me)
        return f"load(M, {at})" if call.sort is core.Sort.HEXES else f"M[{at}]"

    def _kind(self, call: core.Call, scope: writing.KernelScope) -> str:
        kind = call.arguments[0]
        if isinstance(kind, core.Lit) and kind.value >= 0:
            return f"load(M, KINDS + {kind.value} * W)"
        return f"kind_hexes(M, {self.lower(kind, scope)})"

    def _kinds(self, are_places: bool, _call: core.Call, scope: writing.KernelScope) -> str:
        """A list of the terrains that lie on the board, or of the kinds of place."""
        kinds = (i for i, kind in enumerate(self.catalog.hexes) if kind.is_place is are_places)
        return list_of(kinds, "some(load(M, KINDS + {} * W))", scope.fn)

    def _exactly(self, call: core.Call, scope: writing.KernelScope) -> str:
        name = scope.fn.local(self.lower(call.arguments[0], scope))
        return f"({name}, {name})"

    def _division(self, call: core.Call, scope: writing.KernelScope) -> str:
        one, other = (scope.fn.local(self.lower(part, scope)) for part in call.arguments)
        sign = "//" if call.word.startswith("/") else "%"
        return f"({one} {sign} {other} if {other} else 0)"

    def _cards(self, call: core.Call, scope: writing.KernelScope) -> str:
        zone = self._name_in(call)
        return f"cards_in(M, {ZONES.index(zone)})" if zone in ZONES else "M[SHOWN]"

    def _ends(self, call: core.Call, scope: writing.KernelScope) -> str:
        """The ends of groups; those of the lines of a set are found without listing them."""
        of = call.arguments[0]
        if (
            isinstance(of, core.Call)
            and of.word == "lines(hexes,range)"
            and not depends_on_board_only(of)
        ):
            texts = [self.lower(part, scope) for part in of.arguments]
            return f"line_ends(M, {', '.join(texts)})"
        return f"ends(M, {self.lower(of, scope)})"

    # norms

    def shared(self, expr: core.Expr, scope: writing.KernelScope, kind: str) -> str:
        """A call of a function of its own for an expression that is evaluated in many places."""
        key = (kind, core.identity(expr))
        if key not in self._shared:
            self._shared[key] = self.function(expr, f"{kind}_{len(self._shared)}")
        return scope.call(self._shared[key], "M", scope.me)

    def function(self, expr: core.Expr, name: str) -> writing.FunctionWriter:
        """Write a function that answers an expression to a player, with the names it reads."""
        fn = writing.FunctionWriter(name, "M, me", RUNTIME_TYPES.get(expr.sort, ""))
        with fn.at_place(expr.span):
            fn.line(f"return {self.lower(expr, writing.KernelScope(fn, 'me', asks=True))}")
        self.functions.append(fn)
        return fn

    def _opening(self, verb: str, scope: writing.KernelScope) -> str:
        return self.shared(self.plan.folded(self.plan.open_expr(verb)), scope, "open")

    def _open(self, call: core.Call, scope: writing.KernelScope) -> str:
        return self._opening(self._name_in(call), scope)

    def _forbidden(self, call: core.Call, scope: writing.KernelScope) -> str:
        forbidden = self.plan.norms(self._name_in(call)).forbids_all
        return self.shared(self.plan.folded(forbidden), scope, "forbidden")

    def _dead(self, call: core.Call, scope: writing.KernelScope) -> str:
        """Which card face up is the first with no hex open for a verb."""
        verb, fn = self._name_in(call), scope.fn
        found = fn.new_local("0")
        with fn.block(f"if M[SHOWN] > 0 and not some({self._opening(verb, scope)}):"):
            with fn.block("if terrain_played(M) != -1:"):
                fn.line(f"{found} = 1")
            with fn.block("else:"):
                i, at = fn.new_local("0"), fn.new_local("0")
                with fn.block(f"while {found} == 0 and {i} < M[SHOWN]:"):
                    fn.line(f"{at} = SHOWS + M[SHOWN + 1 + {i}] * SHOWS_SIZE")
                    is_open = self._any_open(verb, at, "-1", scope)
                    fn.line(f"{i} += 1")
                    with fn.block(f"if not {is_open}:"):
                        fn.line(f"{found} = {i}")
        return found

    def _stuck(self, call: core.Call, scope: writing.KernelScope) -> str:
        """Whether the terrain chosen has no hex open, but another of the same card has."""
        verb, fn = self._name_in(call), scope.fn
        found = fn.new_local("False")
        with fn.block(f"if M[CHOICE] != -1 and not some({self._opening(verb, scope)}):"):
            at = fn.new_local("SHOWS + M[SHOWN + 1] * SHOWS_SIZE")
            chosen = fn.new_local("M[CHOICE]")
            fn.line(f"{found} = {self._any_open(verb, at, chosen, scope)}")
        return found

    def all_cards_dead(self, verb: str, scope: writing.KernelScope) -> str:
        """Whether there are cards to draw, and none of them shows a hex open for a verb."""
        fn = scope.fn
        found = fn.new_local("cards_in(M, 0) + cards_in(M, 1) > 0")
        card, at = fn.new_local("0"), fn.new_local("0")
        with fn.block(f"while {found} and {card} < CARDS_KINDS:"):
            with fn.block(f"if M[PILES + {card}] + M[PILES + CARDS_KINDS + {card}] > 0:"):
                fn.line(f"{at} = SHOWS + {card} * SHOWS_SIZE")
                with fn.block(f"if {self._any_open(verb, at, '-1', scope)}:"):
                    fn.line(f"{found} = False")
            fn.line(f"{card} += 1")
        return found

    def _any_open(self, verb: str, at: str, but: str, scope: writing.KernelScope) -> str:
        """Whether a card, of which the record lies there, has a terrain with a hex open."""
        fn = scope.fn
        is_open, choice, j = fn.new_local("False"), fn.new_local("M[CHOICE]"), fn.new_local("0")
        with fn.block(f"for {j} in range(M[{at}]):"), fn.block(f"if M[{at} + 1 + {j}] != {but}:"):
            fn.line(f"M[CHOICE] = M[{at} + 1 + {j}]")
            fn.line(f"{is_open} = {is_open} or some({self._opening(verb, scope)})")
        fn.line(f"M[CHOICE] = {choice}")
        return is_open
