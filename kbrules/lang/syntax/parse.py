"""Source to syntax trees, with one diagnostic for each mistake and nothing lost behind it."""

from __future__ import annotations

import re
from dataclasses import replace

from lark.exceptions import LarkError, UnexpectedInput
from lark.indenter import DedentError

from kbrules.diagnostics import Diagnostic
from kbrules.lang.syntax import grammar, split, syntax_errors
from kbrules.lang.syntax.build import Chunk, TreeBuilder, chunk_of
from kbrules.lang.syntax.tree import Broken, Declaration, Hole, Rule, Steps, Word
from kbrules.text import Source, escape

MAX_FINDINGS = 50  # of one file; what lies behind them is only looked at for its name
_REPARSE_BUDGET = 400_000  # of a chunk that are read again and again to find its mistakes
HOLE, HOLE_BLOCK, BROKEN = "\x1a", "\x1b", "\x1c"
"""What the parser is given in place of what cannot be read; no author may write them."""
_SIGNS = re.compile(f"[{HOLE}{HOLE_BLOCK}{BROKEN}]")
_HEADING = re.compile(r"([a-z][a-z0-9_]*) +([a-z][a-z0-9_]*)")


def parse(
    source: Source, known: split.KnownDeclarations | None = None
) -> tuple[list[Declaration], list[Diagnostic]]:
    """The declarations of a rule file, in order, and what could not be read of it.

    With `known`, those that stood there before are not read again.
    """
    read, findings = read_declarations(source, known or split.KnownDeclarations())
    return [each.moved(source, start) for start, each in read], findings


def read_declarations(
    source: Source, known: split.KnownDeclarations
) -> tuple[list[tuple[int, split.ReadDeclaration]], list[Diagnostic]]:
    """The same, but those that stood there before still lie in the source that they were read of.

    Each comes with the offset at which it begins now.
    """
    pieces, findings = split.pieces_of(source)
    cut = [(piece, *_cut(source, piece, known)) for piece in pieces]
    findings += [problem for _, _, problems in cut for problem in problems]
    read: list[tuple[int, split.ReadDeclaration]] = []
    for piece, found, problems in cut:
        if found is None:
            continue
        if len(findings) >= MAX_FINDINGS:
            first = chunk_of(source, split.lines_of(piece)[:1], {})
            found = split.ReadDeclaration(_broken(first), piece.start)
        elif isinstance(found, Chunk):
            found, more = _parsed(found, piece, known, problems)
            findings += more
        read.append((piece.start, found))
    return read, sorted(findings[:MAX_FINDINGS])


def _cut(
    source: Source, piece: split.SourcePiece, known: split.KnownDeclarations
) -> tuple[split.ReadDeclaration | Chunk | None, list[Diagnostic]]:
    declaration = known.of(piece.text)
    return split.chunk_of_piece(source, piece) if declaration is None else (declaration, [])


def _parsed(
    chunk: Chunk,
    piece: split.SourcePiece,
    known: split.KnownDeclarations,
    problems: list[Diagnostic],
) -> tuple[split.ReadDeclaration, list[Diagnostic]]:
    declaration, findings = parse_chunk(chunk)
    read = split.ReadDeclaration(declaration, piece.start)
    if not findings and not problems:
        known.add(piece.text, read)
    return read, findings


def parse_chunk(chunk: Chunk) -> tuple[Declaration, list[Diagnostic]]:
    """The declaration of a chunk; what cannot be read of it is cut out line by line."""
    if chunk.is_refused:
        return _broken(chunk), []
    if found := _SIGNS.search(chunk.text):
        message = f"the character `{escape(found[0])}` has no meaning here"
        finding = Diagnostic("KB105", chunk.span(*found.span()), message, "delete it")
        return _broken(chunk), [finding]
    findings: list[Diagnostic] = []
    text = chunk.text
    for _ in range(max(1, min(MAX_FINDINGS, _REPARSE_BUDGET // len(text)))):
        try:
            parsed = grammar.parser().parse(text)
            return _with_final_hole(
                TreeBuilder(chunk).transform(parsed), chunk, bool(findings)
            ), findings
        except (UnexpectedInput, DedentError) as error:
            location = syntax_errors.locate_error(error, text)
            if _is_silent(text, location):
                break
            finding = syntax_errors.syntax_error(error, chunk, text, location, parses_further)
            indentation = finding.span.source.line_text(finding.span.line)
            if finding.code != "KB103" or "\t" not in indentation:  # a tab has been reported
                findings.append(finding)
            is_heading = location.first == 0 and chunk.text.startswith(split.DECLARING)
            if finding.code == "KB108" or is_heading:  # nothing is left of a declaration
                break
            text = _replaced_by_hole(text, location)
    return _broken(chunk), findings


def _is_silent(text: str, location: syntax_errors.ErrorLocation) -> bool:
    """Whether the lines to blame have been cut out already: there is nothing more to say."""
    line = text.split("\n")[location.first]
    return not line.strip() or any(sign in line for sign in (HOLE, HOLE_BLOCK, BROKEN))


def _replaced_by_hole(text: str, location: syntax_errors.ErrorLocation) -> str:
    """The text with some lines made silent, of the same length so that places stay true.

    A line that fits no block is no loss to one.
    """
    hole = BROKEN if location.first == 0 else HOLE_BLOCK if location.has_block else HOLE
    if location.kind == "dedent":
        hole = HOLE if location.indent else ""
    lines = text.split("\n")
    for number in range(location.first, location.last + 1):
        width = len(lines[number])
        sign = hole if number == location.first else ""
        lines[number] = (" " * location.indent + sign if sign else "").ljust(width)
    return "\n".join(lines)


def _with_final_hole(declaration: Declaration, chunk: Chunk, has_mistakes: bool) -> Declaration:
    """A rule, or steps, of which something is missing ends with a hole."""
    if isinstance(declaration, Rule | Steps) and has_mistakes:
        hole = Hole(declaration.span)
        return replace(declaration, body=(*declaration.body, hole))
    if not isinstance(declaration, Broken):
        return declaration
    broken = _broken(chunk)
    if not broken.name.text or broken.kind.text in split.DECLARING:
        return broken
    body = (*declaration.body, Hole(broken.span))
    return Rule(broken.kind, broken.name, "", None, body, broken.span)


def _broken(chunk: Chunk) -> Broken:
    """What the heading of a chunk still tells."""
    heading = chunk.text.split("\n", 1)[0]
    found = _HEADING.match(heading)
    span = chunk.span(0, len(heading.rstrip()))
    if found is None:
        unnamed = Word("", span)
        return Broken(unnamed, unnamed, (), span)
    kind, name = (Word(found.group(n), chunk.span(*found.span(n))) for n in (1, 2))
    return Broken(kind, name, (), span)


def parses_further(text: str, line: int) -> bool:
    """Whether a changed text can be read beyond a line (counted from 0)."""
    try:
        grammar.parser().parse(text)
    except (UnexpectedInput, DedentError) as error:
        return syntax_errors.locate_error(error, text).first > line
    except LarkError:
        return False
    return True
