"""Syntax trees to their one canonical text: no settings, nothing to argue about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from kbrules.lang.syntax import build, tree
from kbrules.lang.syntax.parse import parse
from kbrules.text import Source, Span

# Text with places where a line may break, and the one way it is laid out on lines.

WIDTH = 100  # columns of a line
STEP = 4  # blanks of a level
_FARTHEST = 60  # blanks before a line of which nothing is moved further to the right


@dataclass(frozen=True, slots=True)
class SoftLine:
    """A place where a line may break; if it does not, `text` stands there."""

    text: str


@dataclass(frozen=True, slots=True)
class IfBreak:
    """What stands there only when the soft lines of its group break."""

    text: str


@dataclass(frozen=True, slots=True)
class Indent:
    """Lines that begin within it stand one level further right."""

    body: Doc


@dataclass(frozen=True, slots=True)
class Group:
    """Something whose own soft lines break all together or not at all."""

    body: Doc


Doc = str | SoftLine | IfBreak | Indent | Group | tuple["Doc", ...]


def enclosed(opening: str, body: Doc, closing: str) -> Group:
    """Something in brackets that may stand on lines of its own."""
    return Group((opening, Indent((SoftLine(""), body)), SoftLine(""), closing))


def flat(layout: Doc) -> str:
    """The text on one line, however long."""
    match layout:
        case str():
            return layout
        case SoftLine(text):
            return text
        case IfBreak():
            return ""
        case Indent(body) | Group(body):
            return flat(body)
    return "".join(flat(part) for part in layout)


def render(layout: Doc, indent: int) -> str:
    """The text broken at soft lines to fit `WIDTH` columns, its first line `indent` in.

    From left to right a group stays on its line if it fits there together with what follows it
    up to the next gap. Far to the right nothing breaks any more: an indentation has its limits.
    """
    todo: list[tuple[int, bool, Doc]] = [(indent, False, layout)]  # the next one last
    parts, column = [" " * indent], indent
    while todo:
        at, is_broken, part = todo.pop()
        match part:
            case SoftLine() if is_broken:
                parts.append("\n" + " " * at)
                column = at
            case str(text) | SoftLine(text):
                parts.append(text)
                column += len(text)
            case IfBreak(text):
                todo.append((at, is_broken, text if is_broken else ""))
            case Indent(body):
                todo.append((at + STEP, is_broken, body))
            case Group(body):
                width = column + len(flat(body)) + _width_to_soft_line([doc for *_, doc in todo])
                todo.append((at, at < _FARTHEST and width > WIDTH, body))
            case _:
                todo += [(at, is_broken, inner) for inner in part[::-1]]
    return "".join(parts)


def _width_to_soft_line(layouts: Sequence[Doc]) -> int:
    """How many columns are before the next soft line of some layouts, the next one last."""
    width, todo = 0, list(layouts)
    while todo:
        match todo.pop():
            case str(text) | IfBreak(text):
                width += len(text)
            case SoftLine():
                return width
            case Indent(body) | Group(body):
                todo.append(body)
            case parts:
                todo += parts[::-1]
    return width


# The canonical text of expressions: no more parentheses than the grammar needs.

_COMPARISON, _UNARY, _ATOM = 4, 7, 8
_LEVELS = {
    "or": 1, "and": 2, "not": 3,
    **dict.fromkeys(("=", "!=", "<", "<=", ">", ">="), _COMPARISON),
    "+": 5, "-": 5, "|": 5, "*": 6, "/": 6, "&": 6,
    **dict.fromkeys(("at least", "at most", "exactly"), _UNARY),
}  # fmt: skip
_CROWDED = 60  # parentheses of an expression to which layout adds none: the language counts them


def slot(node: tree.Expression) -> Doc:
    """The text of an expression in a sentence, where no bracket stands around it.

    One that is too long for its line gets parentheses of its own, since only they let it break.
    Raises ValueError for a hole.
    """
    body = _written(node)
    if not isinstance(node, tree.Operator):
        return body
    text = flat(body)
    if text.count("(") >= _CROWDED:
        return text
    return Group((IfBreak("("), Indent((SoftLine(""), body)), SoftLine(""), IfBreak(")")))


def _level(node: tree.Expression) -> int:
    """How tightly an expression holds together."""
    if not isinstance(node, tree.Operator):
        return _ATOM
    if node.symbol == "-" and len(node.operands) == 1:
        return _UNARY
    return _LEVELS[node.symbol]


def _part(node: tree.Expression, least: int = 0) -> Doc:
    """An operand, in parentheses if it holds less tightly than `least`."""
    body = _written(node)
    if _level(node) < least:
        return enclosed("(", body, ")")
    return Indent(body) if isinstance(node, tree.Operator) else body


def _written(node: tree.Expression) -> Doc:
    match node:
        case tree.Number():
            return str(node.value)
        case tree.Truth():
            return "yes" if node.value else "no"
        case tree.Name():
            return node.text
        case tree.Call():
            return _call(node)
        case tree.Fold():
            return _fold(node)
        case tree.Choice():
            return _choice(node)
        case tree.Operator():
            return _unary(node) if len(node.operands) == 1 else _chain(node)
        case tree.Hole():
            raise ValueError("what could not be read cannot be written")


def _call(node: tree.Call) -> Doc:
    if not node.arguments:
        return f"{node.name}()"
    return _listed(node.name, [_written(argument) for argument in node.arguments])


def _listed(name: str, parts: Sequence[Doc]) -> Doc:
    more = tuple((",", SoftLine(" "), part) for part in parts[1:])
    return enclosed(f"{name}(", (parts[0], *more), ")")


def _fold(node: tree.Fold) -> Doc:
    over = (SoftLine(" "), f"for {node.variable.text} in ", _part(node.domain))
    only = () if node.condition is None else (SoftLine(" "), "if ", _part(node.condition))
    return enclosed(f"{node.name}(", (_part(node.body), over, only), ")")


def _choice(node: tree.Choice) -> Doc:
    when = (SoftLine(" "), "if ", _part(node.condition))
    other = () if node.other is None else (SoftLine(" "), "otherwise ", _part(node.other))
    return enclosed("(", (_part(node.value), when, other), ")")


def _unary(node: tree.Operator) -> Doc:
    sign = "-" if node.symbol == "-" else f"{node.symbol} "
    return (sign, _part(node.operands[0], _level(node)))


def _chain(node: tree.Operator) -> Doc:
    """Operators of one level from left to right; a line breaks before each of them or none."""
    level = _level(node)
    links: list[Doc] = []
    left: tree.Expression = node
    while isinstance(left, tree.Operator) and _level(left) == level:
        links.append((SoftLine(" "), f"{left.symbol} ", _part(left.operands[1], level + 1)))
        left = left.operands[0]
        if level == _COMPARISON:
            break
    first = _part(left, level + 1)
    return Group((first, *links[::-1]))


# The text depends on the tree alone. Comments are not in the tree: every sentence is written as an
# `OutputLine` that knows where it began in its source; the last section puts them among the rows.

_TIMES = {1: "once", 2: "twice"}
_DEEPEST = 24  # levels of blocks; the language reads no line that stands further right
_PHRASE = re.compile(r"(from|into|of|with|at(?! least| most)|as|beside|to|by|on)\b(?!\()")
_RANGE = re.compile(r" at (least|most)\b")  # behind a verb: a range, not a phrase

Block = tree.When | tree.Whenever | tree.Each | tree.If | tree.Branch | tree.Repeat | tree.Section


@dataclass(frozen=True, slots=True)
class OutputLine:
    """A sentence as it is printed, perhaps on several lines, and its offset in its source."""

    text: str
    start: int


def are_adjacent(one: tree.Declaration | None, other: tree.Declaration | None) -> bool:
    """Whether no empty line stands between two: options, or memories, of one line each."""
    is_long = any(getattr(each, "notes", ()) for each in (one, other))
    return isinstance(one, tree.Option | tree.Memory) and type(one) is type(other) and not is_long


def output_lines(declaration: tree.Declaration) -> Iterator[OutputLine]:
    """The sentences of a declaration from top to bottom."""
    match declaration:
        case tree.Rule():
            instead = f" replaces {declaration.replaces.text}" if declaration.replaces else ""
            heading = f"{declaration.kind.text} {declaration.name.text}"
            heading += f"{_quoted(declaration.title)}{instead}:"
            yield _row(heading, 0, declaration.span)
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


def _row(layout: Doc, level: int, span: Span) -> OutputLine:
    if level > _DEEPEST:
        raise ValueError(f"blocks are nested more than {_DEEPEST} deep")
    return OutputLine(render(layout, level * STEP), span.start)


# declarations


def _quoted(text: str) -> str:
    """A title or wording behind a heading; an empty one is not written."""
    return f' "{text}"' if text else ""


def _word_heading(kind: str, declared: tree.Define | tree.Steps) -> Doc:
    name, wording = f"{kind} {declared.name.text}", f"{_quoted(declared.wording)}:"
    if not declared.parameters:
        return name + wording
    return (
        _listed(name, [f"{word.text}: {sort.text}" for word, sort in declared.parameters]),
        wording,
    )


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
    phrases = tuple(
        (f" {phrase.preposition.text}", _after(" ", phrase.value)) for phrase in step.arguments
    )
    if step.operand is None and _RANGE.match(flat(phrases)):
        value = flat(_after("", step.arguments[0].value))
        return (f" at ({value})", phrases[1:])
    return phrases


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
            limit = node.limit
            often = f" {_TIMES[limit.times]} per {limit.scope.text}" if limit else ""
            return (node.name, when, often, _after(" if ", node.guard))


def _reaction(events: tuple[tree.Word, ...], who: tree.Word | None) -> str:
    return _words(events) + (f" by {who.text}" if who else "")


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


# The canonical text of a rule file with its comments, which the trees do not hold.
#
# A comment never leaves its declaration: the one it stands in, or else the one below it. On lines
# of its own it stays above the sentence that follows; behind a sentence it stays there if it is
# alone there and fits, and goes above the sentence if not.

_TEXT_OR_COMMENT = re.compile(r'"[^"\n]*"|(?P<comment>#[^\n]*)')


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment with its sign and its offset.

    `indent` counts the blanks before it on a line of its own; it is -1 behind something else.
    """

    text: str
    start: int
    indent: int

    @property
    def is_alone(self) -> bool:
        """Whether nothing else stands on its line."""
        return self.indent >= 0


def comments_of(source: Source, drawings: Sequence[Span] = ()) -> list[Comment]:
    """The comments of a source from top to bottom; a `#` in a text or a drawing is none."""
    found = []
    for each in _TEXT_OR_COMMENT.finditer(source.text):
        if each["comment"] is not None:
            start = each.start("comment")
            before = source.text[source.text.rfind("\n", 0, start) + 1 : start]
            indent = -1 if before.strip() else len(before)
            found.append(Comment(each["comment"].rstrip(), start, indent))
    return [each for each in found if not _is_drawn(source.text, each, drawings)]


def _is_drawn(text: str, comment: Comment, drawings: Sequence[Span]) -> bool:
    """Whether a sign belongs to a drawing, whose lines begin with a bar."""
    line = text[text.rfind("\n", 0, comment.start) + 1 : comment.start]
    is_bar = line.lstrip().startswith("|")
    return is_bar and any(span.start <= comment.start < span.end for span in drawings)


def formatted(source: Source) -> str:
    """The canonical text of a rule file, with its comments.

    ValueError if the file cannot be read without findings, or its blocks are nested too deep.
    """
    declarations, findings = parse(source)
    if findings:
        raise ValueError("what could not be read cannot be written")
    drawings = [span for each in declarations for span in _drawings(each)]
    comments = comments_of(source, drawings)
    page = _CommentWriter(source.text)
    for each in declarations:
        end = _end(source.text, each)
        page.above([c for c in comments if c.start < each.span.start], each)
        inside = [c for c in comments if c.start > each.span.start and _is_inside(c, each, end)]
        page.declaration(each, inside)
        comments = [c for c in comments if c.start > each.span.start and c not in inside]
    page.above(comments, None)
    return "".join(f"{line}\n" for line in page.lines)


def _drawings(node: tree.Declaration | tree.Statement) -> Iterator[Span]:
    """The drawings in it, however deep."""
    if isinstance(node, tree.Example) and node.drawing is not None:
        yield node.drawing
    if isinstance(node, tree.Rule) and node.table is not None:
        yield node.table.span
    body = getattr(node, "body", ())
    for statement in body if isinstance(body, tuple) else ():
        yield from _drawings(statement)


def _end(text: str, declaration: tree.Declaration) -> int:
    """Where the last line of a declaration ends that is more than a comment."""
    written = text[declaration.span.start : declaration.span.end]
    own = _TEXT_OR_COMMENT.sub(
        lambda found: " " * len(found[0]) if found["comment"] else found[0], written
    ).rstrip()
    line_end = text.find("\n", declaration.span.start + len(own))
    return len(text) if line_end < 0 else line_end


def _is_inside(comment: Comment, declaration: tree.Declaration, end: int) -> bool:
    """Whether a comment behind the beginning of a declaration belongs to it, not to the next."""
    is_below = end < comment.start < declaration.span.end
    return comment.start < end or (is_below and comment.indent > 0)


@dataclass(slots=True)
class _CommentWriter:
    """The lines written so far, and the declaration and comment written last."""

    source: str
    lines: list[str] = field(default_factory=list)
    _last: tree.Declaration | None = None
    _is_comment_last: bool = False

    def above(self, comments: Sequence[Comment], following: tree.Declaration | None) -> None:
        """Write the comments above a declaration, or at the end of the file."""
        close = are_adjacent(self._last, following)
        for comment in comments:
            is_first = not self._is_comment_last
            self._blank_line(self._has_blank_line_before(comment.start) or (is_first and not close))
            self.lines.append(comment.text)
            self._is_comment_last = True

    def declaration(self, declaration: tree.Declaration, inside: Sequence[Comment]) -> None:
        """Write a declaration with the comments in it."""
        if self._is_comment_last:
            self._blank_line(self._has_blank_line_before(declaration.span.start))
        else:
            self._blank_line(not are_adjacent(self._last, declaration))
        self.lines += _merged(self.source, list(output_lines(declaration)), inside)
        self._last, self._is_comment_last = declaration, False

    def _blank_line(self, is_wanted: bool) -> None:
        if is_wanted and self.lines:
            self.lines.append("")

    def _has_blank_line_before(self, start: int) -> bool:
        """Whether the line above the one at a place is empty."""
        line = self.source.rfind("\n", 0, start) + 1
        above = self.source[: max(line - 1, 0)].rpartition("\n")[2]
        return line > 0 and not above.strip()


def _merged(
    source: str, written: Sequence[OutputLine], comments: Sequence[Comment]
) -> Iterator[str]:
    """The lines of some rows with the comments among them.

    Rows may be written in another order than they had: a comment moves with the row below it.
    """
    had = sorted(written, key=lambda row: row.start)
    blocks: dict[int, list[str]] = {}
    below: list[Comment] = []
    for number, row in enumerate(had):
        end = had[number + 1].start if number + 1 < len(had) else len(source)
        before, own = below, [c for c in comments if row.start < c.start < end]
        above, behind, below = _around(source, row, own)
        if len(behind) != 1 or not _fits(row, behind[0]):
            above, behind = sorted([*above, *behind], key=lambda c: c.start), []
        indent = " " * _indent(row)
        blocks[row.start] = [indent + comment.text for comment in (*before, *above)]
        blocks[row.start].append("  ".join([row.text, *(comment.text for comment in behind)]))
    for row in written:
        yield from blocks[row.start]
    last = _indent(written[-1]) if len(written) > 1 else STEP
    yield from (" " * last + comment.text for comment in below)


def _around(
    source: str, row: OutputLine, comments: Sequence[Comment]
) -> tuple[list[Comment], list[Comment], list[Comment]]:
    """Which comments go above a row, behind it and below it."""
    behind = [c for c in comments if not c.is_alone]
    alone = [c for c in comments if c.is_alone]
    above = [c for c in alone if _is_open(source[row.start : c.start])]
    return above, behind, [c for c in alone if c not in above]


def _is_open(text: str) -> bool:
    """Whether a sentence goes on, since a parenthesis is open; one that is drawn opens nothing."""
    code = build.code_only(text)
    return not text.startswith("|") and code.count("(") > code.count(")")


def _indent(row: OutputLine) -> int:
    return len(row.text) - len(row.text.lstrip(" "))


def _fits(row: OutputLine, comment: Comment) -> bool:
    """Whether a comment can stand behind a row."""
    return "\n" not in row.text and len(row.text) + 2 + len(comment.text) <= WIDTH
