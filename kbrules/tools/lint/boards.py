"""Sets of which the board alone decides, and maps that would play badly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from operator import and_, or_
from typing import TYPE_CHECKING

from kbrules.diagnostics import Diagnostic, Label, quoted
from kbrules.game.board import Board
from kbrules.hex.grid import Grid
from kbrules.hex.sets import Mask, Part, bits, lowest
from kbrules.lang import evaluation, typed as core
from kbrules.lang.typed import Sort
from kbrules.library.boards.tables import Section, grid_of, lay_section
from kbrules.library.box import Box
from kbrules.plan.plan import MAX_BITS
from kbrules.primitives.vocabulary import step_words
from kbrules.text import Span
from kbrules.tools.lint import algebra, constant
from kbrules.tools.lint.subject import EXPRESSIONS, Subject, lint, statements_of
from kbrules.tools.tracing import Operand, Places, operands_of, operator_kind, operators_of

if TYPE_CHECKING:
    from kbrules.tools.lint.formed_boards import Boards


# The selected maps, made into boards one by one, with the place of each hex in its file.


@dataclass(frozen=True, slots=True, eq=False)
class Map:
    """A section lying upright by itself, and the box whose file draws it."""

    box: Box
    section: Section
    board: Board

    @property
    def is_on_table(self) -> bool:
        """Whether it lies on the table, beside others, and not on a grid of its own."""
        return not self.section.grid

    @property
    def places(self) -> Mask:
        """The hexes that are places and no terrain."""
        kinds = zip(self.board.catalog.hexes, self.board.kinds, strict=True)
        return reduce(or_, (mask for kind, mask in kinds if kind.is_place), 0)

    @property
    def rim(self) -> Mask:
        """The hexes at its edge: those that have not six neighbours."""
        grid = self.board.grid
        hexes = (1 << hex for hex in bits(grid.full))
        return sum(hex for hex in hexes if grid.neighbours(hex).bit_count() < constant.NEIGHBOURS)

    def span(self, hexes: Mask) -> Span:
        """Where the first of some hexes is drawn."""
        _, row, column = self.board.grid.address(lowest(hexes))
        return self.box.drawn("sections", self.section.id, "rows").rows()[row][column].span


def maps(subject: Subject) -> list[Map]:
    """The maps of the selected data files."""
    known = subject.ruleset.parts.sections
    sections = [
        (box, known[id]) for box in subject.boxes for id in box.model.sections if id in known
    ]
    return [
        Map(box, section, lay_section(subject.catalog, section, False))
        for box, section in sections
        if section.span.source is box.document.source
    ]


def pockets(map: Map, ground: Mask) -> Iterator[Mask]:
    """The stretches of ground that neither reach the rim of a map nor touch the rest of it."""
    grid, rim = map.board.grid, map.rim
    while ground:
        pocket = ground & -ground
        while (larger := (pocket | grid.neighbours(pocket)) & ground) != pocket:
            pocket = larger
        ground &= ~pocket
        if not pocket & rim:
            yield pocket


# The places of expressions in a rule: its conditions, domains and targets.


@dataclass(frozen=True, slots=True)
class ExpressionUse:
    """An expression, and what hangs on it: `never` says what follows if it never holds."""

    expr: core.Expr
    consequence: str


def in_force(subject: Subject) -> tuple[core.Rule, ...]:
    """The selected rules, without those that others replace."""
    return tuple(o.rule for o in subject.ruleset.owners.values() if subject.concerns(o.rule.span))


def conditions(rule: core.Rule) -> Iterator[ExpressionUse]:
    """Everything in a rule that holds or does not."""
    yield from _guards(rule)
    for step in steps_in(rule):
        if isinstance(step, core.If):
            yield ExpressionUse(step.condition, "so what follows it is never done")
        elif isinstance(step, core.Each) and step.guard is not None:
            yield ExpressionUse(step.guard, "so the loop never does anything")
    for expr in expressions_of(rule):
        if isinstance(expr, core.Conditional):
            yield ExpressionUse(expr.condition, "so only the other value is ever used")
        elif isinstance(expr, core.Fold) and expr.condition is not None:
            yield ExpressionUse(expr.condition, "so nothing is ever left")


def _guards(rule: core.Rule) -> Iterator[ExpressionUse]:
    guarded = (
        (rule.norms, "so this norm never applies"),
        (rule.changes, "so nothing is ever added"),
        (rule.awards, "so nothing is ever paid"),
        (rule.triggers, "so what follows never happens"),
        (rule.actions, "so the action can never be offered"),
        (rule.phases, "so it is never done"),
    )
    for owners, consequence in guarded:
        for owner in owners:
            if owner.guard is not None:
                yield ExpressionUse(owner.guard, consequence)
    for whenever in rule.whenevers:
        yield ExpressionUse(whenever.condition, "so what follows is never done")
    for award in rule.awards:
        for _, _, guard in award.loops:
            if guard is not None:
                yield ExpressionUse(guard, "so nothing is ever paid")


def steps_in(rule: core.Rule) -> Iterator[core.Statement]:
    """Every step of a rule, outer ones first."""
    for block in rule.blocks():
        yield from block.steps


def domains(rule: core.Rule) -> Iterator[ExpressionUse]:
    """Everything that steps of a rule run over, or how often they are done."""
    for step in steps_in(rule):
        if isinstance(step, core.Each):
            yield ExpressionUse(step.domain, "so the loop never does anything")
        elif isinstance(step, core.Repeat):
            yield ExpressionUse(step.times, "so what follows is never done")


def targets_in(block: core.Block) -> Iterator[core.Expr]:
    """The sets that the steps of a block itself ask hexes of."""
    for step in block.steps:
        if isinstance(step, core.Step):
            yield from targets_of(step)


def targets_of(step: core.Step) -> Iterator[core.Expr]:
    """The sets that a step asks hexes of."""
    word = step_words()[step.name]
    names = [parameter.name for parameter in word.signature.parameters]
    for phrase in word.asks:
        expr = step.arguments[names.index(phrase.phrase)]
        if expr is not None:
            yield expr


def expressions_of(rule: core.Rule) -> Iterator[core.Expr]:
    """Every expression of a rule, outer ones first."""
    return (part for part in core.nodes_in(statements_of(rule)) if type(part) in EXPRESSIONS)


def options_in(rule: core.Rule) -> set[str]:
    """The options that have a say in a rule."""
    return {name for expr in expressions_of(rule) if (name := _option(expr))}


def is_about_options(expr: core.Expr) -> bool:
    """Whether an option has a say in it; at one table it is then always the same."""
    return any(map(_option, core.nodes_in(expr)))


def _option(expr: object) -> str:
    """The name of an option, if an expression is one."""
    if not isinstance(expr, core.Call) or expr.word != "option" or not expr.arguments:
        return ""
    name = expr.arguments[0]
    return str(name.value) if isinstance(name, core.Lit) else ""


# Sets of which the board alone decides, looked at on the boards that the sections can form.

Values = Sequence[Sequence[int]]
"""For each of some operands the set that is left by it, on each of the boards."""


def formed_boards(subject: Subject) -> Boards | None:
    """The boards to look at; None if there is no section to form one of, or none is wanted."""
    from kbrules.tools.lint.formed_boards import (
        Boards,  # slow to load, and seldom needed
    )

    ruleset = subject.ruleset
    rows, columns = ruleset.parts.table
    on_table = [each for each in ruleset.parts.sections.values() if not each.grid]
    if not in_force(subject) or len(on_table) < rows * columns:
        return None
    boards = Boards(ruleset, subject.samples, subject.check_cancelled)
    return boards if boards.views else None


@lint("KB737", needs="boards")
def empty_on_boards(subject: Subject) -> Iterator[Diagnostic]:
    """Hexes there are none of, on whatever board."""
    for call, parts, values, boards in _operands(subject, evaluation.INTERSECTION):
        least = [parts[index] for index in _empty_operands(values)]
        if least:
            texts = [
                ("no " if part.is_taken_away else "") + quoted(part.expr.span.text)
                for part in least
            ]
            why = f"none is {texts[0]}" if len(texts) == 1 else f"no hex is {' and '.join(texts)}"
            message = f"{quoted(call.span.text)} is empty on {boards.description}: {why}"
            help_ = "draw such a hex on some map, or say it otherwise"
            yield Diagnostic("KB737", call.span, message, help_, claim=boards.claim)


def _operands(
    subject: Subject, kind: str
) -> Iterator[tuple[core.Call, list[Operand], list[list[int]], Boards]]:
    """Yield the operands of which the board alone decides, of each expression that joins some.

    With them come their values, and the boards on which they have these.
    """
    boards, inner_ids = subject.shared(formed_boards), set[int]()
    if boards is None:
        return
    places = subject.shared(_operator_places)
    for expr in (each for rule in in_force(subject) for each in expressions_of(rule)):
        if isinstance(expr, core.Call) and operator_kind(expr.word) == kind:
            if id(expr) not in inner_ids:
                every = operands_of(expr, places)
                if parts := [part for part in every if _depends_on_board_only(part.expr)]:
                    yield expr, parts, [_values(subject, part, boards) for part in parts], boards
            inner_ids |= _inner_operators(expr, kind)


def _operator_places(subject: Subject) -> Places:
    return operators_of(subject.ruleset.declarations)


def _inner_operators(call: core.Call, kind: str) -> set[int]:
    """Return the arguments that join the same operands."""
    calls = [each for each in call.arguments if isinstance(each, core.Call)]
    return {id(each) for each in calls if operator_kind(each.word) == kind}


def _depends_on_board_only(expr: core.Expr) -> bool:
    if isinstance(expr, core.Lit) or is_about_options(expr) or expr.sort is not Sort.HEXES:
        return False
    return core.is_fixed(expr)


def _values(subject: Subject, part: Operand, boards: Boards) -> list[int]:
    """What is left by an operand, on each board."""
    known_values = subject.shared(_known_values)
    values = known_values.get(expr_key := algebra.key(part.expr))
    if values is None:
        node = subject.ruleset.evaluate.linked(part.expr)
        values = known_values[expr_key] = [node.value(view) for view in boards.views]
    full = [view.board.grid.full for view in boards.views]
    if not part.is_taken_away:
        return values
    return [board & ~value for board, value in zip(full, values, strict=True)]


def _known_values(_subject: Subject) -> dict[algebra.Key, list[int]]:
    """What was worked out of expressions; those that say the same are one."""
    return {}


def _empty_operands(values: Values) -> list[int]:
    """Operands, as few as can be, that leave nothing on any board; none if something is left."""
    least = list(range(len(values)))
    if not _is_empty(values, least):
        return []
    for index in list(least):
        fewer = [other for other in least if other != index]
        if fewer and _is_empty(values, fewer):
            least = fewer
    return least


def _is_empty(values: Values, least: Sequence[int]) -> bool:
    return not any(reduce(and_, each) for each in zip(*(values[i] for i in least), strict=True))


@lint("KB738", needs="boards")
def idle_on_boards(subject: Subject) -> Iterator[Diagnostic]:
    """An operand that another one makes needless on every board."""
    for kind, join in ((evaluation.INTERSECTION, and_), (evaluation.UNION, or_)):
        for _, parts, values, boards in _operands(subject, kind):
            # Where nothing is left, everything is needless; of two that say the same, one is not.
            idle = None if _empty_operands(values) else next(_idle(values, join), None)
            if idle is not None:
                span = parts.pop(idle).expr.span
                others = " and ".join(quoted(part.expr.span.text) for part in parts)
                message = f"{quoted(span.text)} makes no difference beside {others}"
                message += f" on {boards.description}"
                yield Diagnostic("KB738", span, message, "leave it out", claim=boards.claim)


def _idle(values: Values, join: Callable[[int, int], int]) -> Iterator[int]:
    """The operands without which the others come to the same, on every board."""
    for index in range(len(values)) if len(values) > 1 else ():
        others = [each for other, each in enumerate(values) if other != index]
        rest = [reduce(join, each) for each in zip(*others, strict=True)]
        if all(join(a, b) == b for a, b in zip(values[index], rest, strict=True)):
            yield index


# Maps that would play badly: places at the rim or side by side, hexes nobody gets to, twins.

_SMALL = 2  # hexes
TileRows = tuple[tuple[str, ...], ...]


@lint("KB730", needs="boards")
def place_at_rim(subject: Subject) -> Iterator[Diagnostic]:
    """Places at the rim of a section of the table."""
    for each in subject.shared(maps):
        hexes = each.places & each.rim if each.is_on_table else 0
        for hex in bits(hexes):
            message = f"the place {quoted(each.board.grid.name(hex))} lies at the rim of this map"
            help_ = "draw it further in: beside another section two places could touch"
            yield Diagnostic("KB730", each.span(1 << hex), message, help_)


@lint("KB731", needs="boards")
def places_touch(subject: Subject) -> Iterator[Diagnostic]:
    """Places side by side."""
    for each in subject.shared(maps):
        places = each.places
        for hex in bits(places):
            later = each.board.grid.neighbours(1 << hex) & places & -(1 << hex)
            if later:
                name = quoted(each.board.grid.name(hex))
                message = f"the place {name} touches {_hex_list(each, later)}"
                labels = (Label(each.span(later), "this one"),)
                help_ = "draw them apart: one piece would get the good of both"
                yield Diagnostic("KB731", each.span(1 << hex), message, help_, labels)


def _hex_list(each: Map, hexes: Mask) -> str:
    """Some hexes by name, a few of them if they are many."""
    names = [quoted(name) for name in each.board.names(hexes)]
    return ", ".join(names[:4]) + (" and others" if len(names) > 4 else "")


@lint("KB732", needs="boards")
def pocket(subject: Subject) -> Iterator[Diagnostic]:
    """Ground that is walled in: a hex or two, or all that a map has of a terrain."""
    terrains = {terrain for card in subject.catalog.deck for terrain in card.terrains}
    for each in subject.shared(maps):
        ground = reduce(or_, (each.board.kinds[terrain] for terrain in terrains), 0)
        for hexes in pockets(each, ground):
            kinds = zip(subject.catalog.hexes, each.board.kinds, strict=True)
            missing = [kind.id for kind, mask in kinds if mask & hexes and not mask & ~hexes]
            number = hexes.bit_count()
            if missing or number <= _SMALL:
                what = "1 hex is" if number == 1 else f"{number} hexes are"
                message = f"{what} walled in: {_hex_list(each, hexes)}"
                message += f", with all the {quoted(missing[0])} of this map" if missing else ""
                help_ = "open a way to other ground, or to the rim; pieces spread from hex to hex"
                yield Diagnostic("KB732", each.span(hexes), message, help_)


@lint("KB733", needs="boards")
def no_such_ground(subject: Subject) -> Iterator[Diagnostic]:
    """A terrain of the cards that no map has."""
    sections = subject.ruleset.parts.sections.values()
    letters = {letter for section in sections for row in section.rows for letter in row}
    for box in subject.boxes if sections else ():
        for index, card in enumerate(box.model.deck):
            for id in card.terrains:
                kind = subject.catalog.hexes[subject.catalog.hex_index(id)]
                if kind.letter not in letters:
                    message = f"cards show {quoted(id)}, but no map that is loaded has any"
                    help_ = f"draw some ({quoted(kind.letter)}), or take the cards out of the deck"
                    yield Diagnostic("KB733", box.span("deck", index), message, help_)


@lint("KB734", needs="boards")
def too_small(subject: Subject) -> Iterator[Diagnostic]:
    """Boards with fewer hexes than the players have pieces of the main kind."""
    parts, catalog = subject.ruleset.parts, subject.catalog
    sizes = sorted(len(each.cells) for each in parts.sections.values() if not each.grid)
    needed = parts.table[0] * parts.table[1]
    if not catalog.pieces or len(sizes) < needed:
        return
    main, most = catalog.pieces[0], parts.players[1]
    smallest, pieces = sum(sizes[:needed]), most * main.supply
    for box in subject.boxes:
        if main.id in box.model.pieces and smallest < pieces:
            message = f"{most} players have {pieces} pieces {quoted(main.id)}, "
            message += f"but the smallest board has {smallest} hexes"
            help_ = "lessen the supply or the players, or make the sections larger"
            yield Diagnostic("KB734", box.span("pieces", main.id), message, help_)


@lint("KB748", needs="boards")
def too_large_natively(subject: Subject) -> Iterator[Diagnostic]:
    """Boards that only the engines in plain Python play."""
    size = _table(subject).full.bit_length()
    for box in subject.boxes:
        if size > MAX_BITS and (box.model.table or box.model.section):
            span = box.span("table" if box.model.table else "section")
            message = f"a set of hexes of this table has {size} bits; native code has {MAX_BITS}"
            help_ = "make the table smaller, or play it without `--fast`: nothing else is wrong"
            yield Diagnostic("KB748", span, message, help_)


def _table(subject: Subject) -> Grid:
    """The grid of the largest table: its sections, and the largest on each grid beside it."""
    parts = subject.ruleset.parts
    (rows, columns), (height, width) = parts.table, parts.section_size
    beside: dict[str, tuple[int, int]] = {}
    for section in parts.sections.values():
        if section.grid:
            size = len(section.rows), max(map(len, section.rows))
            beside[section.grid] = max(size, beside.get(section.grid, size))
    sizes = {"": (rows * height, columns * width), **beside}
    return grid_of(tuple(Part.rectangle(*size, name) for name, size in sizes.items()))


@lint("KB735", needs="boards")
def same_maps(subject: Subject) -> Iterator[Diagnostic]:
    """Two sections with one and the same map, or each the other turned."""
    for first, second in combinations([each.section for each in subject.shared(maps)], 2):
        turned = {_rotated(_tile_rows(first)): ", turned", _tile_rows(first): ""}.get(
            _tile_rows(second)
        )
        if turned is not None and first.grid == second.grid:
            message = f"the map {quoted(second.id)} is that of {quoted(first.id)}{turned}"
            labels = (Label(first.span, "the other one"),)
            help_ = "a map that is there twice makes for fewer boards; draw another"
            yield Diagnostic("KB735", second.span, message, help_, labels)


@lint("KB736", needs="boards")
def turned_is_same(subject: Subject) -> Iterator[Diagnostic]:
    """A section that turning does not change."""
    for each in subject.shared(maps):
        rows = _tile_rows(each.section)
        is_varied = len({kind for row in rows for kind in row}) > 1
        if each.is_on_table and is_varied and rows == _rotated(rows):
            message = f"the map {quoted(each.section.id)} is the same when it is turned"
            help_ = "break the symmetry in a hex or two: turned, it could be another board"
            yield Diagnostic("KB736", each.section.span, message, help_)


@lint("KB739", needs="boards")
def tile_on_no_map(subject: Subject) -> Iterator[Diagnostic]:
    """A tile that lies where the maps say, and no map says so."""
    sections = subject.ruleset.parts.sections.values()
    ids = {id for section in sections for id in section.places.values()}
    for box in subject.boxes if sections else ():
        for id, tile in box.model.tiles.items():
            if tile.place and tile.each and not tile.copies and id not in ids:
                message = f"the tile {quoted(id)} lies on no map, so nobody can get it"
                help_ = f'give it a digit on a section: `places: {{"1": {id}}}`, and draw the digit'
                yield Diagnostic("KB739", box.span("tiles", id), message, help_)


def _tile_rows(section: Section) -> TileRows:
    """The rows of a section, with the tile that a digit stands for in its place."""
    return tuple(tuple(section.places.get(sign, sign) for sign in row) for row in section.rows)


def _rotated(rows: TileRows) -> TileRows:
    return tuple(row[::-1] for row in reversed(rows))
