"""Syntax trees to their one canonical text: no settings, nothing to argue about.

The text depends on the tree alone. Comments are not in the tree: every sentence is written as a
`OutputLine` that knows where it began in its source, and `comments` puts them among the rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass

from kbrules.lang.formatting.expression import slot
from kbrules.lang.formatting.pretty import STEP, WIDTH, Doc, SoftLine, enclosed, flat, render
from kbrules.lang.syntax import tree
from kbrules.text import Span

_TIMES = {1: "once", 2: "twice"}
_DEEPEST = 24  # levels of blocks; the language reads no line that stands further right
_PHRASE = re.compile(r"(from|into|of|with|at(?! least| most)|as|beside|to|by|on)\b(?!\()")
_RANGE = re.compile(r" at (least|most)\b")  # behind a verb: a range, not a phrase
_PLACES = ("span", "head")  # fields that say where, not what

Block = tree.When | tree.Whenever | tree.Each | tree.If | tree.Branch | tree.Repeat | tree.Section


@dataclass(frozen=True, slots=True)
class OutputLine:
    """A sentence as it is printed, perhaps on several lines, and its offset in its source."""

    text: str
    start: int


def format_module(declarations: Sequence[tree.Declaration]) -> str:
    """The canonical text of the declarations of a file; it parses back to the same trees.

    Four blanks per level, lines of up to 100 columns as far as parentheses let them break, and
    a blank line between declarations except between two options or two memories of one line. Raises
    ValueError for what was not read without findings, and for blocks nested more than 24 deep.
    """
    lines: list[str] = []
    last: tree.Declaration | None = None
    for declaration in declarations:
        if lines and not are_adjacent(last, declaration):
            lines.append("")
        lines += [row.text for row in output_lines(declaration)]
        last = declaration
    return "".join(f"{line}\n" for line in lines)


def are_adjacent(one: tree.Declaration | None, other: tree.Declaration | None) -> bool:
    """Whether no empty line stands between two: options, or memories, of one line each."""
    is_long = any(getattr(each, "notes", ()) for each in (one, other))
    return isinstance(one, tree.Option | tree.Memory) and type(one) is type(other) and not is_long


def output_lines(declaration: tree.Declaration) -> Iterator[OutputLine]:
    """The sentences of a declaration from top to bottom."""
    match declaration:
        case tree.Rule():
            yield _row(_rule_heading(declaration), 0, declaration.span)
            for statement in declaration.body:
                yield from _statement(statement, 1)
            if declaration.table is not None:
                yield from _table(declaration.table)
        case tree.Define():
            yield _row(_word_heading("define", declaration), 0, declaration.span)
            yield _row(slot(declaration.body), 1, declaration.body.span)
        case tree.Steps():
            yield _row(_word_heading("steps", declaration), 0, declaration.span)
            for statement in declaration.body:
                yield from _statement(statement, 1)
        case tree.Option():
            yield _row(_option(declaration), 0, declaration.span)
            yield from _notes(declaration)
        case tree.Memory():
            yield _row(_memory(declaration), 0, declaration.span)
            yield from _notes(declaration)
        case tree.Broken():
            raise ValueError("what could not be read cannot be written")


def is_same(left: object, right: object) -> bool:
    """Whether trees, or sequences of them, say the same, wherever it stands in their sources.

    Of a drawing the signs count, not how far it is indented.
    """
    return _shape(left) == _shape(right)


def _shape(node: object) -> object:
    match node:
        case Span():
            return [line for line, _ in _drawn(node)]
        case tuple() | list():
            return [_shape(each) for each in node]
    if not is_dataclass(node):
        return type(node), node
    names = (field.name for field in fields(node) if field.name not in _PLACES)
    return type(node), [_shape(getattr(node, name)) for name in names]


def _row(layout: Doc, level: int, span: Span) -> OutputLine:
    if level > _DEEPEST:
        raise ValueError(f"blocks are nested more than {_DEEPEST} deep")
    return OutputLine(render(layout, level * STEP), span.start)


# declarations


def _quoted(text: str) -> str:
    """A title or wording behind a heading; an empty one is not written."""
    return f' "{text}"' if text else ""


def _rule_heading(rule: tree.Rule) -> Doc:
    instead = f" replaces {rule.replaces.text}" if rule.replaces else ""
    return f"{rule.kind.text} {rule.name.text}{_quoted(rule.title)}{instead}:"


def _word_heading(kind: str, declared: tree.Define | tree.Steps) -> Doc:
    name, wording = f"{kind} {declared.name.text}", f"{_quoted(declared.wording)}:"
    if not declared.parameters:
        return name + wording
    first, *others = (f"{word.text}: {sort.text}" for word, sort in declared.parameters)
    more = tuple((",", SoftLine(" "), other) for other in others)
    return (enclosed(f"{name}(", (first, *more), ")"), wording)


def _option(option: tree.Option) -> Doc:
    truth = "yes" if option.default else "no"
    default = truth if isinstance(option.default, bool) else str(option.default)
    opening = ":" if option.notes else ""
    return f"option {option.name.text} = {default}{_quoted(option.wording)}{opening}"


def _memory(memory: tree.Memory) -> Doc:
    scope = f" of {memory.scope.text}" if memory.scope else ""
    opening = ":" if memory.notes else ""
    return f"memory {memory.name.text}: {memory.sort.text}{scope}{_quoted(memory.wording)}{opening}"


def _notes(declared: tree.Option | tree.Memory) -> Iterator[OutputLine]:
    for note in declared.notes:
        yield _row(f'{note.kind} "{note.text}"', 1, note.span)


# statements


def _statement(node: tree.Statement, level: int) -> Iterator[OutputLine]:
    match node:
        case tree.Wording():
            yield _row(f'"{node.text}"', level, node.span)
        case tree.Norm() | tree.Change() | tree.Award() | tree.Step():
            yield _row(_sentence(node), level, node.span)
        case tree.Win():
            yield _row(("win by ", slot(node.by)), level, node.span)
        case tree.Example():
            yield from _example(node, level)
        case tree.Hole():
            raise ValueError("what could not be read cannot be written")
        case _:
            yield from _block(node, level)


def _sentence(node: tree.Norm | tree.Change | tree.Award | tree.Step) -> Doc:
    match node:
        case tree.Norm():
            on = _after(" on ", node.on)
            main: Doc = (f"{node.kind} {_words(node.verbs)}", on)
        case tree.Change():
            main = (f"{node.kind} {node.quantity.text} by ", slot(node.amount))
        case tree.Award():
            main = ("gold ", slot(node.amount), _per(node.per), _rank(node.rank))
        case tree.Step():
            main = (node.verb.text, _operand(node.operand), _phrases(node))
    return (main, _after(" if ", node.guard))


def _per(per: tree.Per | None) -> Doc:
    if per is None:
        return ""
    every = "" if per.every == 1 else f"{per.every} "
    return (f" per {every}{per.variable.text} in ", slot(per.domain))


def _rank(rank: tree.Rank | None) -> Doc:
    return "" if rank is None else (f" to {rank.place.text} by ", slot(rank.by))


def _operand(node: tree.Expression | None) -> Doc:
    """What a verb does; in parentheses if a name in it would be read as the word of a phrase."""
    if node is None:
        return ""
    written = slot(node)
    return (" (", written, ")") if _PHRASE.match(flat(written)) else (" ", written)


def _phrases(step: tree.Step) -> Doc:
    phrases = tuple(_phrase(phrase.preposition.text, phrase.value) for phrase in step.arguments)
    if step.operand is None and _RANGE.match(flat(phrases)):
        value = flat(_after("", step.arguments[0].value))
        return (f" at ({value})", phrases[1:])
    return phrases


def _phrase(preposition: str, value: tree.Expression | None) -> Doc:
    return (f" {preposition}", _after(" ", value))


def _block(node: Block, level: int) -> Iterator[OutputLine]:
    """A heading and its lines; a single plain step or award stands behind it if it fits."""
    heading = (_heading(node), ":")
    step = _plain_step(node)
    if step is not None:
        whole = (heading, " ", _sentence(step))
        if level * STEP + len(flat(whole)) <= WIDTH:
            yield _row(whole, level, node.span)
            return
    yield _row(heading, level, node.span)
    for statement in node.body:
        yield from _statement(statement, level + 1)


def _plain_step(node: Block) -> tree.Step | tree.Award | None:
    """The only step or award of a block, unless it is guarded or the block should show as one."""
    if isinstance(node, tree.Section) or len(node.body) > 1:
        return None
    if isinstance(node, tree.Branch) and node.kind in ("either", "or"):
        return None
    only = node.body[0]
    return only if isinstance(only, tree.Step | tree.Award) and only.guard is None else None


def _heading(node: Block) -> Doc:
    match node:
        case tree.When():
            return ("when ", _reaction(node.events, node.who), _after(" if ", node.guard))
        case tree.Whenever():
            return ("whenever ", slot(node.condition))
        case tree.Each():
            over = (f"for {node.variable.text} in ", slot(node.domain))
            return (over, _after(" if ", node.guard))
        case tree.If():
            return ("if ", slot(node.condition))
        case tree.Branch():
            return node.kind
        case tree.Repeat():
            return (f"{node.kind} ", slot(node.times), " times")
        case tree.Section():
            when = (" when ", _reaction(node.events, node.who)) if node.events else ""
            return (node.name, when, _limit(node.limit), _after(" if ", node.guard))


def _reaction(events: tuple[tree.Word, ...], who: tree.Word | None) -> str:
    return _words(events) + (f" by {who.text}" if who else "")


def _limit(limit: tree.Limit | None) -> str:
    return "" if limit is None else f" {_TIMES[limit.times]} per {limit.scope.text}"


def _words(words: tuple[tree.Word, ...]) -> str:
    return ", ".join(word.text for word in words)


def _after(word: str, node: tree.Expression | None) -> Doc:
    return "" if node is None else (word, slot(node))


def _example(node: tree.Example, level: int) -> Iterator[OutputLine]:
    yield _row(f"example{_quoted(node.title)}:", level, node.span)
    if node.drawing is not None:
        for line, start in _drawn(node.drawing):
            yield _row(line, level + 1, node.drawing.source.span(start, start))
    for step in node.lines:
        yield _row(_sentence(step), level + 1, step.span)


def _table(table: tree.Table) -> Iterator[OutputLine]:
    """The rows one below the other, each column as wide as its widest cell."""
    yield _row("table:", 1, table.span)
    widths = [0] * max(map(len, table.rows))
    for row in table.rows:
        widths[: len(row)] = [max(w, len(c.text)) for w, c in zip(widths, row, strict=False)]
    for row in table.rows:
        cells = (cell.text.ljust(width) for cell, width in zip(row, widths, strict=False))
        cell = row[0].span
        bar = cell.source.text.rfind("|", 0, cell.start)
        yield OutputLine(f"{' ' * 2 * STEP}| {' | '.join(cells)} |", bar)


def _drawn(drawing: Span) -> Iterator[tuple[str, int]]:
    """The lines of a drawing as written but for their indentation, each with its offset."""
    start = drawing.start
    for line in drawing.text.split("\n"):
        if line.strip().startswith("|"):
            yield line.strip(), start + len(line) - len(line.lstrip())
        start += len(line) + 1
