"""The syntax tree: what was written, before any word has a meaning."""

from __future__ import annotations

from dataclasses import dataclass

from kbrules.text import Span


@dataclass(frozen=True, slots=True)
class Word:
    """A name or text as written, with its place."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number."""

    value: int
    span: Span


@dataclass(frozen=True, slots=True)
class Truth:
    """`yes` or `no`."""

    value: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Name:
    """A word used without arguments."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Call:
    """A word with arguments; `head` is the span of the word itself."""

    name: str
    head: Span
    arguments: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Fold:
    """A word over a comprehension: `most(count(mine & row) for row in rows)`."""

    name: str
    head: Span
    body: Expression
    variable: Word
    domain: Expression
    condition: Expression | None
    span: Span


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator with one or two operands; `symbol` as written (`at least` with one blank)."""

    symbol: str
    operands: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Choice:
    """`(value if condition otherwise other)`; without `otherwise`, nothing."""

    value: Expression
    condition: Expression
    other: Expression | None
    span: Span


@dataclass(frozen=True, slots=True)
class Hole:
    """What could not be read; it fits everywhere and is silent."""

    span: Span


Expression = Number | Truth | Name | Call | Fold | Operator | Choice | Hole


@dataclass(frozen=True, slots=True)
class Wording:
    """A line of the wording of a card or rule."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Norm:
    """`permit`, `forbid`, `prefer`, `waive` or `deny` for some verbs."""

    kind: str
    verbs: tuple[Word, ...]
    on: Expression | None
    guard: Expression | None
    span: Span


@dataclass(frozen=True, slots=True)
class Change:
    """`increase` or `decrease` of a quantity."""

    kind: str
    quantity: Word
    amount: Expression
    guard: Expression | None
    span: Span


@dataclass(frozen=True, slots=True)
class Per:
    """`per 2 hexes in ...` of an award."""

    every: int
    variable: Word
    domain: Expression


@dataclass(frozen=True, slots=True)
class Rank:
    """`to first by ...` of an award."""

    place: Word
    by: Expression


@dataclass(frozen=True, slots=True)
class Award:
    """One line of gold at the end of the game."""

    amount: Expression
    per: Per | None
    rank: Rank | None
    guard: Expression | None
    span: Span


@dataclass(frozen=True, slots=True)
class Win:
    """What decides who wins: whoever has most of it."""

    by: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class StepArgument:
    """A preposition and what follows it; a bare adverb has no value."""

    preposition: Word
    value: Expression | None


@dataclass(frozen=True, slots=True)
class Step:
    """Something done: a verb, what it does, and its phrases in the order written."""

    verb: Word
    operand: Expression | None
    arguments: tuple[StepArgument, ...]
    guard: Expression | None
    span: Span


Statements = tuple["Statement", ...]


@dataclass(frozen=True, slots=True)
class When:
    """A trigger: what happens after an event."""

    events: tuple[Word, ...]
    who: Word | None
    guard: Expression | None
    body: Statements
    span: Span


@dataclass(frozen=True, slots=True)
class Whenever:
    """What happens before any decision while a condition holds."""

    condition: Expression
    body: Statements
    span: Span


@dataclass(frozen=True, slots=True)
class Each:
    """`for variable in domain [if guard]:`."""

    variable: Word
    domain: Expression
    guard: Expression | None
    body: Statements
    span: Span


@dataclass(frozen=True, slots=True)
class If:
    """`if condition:`."""

    condition: Expression
    body: Statements
    span: Span


@dataclass(frozen=True, slots=True)
class Branch:
    """`may:` or `either:`; `otherwise:` or `or:`, to be joined with what stands before it."""

    kind: str
    body: Statements
    span: Span


@dataclass(frozen=True, slots=True)
class Repeat:
    """`repeat n times:` (must) or `up to n times:` (may stop)."""

    kind: str
    times: Expression
    body: Statements
    span: Span


@dataclass(frozen=True, slots=True)
class Limit:
    """`once per game`: how often a section may be used in which time."""

    times: int
    scope: Word
    span: Span


@dataclass(frozen=True, slots=True)
class Section:
    """`action:`, `required action:`, `setup:`, `turn:`, `finish:`, perhaps a reaction."""

    name: str
    events: tuple[Word, ...]
    who: Word | None
    limit: Limit | None
    guard: Expression | None
    body: Statements
    span: Span


@dataclass(frozen=True, slots=True)
class Example:
    """A drawing and what must hold on it."""

    title: str
    drawing: Span | None
    lines: tuple[Step, ...]
    span: Span


Statement = (
    Wording | Norm | Change | Award | Win | Step | Hole | When | Whenever | Each | If | Branch
    | Repeat | Section | Example
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Table:
    """`table:` below a declaration: the cells of its rows; the first row names the columns."""

    rows: tuple[tuple[Word, ...], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule, tile or card: `kind name "Title" [replaces other]:`; with a table, several."""

    kind: Word
    name: Word
    title: str
    replaces: Word | None
    body: Statements
    span: Span
    table: Table | None = None

    @property
    def wordings(self) -> tuple[Wording, ...]:
        """The lines of its wording, in order."""
        return tuple(each for each in self.body if isinstance(each, Wording))

    @property
    def wording(self) -> str:
        """Its whole wording: the lines of it, joined by blanks."""
        return " ".join(each.text for each in self.wordings if each.text)

    @property
    def examples(self) -> tuple[Example, ...]:
        """Its examples, in order."""
        return tuple(each for each in self.body if isinstance(each, Example))


@dataclass(frozen=True, slots=True)
class Define:
    """A word defined by an expression."""

    name: Word
    parameters: tuple[tuple[Word, Word], ...]
    wording: str
    body: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Steps:
    """A block of steps with a name, that `do` puts in its place."""

    name: Word
    parameters: tuple[tuple[Word, Word], ...]
    wording: str
    body: Statements
    span: Span


@dataclass(frozen=True, slots=True)
class Note:
    """A line below an option, its `question` or `source`, or below a memory, its `title`."""

    kind: str
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Option:
    """A disputed ruling with a name and a default; of its notes the question stands first."""

    name: Word
    default: bool | int
    wording: str
    notes: tuple[Note, ...]
    span: Span

    @property
    def question(self) -> str:
        """The question that its values answer; empty if it has none."""
        return _note_text(self.notes, "question")

    @property
    def source(self) -> str:
        """Where the question arises, and who says what; empty if it does not tell."""
        return _note_text(self.notes, "source")


@dataclass(frozen=True, slots=True)
class Memory:
    """Something remembered: its sort and how long (`player`, `turn`, `table`)."""

    name: Word
    sort: Word
    scope: Word | None
    wording: str
    notes: tuple[Note, ...]
    span: Span

    @property
    def title(self) -> str:
        """What players call its number; empty if they do not see it."""
        return _note_text(self.notes, "title")


def _note_text(notes: tuple[Note, ...], kind: str) -> str:
    return next((note.text for note in notes if note.kind == kind), "")


@dataclass(frozen=True, slots=True)
class Broken:
    """A declaration whose heading could not be read; what could be made out of it.

    `kind` and `name` may be empty. It keeps its name taken, so that one mistake is reported once.
    """

    kind: Word
    name: Word
    body: Statements
    span: Span


WordDeclaration = Define | Steps | Option | Memory
Declaration = Rule | WordDeclaration | Broken
