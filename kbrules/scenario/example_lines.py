"""The lines of an example in a rule file: what they set up, and what they claim."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from kbrules.diagnostics import Diagnostic, did_you_mean, quoted
from kbrules.game.board import Catalog
from kbrules.lang.syntax import tree
from kbrules.library.boards.positions import OWNERS, DrawnBoard, parse_position
from kbrules.library.boards.tables import DrawingSource
from kbrules.text import Span

_NONE = "none"
_OWN_TILE = "1"  # the digit of a place with the tile that the example is about
_MAX_SECTOR = 60  # hexes of a sector one way

# A mark `+` is a hex that is offered. A mark `<` is a piece of `a` that is lifted, drawn or not;
# then `+` is where it may go. A mark `!` is a hex that is chosen before gold gained is counted. The
# digit `1` draws a place with the tile that the example is about.
EXPECTED, LIFTED, CHOSEN = "+", "<", "!"


@dataclass(frozen=True, slots=True)
class Claim:
    """What a line of an example claims.

    player: who is paid, or wins. value: the gold, or a number of the boxes. name: that number, or
    `none` if nothing is offered.
    """

    span: Span
    player: int = 0
    value: int = 0
    name: str = ""


@dataclass(slots=True)
class ExampleLines:
    """The values of all lines of an example, by the verb of the line; `counts` for numbers.

    sectors: height and width. played, draws: indexes of terrain cards. cards: ids of scoring cards.
    """

    sectors: tuple[int, int] | None = None
    played: list[int] = field(default_factory=list)
    draws: list[int] = field(default_factory=list)
    cards: list[str] = field(default_factory=list)
    gives: list[Claim] = field(default_factory=list)
    gains: list[Claim] = field(default_factory=list)
    counts: list[Claim] = field(default_factory=list)
    offers: list[Claim] = field(default_factory=list)
    wins: list[Claim] = field(default_factory=list)


class _LineError(Exception):
    """Carries the finding about a line that cannot be read."""


def read_example(
    example: tree.Example, rule: str, catalog: Catalog
) -> tuple[ExampleLines, DrawnBoard | None, list[Diagnostic]]:
    """Return the lines of an example of a rule and what it draws, with all errors in them."""
    lines, findings = read_lines(example, catalog)
    position, problems = read_drawing(example, rule, lines, catalog)
    findings += problems
    if position is not None and example.drawing is not None:
        findings += _wrong_marks(position, lines, DrawingSource.of(example.drawing))
    return lines, position, findings


def read_lines(example: tree.Example, catalog: Catalog) -> tuple[ExampleLines, list[Diagnostic]]:
    """The lines of an example, and what is wrong with them, or that there is no drawing."""
    lines = ExampleLines()
    findings: list[Diagnostic] = []
    for line in example.lines:
        try:
            _read_line(line, lines, catalog)
        except _LineError as error:
            findings.append(error.args[0])
    claims = (lines.gives, lines.gains, lines.counts, lines.offers, lines.wins)
    head = example.span.source.at(example.span.line, example.span.column, len("example"))
    if not findings and not any(claims):
        help = "add `offers`, `offers none`, `gives 4`, `gains 4` or `wins a`"
        findings.append(Diagnostic("KB102", head, "this example claims nothing", help))
    if example.drawing is None:
        help = "draw the hexes first, as in `| . .a .`, every second row set in by a blank"
        findings.append(Diagnostic("KB102", head, "this example has no drawing", help))
    return lines, findings


def read_drawing(
    example: tree.Example, rule: str, lines: ExampleLines, catalog: Catalog
) -> tuple[DrawnBoard | None, list[Diagnostic]]:
    """The position that the example of a rule draws, and what is wrong with the drawing.

    The digit `1` is a place with the tile that the rule is about. No drawing has no finding here.
    """
    if example.drawing is None:
        return None, []
    is_on_board = any(tile.id == rule and tile.place for tile in catalog.tiles)
    legend = {_OWN_TILE: rule} if is_on_board else {}
    return parse_position(catalog, example.drawing, legend=legend, sectors=lines.sectors)


def _wrong_marks(
    position: DrawnBoard, lines: ExampleLines, source: DrawingSource
) -> Iterator[Diagnostic]:
    """Marks without a meaning here, or against a line."""
    known = {EXPECTED, LIFTED, *([CHOSEN] if lines.gains else [])}
    for sign in sorted(position.marks.keys() - known):
        message = f"the mark {quoted(sign)} means nothing in an example"
        help = f"mark what is offered by {quoted(EXPECTED)} and a piece to lift by {quoted(LIFTED)}"
        yield Diagnostic("KB110", source.span, message, help)
    if position.marks.get(LIFTED, 0).bit_count() > 1:
        yield Diagnostic("KB110", source.span, "only one piece can be lifted")
    for claim in lines.offers:
        if claim.name and EXPECTED in position.marks:
            message = f"nothing is to be offered, yet hexes are marked {quoted(EXPECTED)}"
            yield Diagnostic("KB110", claim.span, message)
        elif not claim.name and EXPECTED not in position.marks:
            message = f"no hex is marked {quoted(EXPECTED)}"
            yield Diagnostic("KB110", claim.span, message, "write `offers none` if nothing is")


def _read_line(line: tree.Step, lines: ExampleLines, catalog: Catalog) -> None:
    verb = line.verb.text
    if verb in catalog.numbers:
        lines.counts.append(_number_claim(line))
    elif verb not in LINES:
        help = did_you_mean(verb, LINES, "lines are " + ", ".join(_USAGE))
        message = f"{quoted(verb)} is not a line of an example"
        raise _LineError(Diagnostic("KB201", line.verb.span, message, help))
    elif line.guard is not None:
        raise _wrong_form(line)
    elif verb == _SECTORS:
        lines.sectors = _sectors(line)
    else:
        getattr(lines, verb).append(_READERS[verb](line, catalog))


def _wrong_form(line: tree.Step, usage: str = "") -> _LineError:
    verb = line.verb.text
    usage = usage or next(usage for usage in _USAGE if usage.split()[0].strip("`") == verb)
    message = f"{quoted(verb)} is not written like this"
    return _LineError(Diagnostic("KB205", line.span, message, f"write {usage}"))


def _number_claim(line: tree.Step) -> Claim:
    value = _number(line.operand)
    if value is None or line.arguments or line.guard is not None:
        raise _wrong_form(line, f"`{line.verb.text} 3`")
    return Claim(line.span, value=value, name=line.verb.text)


def _sectors(line: tree.Step) -> tuple[int, int]:
    match line:
        case tree.Step(
            operand=tree.Number(value=height),
            arguments=(
                tree.StepArgument(preposition=tree.Word("by"), value=tree.Number(value=width)),
            ),
        ) if 0 < height <= _MAX_SECTOR and 0 < width <= _MAX_SECTOR:
            return height, width
        case _:
            raise _wrong_form(line)


def _terrain_card(line: tree.Step, catalog: Catalog) -> int:
    names = list(_joined_names(line.operand))
    if not names or None in names or line.arguments:
        raise _wrong_form(line)
    name = "+".join(name for name in names if name is not None)
    card = catalog.card_named(name)
    if card is None:
        assert line.operand is not None
        known = [catalog.card_name(index) for index in range(len(catalog.deck))]
        help = did_you_mean(name, known, "cards are " + ", ".join(known))
        raise _unknown("card", name, line.operand.span, help)
    return card


def _joined_names(operand: tree.Expression | None) -> Iterator[str | None]:
    """The names that `+` joins; None for anything else."""
    match operand:
        case tree.Name(text=text):
            yield text
        case tree.Operator(symbol="+", operands=operands):
            for each in operands:
                yield from _joined_names(each)
        case _:
            yield None


def _scoring_card(line: tree.Step, catalog: Catalog) -> str:
    """A scoring card or task that is in play, beside the one that the example is about."""
    name = _name(line)
    if name.text not in catalog.cards:
        help = did_you_mean(name.text, catalog.cards, "load the box that has it")
        raise _unknown("card", name.text, name.span, help)
    return name.text


def _name(line: tree.Step) -> tree.Name:
    if not isinstance(line.operand, tree.Name) or line.arguments:
        raise _wrong_form(line)
    return line.operand


def _unknown(noun: str, name: str, span: Span, help: str) -> _LineError:
    return _LineError(Diagnostic("KB413", span, f"there is no {noun} {quoted(name)}", help))


def _gold_claim(line: tree.Step, catalog: Catalog) -> Claim:
    gold = _number(line.operand)
    if gold is None:
        raise _wrong_form(line)
    match line.arguments:
        case ():
            return Claim(line.span, value=gold)
        case (tree.StepArgument(preposition=tree.Word("to"), value=tree.Name() as name),):
            return Claim(line.span, _player(name), gold)
        case _:
            raise _wrong_form(line)


def _number(operand: tree.Expression | None) -> int | None:
    match operand:
        case tree.Number(value=value):
            return value
        case tree.Operator(symbol="-", operands=(tree.Number(value=value),)):
            return -value
        case _:
            return None


def _player(name: tree.Name) -> int:
    if name.text not in OWNERS or len(name.text) != 1:
        help = f"players are `{OWNERS[0]}` to `{OWNERS[-1]}`, as in the drawing"
        raise _unknown("player", name.text, name.span, help)
    return OWNERS.index(name.text)


def _offer_claim(line: tree.Step, catalog: Catalog) -> Claim:
    match line:
        case tree.Step(operand=None, arguments=()):
            return Claim(line.span)
        case tree.Step(operand=tree.Name(text=name), arguments=()) if name == _NONE:
            return Claim(line.span, name=_NONE)
        case _:
            raise _wrong_form(line)


def _win_claim(line: tree.Step, catalog: Catalog) -> Claim:
    return Claim(line.span, _player(_name(line)))


_SECTORS = "sectors"
_READERS: dict[str, Callable[[tree.Step, Catalog], object]] = {
    "played": _terrain_card, "draws": _terrain_card, "cards": _scoring_card, "gives": _gold_claim,
    "gains": _gold_claim, "offers": _offer_claim, "wins": _win_claim,
}  # fmt: skip
"""The reader of the value of a line by its verb, which is a field of `ExampleLines` as well."""
LINES = frozenset({_SECTORS, *_READERS})
"""What a line of an example begins with, unless it is a number of the boxes."""
_USAGE = (
    "`sectors 2 by 3`", "`played` and a terrain", "`draws` and a terrain", "`cards` and a card",
    "`gives 5`", "`gives 5 to b`", "`gains 5`", "`offers`", "`offers none`", "`wins b`",
)  # fmt: skip
