"""What we tell the author of a rule or a data file: findings as values, and forms of output."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from kbrules.messages import CODES, Severity
from kbrules.text import Span, visible

# Excerpts of source text for the terminal: a numbered line and a mark under the words meant.
#
# Works on spans only. Everything returned is safe to print: see `kbrules.text.visible`.

WIDTH = 96  # cells of a source line that are shown
_LEAD = 24  # cells kept in front of the marked words when a line is cut
_TAB = 4
_CUT = "..."
_PLAIN = re.compile("[ -~]*")


def excerpt(span: Span, sign: str = "^", note: str = "", width: int = 0) -> list[str]:
    """Return the line that a span begins on, with its number, and the mark with a note below it.

    There is nothing of an empty source. width: of the column of line numbers, at least.
    """
    if not span.source.text:
        return []
    text, start, end = _visible_line(span)
    width = max(width, len(str(span.line)))
    mark = sign * (end - start) + (f" {visible(note)}" if note else "")
    line = f"   {span.line:>{width}} | {text}".rstrip()
    return [line, f"   {'':>{width}} | {' ' * start}{mark}"]


def _visible_line(span: Span) -> tuple[str, int, int]:
    """Return the line a span begins on, and the cells from and up to which the span is in it.

    It is made safe, tabs are expanded, and it is cut around the span if it is long.
    """
    text, start = span.source.line_text(span.line), span.column - 1
    end = start + len(span.text) if span.end_line == span.line else len(text)
    end = max(start, len(text[:end].rstrip()))
    low, high = max(0, start - 2 * WIDTH), start + 2 * WIDTH  # so that huge lines stay cheap
    cells = _cells(text[low:high])
    start, end = start - low, min(end, high) - low
    widths = [cell_width(cell) for cell in cells]
    before, inside = sum(widths[:start]), sum(widths[start:end])
    if sum(widths) <= WIDTH:
        return "".join(cells), before, before + max(inside, 1)
    room = WIDTH - 2 * len(_CUT)
    lead = max(_LEAD, room - sum(widths[start:]))  # near the end there is more room in front
    first = min(at for at in range(start + 1) if sum(widths[at:start]) <= lead)
    last = max(at for at in range(first, len(cells) + 1) if sum(widths[first:at]) <= room)
    head, tail = _CUT if first else "", _CUT if last < len(cells) else ""
    begin = len(head) + sum(widths[first:start])
    stop = len(head) + sum(widths[first : min(end, last)])
    return head + "".join(cells[first:last]) + tail, begin, max(stop, begin + 1)


def _cells(text: str) -> list[str]:
    """Each character as it is printed; a tab becomes blanks up to the next stop."""
    cells: list[str] = []
    at = 0
    for character in text:
        cell = " " * (_TAB - at % _TAB) if character == "\t" else visible(character)
        cells.append(cell)
        at += cell_width(cell)
    return cells


def cell_width(text: str) -> int:
    """How many columns of a terminal the text takes: wide letters two, combining marks none."""
    if _PLAIN.fullmatch(text):
        return len(text)
    return sum(_character_width(character) for character in text)


def _character_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


# A message begins lower-case, ends without a full stop, and quotes the reader in backticks.

_LONGEST = 40  # characters of a reader's word that are quoted or compared


@dataclass(frozen=True, slots=True)
class Label:
    """A second place a finding speaks of, with a word on it."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Edit:
    """A piece of a source that is to be replaced by a text; an empty piece is where to insert."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: what is wrong, where, and what to try; sorts by file, place and code.

    `claim` says how sure it is: "exact" if it holds everywhere, "sampled 200" if so many
    positions were looked at, empty if that goes without saying. `fix` mends it without changing
    what anything means; empty if only the author can know. `picture` is a board as text, or empty.
    """

    code: str
    span: Span
    message: str
    help: str = ""
    labels: tuple[Label, ...] = ()
    claim: str = ""
    fix: tuple[Edit, ...] = ()
    picture: str = ""

    @property
    def severity(self) -> Severity:
        """Whether it keeps a rule set from being played, or is worth a look: its code says it."""
        return CODES[self.code].severity

    def __lt__(self, other: Diagnostic) -> bool:
        return self._order() < other._order()

    def _order(self) -> tuple[str, int, str, str, str]:
        source, span = self.span.source, self.span
        start = source.written(span.start, span.end)[0]
        return source.name, start, self.code, self.message, self.help


class RulesError(Exception):
    """All that is wrong with what was loaded; its text is one concise line per finding."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = tuple(sorted(diagnostics))
        super().__init__("\n".join(render_concise(each) for each in self.diagnostics))

    def placed(self, span: Span) -> RulesError:
        """The same with a place for what was found while rules were played, and has none yet."""
        return RulesError(
            each if each.span.source.text else replace(each, span=span) for each in self.diagnostics
        )


class CodedError(Exception):
    """What cannot be done, for a reason that stands in no file: a code, and what to do instead."""

    code: str = "KB009"
    help: str = ""

    def __init__(self, message: str, help: str | None = None) -> None:
        super().__init__(message)
        if help is not None:
            self.help = help

    @property
    def diagnostic(self) -> Diagnostic:
        """The same as a finding."""
        return Diagnostic(self.code, Span.none("command line"), str(self), self.help)


def distinct(findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The findings; what several rows of a table have alike is reported once, and of which row.

    No fix is left of what a table says: it would have to be another one in each row.
    """
    single: list[Diagnostic] = []
    alike: dict[object, list[Diagnostic]] = {}
    for each in findings:
        if not each.span.is_derived:
            single.append(each)
            continue
        place = each.span.source.written(each.span.start, each.span.end)
        key = each.code, each.span.source.name, place, each.message
        alike.setdefault(key, []).append(each)
    return single + [_of_rows(same) for same in alike.values()]


def _of_rows(same: list[Diagnostic]) -> Diagnostic:
    """One of some findings that are alike, with the row that it was made of."""
    first, row = same[0], same[0].span.row
    if row is None or any(label.span == row for label in first.labels):
        return replace(first, fix=())
    others = len({each.span.row for each in same}) - 1
    more = f", and {others} more" if others else ""
    return replace(first, fix=(), labels=(*first.labels, Label(row, f"for this row{more}")))


def render_concise(diagnostic: Diagnostic) -> str:
    """One line: `file:line:column: error[KB101]: message`, and how sure it is in brackets."""
    span = diagnostic.span
    place = f"{visible(span.source.name)}:{span.line}:{span.column}"
    kind = f"{diagnostic.severity}[{diagnostic.code}]"
    return f"{place}: {kind}: {visible(_claimed(diagnostic))}"


def _claimed(diagnostic: Diagnostic) -> str:
    claim = f" ({diagnostic.claim})" if diagnostic.claim else ""
    return diagnostic.message + claim


def render_full(diagnostic: Diagnostic) -> str:
    """The concise line, the source with the wrong words underlined, the labels and the help."""
    lines = [render_concise(diagnostic), *_excerpts(diagnostic), *_help(diagnostic.help)]
    return "\n".join(lines)


def _excerpts(diagnostic: Diagnostic) -> list[str]:
    """Return the excerpt of the finding and one of each label."""
    spans = [diagnostic.span, *(label.span for label in diagnostic.labels)]
    width = max(len(str(span.line)) for span in spans)
    lines = excerpt(diagnostic.span, width=width)
    for previous, label in zip(spans, diagnostic.labels, strict=False):
        lines += _labelled(previous, label, width)
    return lines


def _labelled(previous: Span, label: Label, width: int) -> list[str]:
    """Return the excerpt of a label; one on the line above shares its text."""
    span, lines = label.span, excerpt(label.span, "-", label.text, width)
    if span.source is not previous.source:
        place = f"   {visible(span.source.name)}:{span.line}:{span.column}"
        # A label without a text to show still has its say.
        return [place if span.source.text else f"{place}: {visible(label.text)}", *lines]
    return lines[1:] if lines[:1] == excerpt(previous, width=width)[:1] else lines


def _help(text: str) -> list[str]:
    if not text:
        return []
    first, *rest = text.split("\n")
    return [f"   help: {visible(first)}", *(f"         {visible(line)}".rstrip() for line in rest)]


def json_line(kind: str, record: Mapping[str, object]) -> str:
    """Return a record on a line of its own, pure ASCII, with its `kind` in front."""
    return json.dumps({"kind": kind, **record})


def record_of(diagnostic: Diagnostic) -> dict[str, object]:
    """Return a finding as strings, whole numbers and lists of them; keys only ever become more."""
    return {
        "code": diagnostic.code,
        "slug": CODES[diagnostic.code].slug,
        **_place(diagnostic.span),
        "message": diagnostic.message,
        "help": diagnostic.help,
        "severity": diagnostic.severity,
        "claim": diagnostic.claim,
        "fix": [{**_place(edit.span), "text": edit.text} for edit in diagnostic.fix],
    }


def _place(span: Span) -> dict[str, str | int]:
    return {
        "file": span.source.name,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def render_github(diagnostics: Iterable[Diagnostic]) -> str:
    """One workflow command per finding, which GitHub shows beside the line."""
    return "\n".join(_command(each) for each in diagnostics)


def _command(diagnostic: Diagnostic) -> str:
    span = diagnostic.span
    end = span.end_column
    if span.end_line > span.line:  # the service ignores columns of a span of several lines
        end = len(span.source.line_text(span.line)) + 1
    title = _property(f"{diagnostic.code} {CODES[diagnostic.code].slug}")
    place = f"file={_property(span.source.name)},line={span.line},col={span.column}"
    text = _claimed(diagnostic) + (f"\nhelp: {diagnostic.help}" if diagnostic.help else "")
    return f"::{diagnostic.severity} {place},endColumn={end},title={title}::{_data(text)}"


def _data(text: str) -> str:
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return visible(text)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def shortened(value: object) -> str:
    """Return a value as a message quotes it: cut where it is long, its type if it has no text."""
    try:
        text = repr(value)
    except Exception:  # a value from outside may fail in any way
        text = f"a {type(value).__name__}"
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def check_kind(value: object, kind: type | tuple[type, ...], wanted: str) -> None:
    """Raise TypeError, which says what is wanted, for a value of another kind."""
    if not isinstance(value, kind):
        raise TypeError(f"{wanted}, not {shortened(value)}")


def quoted(text: str) -> str:
    """The reader's words in backticks, cut when they are long."""
    short = text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
    return f"`{short}`"


def suggest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate the writer of `word` may have meant, in any order; None when none is near."""
    return _nearest(word, tuple(candidates)) if 0 < len(word) <= _LONGEST else None


def did_you_mean(word: str, candidates: Iterable[str], otherwise: str = "") -> str:
    """The help that suggests the nearest candidate; `otherwise` when none is near."""
    near = suggest(word, candidates)
    return f"did you mean {quoted(near)}?" if near else otherwise


@lru_cache(maxsize=1024)  # a mistake that was copied about is looked up once
def _nearest(word: str, candidates: tuple[str, ...]) -> str | None:
    limit = max(len(word) > 2, len(word) // 3)
    near = (each for each in candidates if each != word and _may_be_near(word, each, limit))
    distance, best = min(((_distance(word, each), each) for each in near), default=(limit + 1, ""))
    return best if distance <= limit else None


def _may_be_near(left: str, right: str, limit: int) -> bool:
    """Return False where lengths and letters alone show more than so many edits; it is quick."""
    if abs(len(left) - len(right)) > limit:
        return False
    ours, theirs = set(left.lower()), set(right.lower())
    return len(ours - theirs) <= limit and len(theirs - ours) <= limit


def _distance(left: str, right: str) -> int:
    """Edits between two words: insert, delete, replace, swap neighbours; case is free."""
    left, right = left.lower(), right.lower()
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        before, row, above = row, [i], before
        for j, b in enumerate(right, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, above[j - 2] + 1)
            row.append(cost)
    return row[-1]
