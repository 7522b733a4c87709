"""What is in the boxes and in the language, as text for people: rules, maps, words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from kbrules.codes import CODES
from kbrules.diagnostics import quoted, suggest
from kbrules.game.board import Board
from kbrules.lang.syntax import tree
from kbrules.lang.syntax.foreign_words import instead_of
from kbrules.lang.typed.core import Rule
from kbrules.lang.typed.signature import StepSignature, Vocabulary
from kbrules.library.boards.positions import draw_framed, legend_of, parse_position
from kbrules.library.boards.tables import TURNED, Layout, lay_section, lay_table, read_layout
from kbrules.library.reading import place_of
from kbrules.library.rules.vocabulary import full_vocabulary
from kbrules.library.ruleset import Ruleset
from kbrules.primitives.vocabulary import KINDS
from kbrules.text import Source
from kbrules.tools.explaining.lookup import entries, entries_of
from kbrules.tools.explaining.options import option_lines, option_list, option_page
from kbrules.tools.publishing.pictures.picture import Picture

__all__ = ["UnknownName", "kinds_shown", "page_of", "picture_of"]

MOST_LISTED = 80
"""So many names are listed in a help; where there are more, it says how to see them."""
_OPTIONS = "options"  # all of them by question, box by box


class UnknownName(Exception):
    """There is nothing of that name; `help` says what there is."""

    def __init__(self, message: str, help: str) -> None:
        super().__init__(message)
        self.help = help


def kinds_shown() -> list[str]:
    """The kinds of things that can be shown."""
    return [*sorted(KINDS), *_SHOWN]


def page_of(ruleset: Ruleset, kind: str, name: str, turned: bool = False) -> str:
    """A thing of a kind by its name; without a name, a list of those there are.

    Raises `UnknownName` for a kind or a name there is not.
    """
    if kind in KINDS:
        rules = {rule.id: rule for rule in ruleset.rules if rule.kind == kind}
        if not name:
            return _listed({id: rule.title or rule.wording for id, rule in rules.items()})
        if name not in rules and (taker := _replacing(ruleset, kind, name)):
            help = f"{quoted(taker)} takes its place: `show {kind} {taker}`"
            raise UnknownName(f"the {kind} {quoted(name)} is replaced", help)
        return _rule(ruleset, rules[_known(kind, name, rules)])
    if kind not in _SHOWN:
        raise _unknown_kind(ruleset, kind)
    things = _SHOWN[kind]
    if kind == _OPTIONS and not name:
        return option_list(ruleset)
    if not name:
        return _listed(things.all(ruleset))
    return things.one(ruleset, f"{name} {TURNED}" if turned else name)


def _replacing(ruleset: Ruleset, kind: str, name: str) -> str:
    """The rule that takes the place of another; empty if none does."""
    found = (rule.id for rule in ruleset.rules if (rule.kind, rule.replaces) == (kind, name))
    return next(found, "")


def _known(noun: str, name: str, names: Iterable[str]) -> str:
    if name not in names:
        raise _unknown(noun, name, names)
    return name


def _unknown(noun: str, name: str, names: Iterable[str]) -> UnknownName:
    near = suggest(name, names := sorted(names))
    listed = ", ".join(names) or "none"
    listed = listed if len(names) <= MOST_LISTED else f"{len(names)}; `show {noun}` lists them"
    help_ = instead_of(name) or (
        f"did you mean {quoted(near)}?" if near else f"there are: {listed}"
    )
    if name in CODES:
        help_ = f"it is a code: `kbrules explain {name}`"
    return UnknownName(f"there is no {noun} {quoted(name)}", help_)


def _unknown_kind(ruleset: Ruleset, kind: str) -> UnknownName:
    """Whoever leaves the kind out has named a thing; its kind is known to us."""
    error = _unknown("kind of thing", kind, kinds_shown())
    if suggest(kind, kinds_shown()):
        return error
    things = {rule.id: rule.kind for rule in ruleset.rules}
    for each, of in _SHOWN.items():
        things = dict.fromkeys(of.all(ruleset), each) | things
    if near := kind if kind in things else suggest(kind, sorted(things)):
        error.help = f"did you mean {quoted(f'show {things[near]} {near}')}?"
    return error


def _listed(things: Mapping[str, str]) -> str:
    width = max((len(name) for name in things), default=0)
    lines = [f"{name:<{width}}  {about}".rstrip() for name, about in sorted(things.items())]
    return "\n".join(lines) or "none"


# Rules


def _rule(ruleset: Ruleset, rule: Rule) -> str:
    span = rule.span
    lines = [
        f"{rule.title or rule.id} ({rule.kind} {rule.id})",
        rule.wording,
        "",
        place_of(span),
        *(f"{number:>5} | {line}".rstrip() for number, line in _declaration(rule)),
    ]
    for example in rule.examples:
        lines += ["", *_example(ruleset, example)]
    return "\n".join(lines)


def _declaration(rule: Rule) -> list[tuple[int, str]]:
    """The lines of a declaration without its examples, each with its number.

    What a table says is shown as if it were written out, with the numbers of what it is made of.
    """
    text = rule.span.source.whole_text
    examples = {text.rfind("\n", 0, example.span.start) + 1 for example in rule.examples}
    start = text.rfind("\n", 0, rule.span.start) + 1
    found: list[tuple[int, str]] = []
    while start < len(text) and start not in examples:
        line = text[start : text.find("\n", start) % (len(text) + 1)]
        if found and line.strip() and not line.startswith(" "):
            break
        found.append((_line_of(rule.span.source, start), line))
        start += len(line) + 1
    while not found[-1][1].strip():
        found.pop()
    return found


def _line_of(source: Source, start: int) -> int:
    """The number of the line that begins at a place."""
    return source.span(start, start + 1).line


def _example(ruleset: Ruleset, example: tree.Example) -> Iterator[str]:
    yield f"Example{f': {example.title}' if example.title else ''}"
    if example.drawing is not None:
        position, _ = parse_position(ruleset.catalog, example.drawing)
        if position is not None:
            board, pieces, marks = position.board, position.pieces, position.marks
            yield draw_framed(ruleset.catalog, board, pieces, marks)
    for line in example.lines:
        yield f"  {line.span.text}"


# Maps


def _sections(ruleset: Ruleset) -> dict[str, str]:
    return {
        id: ", ".join(section.places.values()) + (" (stand-in map)" if section.stand_in else "")
        for id, section in ruleset.parts.sections.items()
    }


def _section(ruleset: Ruleset, name: str) -> str:
    id, _, way = name.partition(" ")
    board = _section_board(ruleset, name)
    return "\n".join([f"{id}, {'turned' if way else 'upright'}", "", *_map(ruleset, board)])


def _section_board(ruleset: Ruleset, name: str) -> Board:
    id, _, way = name.partition(" ")
    _known("section", id, ruleset.parts.sections)
    try:
        return lay_section(ruleset.catalog, ruleset.parts.sections[id], way == TURNED)
    except ValueError as error:
        raise UnknownName(str(error), f"it lies upright: `show section {id}`") from None


def _setups(ruleset: Ruleset) -> dict[str, str]:
    return {id: f"{s.title}: {s.layout or 'drawn'}" for id, s in ruleset.parts.setups.items()}


def _board(ruleset: Ruleset, text: str) -> str:
    layout, board = _table(ruleset, text)
    return "\n".join([str(layout), "", *_map(ruleset, board)])


def _table(ruleset: Ruleset, text: str) -> tuple[Layout, Board]:
    """The layout that a text or the name of a set-up stands for, and its board."""
    setups = ruleset.parts.setups
    layout = setups[text].layout if text in setups else None
    try:
        layout = layout or read_layout(text)
        return layout, lay_table(ruleset.catalog, ruleset.parts, layout)
    except ValueError as error:
        near = suggest(text, setups)
        help_ = (
            f"did you mean the set-up {quoted(near)}?"
            if near
            else (
                f"write rows of sections, `one two/three four {TURNED}`, or one of the set-ups: "
                + (", ".join(sorted(setups)) or "there are none")
            )
        )
        raise UnknownName(str(error), help_) from None


def picture_of(ruleset: Ruleset, kind: str, name: str, turned: bool = False) -> Picture:
    """A section or board as a picture. Raises `UnknownName` for what has none."""
    if kind == "section":
        board = _section_board(ruleset, f"{name} {TURNED}" if turned else name)
    elif kind == "board":
        board = _table(ruleset, name)[1]
    else:
        help = "sections, boards, scenarios and logs have one"
        raise UnknownName(f"a {kind} has no picture", help)
    return Picture(board, title=name)


def _map(ruleset: Ruleset, board: Board) -> Iterator[str]:
    yield draw_framed(ruleset.catalog, board, {}, {})
    yield ""
    counts = zip(ruleset.catalog.hexes, board.kinds, strict=True)
    yield ", ".join(f"{k.letter} {k.title} {m.bit_count()}" for k, m in counts if m)
    legend = legend_of(board)
    if legend:
        yield ", ".join(f"{digit} {id}" for digit, id in legend.items())
    if board.note:
        yield board.note


def _option(ruleset: Ruleset, name: str) -> str:
    return option_page(ruleset, _known("option", name, ruleset.options))


# Words


def _words(ruleset: Ruleset) -> dict[str, str]:
    found: dict[str, str] = {}
    for each in entries(ruleset):
        found.setdefault(each.name, _first(each.page))
    return found


def _first(page: str) -> str:
    return page.split("\n")[0]


def _word(ruleset: Ruleset, name: str) -> str:
    found = entries_of(ruleset, name)
    _known("word", name, [name] if found else _words(ruleset))
    return "\n\n".join(each.text for each in found)


def _vocabulary(ruleset: Ruleset) -> Vocabulary:
    return full_vocabulary(ruleset.catalog)


def _steps(ruleset: Ruleset) -> dict[str, str]:
    steps = _vocabulary(ruleset).steps
    return {verb: _first(found[0].page) for verb, found in steps.items()}


def _step(ruleset: Ruleset, verb: str) -> str:
    steps = _vocabulary(ruleset).steps
    return "\n\n".join(_step_page(each) for each in steps[_known("step", verb, steps)])


def _step_page(step: StepSignature) -> str:
    lines = [step.pattern, step.page]
    if step.example:
        lines.append(f"For example: {step.example}")
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _Kind:
    """How things of a kind are listed, with a word about each, and how one is shown."""

    all: Callable[[Ruleset], dict[str, str]]
    one: Callable[[Ruleset, str], str]


_SHOWN: Mapping[str, _Kind] = {
    "section": _Kind(_sections, _section),
    "board": _Kind(_setups, _board),
    "option": _Kind(option_lines, _option),
    _OPTIONS: _Kind(option_lines, _option),
    "word": _Kind(_words, _word),
    "step": _Kind(_steps, _step),
}
