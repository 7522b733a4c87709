"""What is in the boxes and in the language, as text for people: rules, maps, words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from kbrules.diagnostics import CodedError, did_you_mean, quoted, suggest
from kbrules.game.board import Board
from kbrules.lang.syntax import tree
from kbrules.lang.syntax.syntax_errors import instead_of
from kbrules.lang.typed import Rule, StepSignature, Vocabulary
from kbrules.library.boards.positions import draw_framed, legend_of, parse_position
from kbrules.library.boards.tables import TURNED, Layout, lay_section, lay_table, read_layout
from kbrules.library.reading import place_of
from kbrules.library.rules.vocabulary import full_vocabulary
from kbrules.library.ruleset import Ruleset
from kbrules.messages import CODES
from kbrules.primitives.vocabulary import KINDS
from kbrules.text import Source
from kbrules.tools.explaining.lookup import entries, entries_of
from kbrules.tools.explaining.options import option_lines, option_list, option_page
from kbrules.tools.publishing.pictures.picture import Picture

MAX_LISTED = 80
"""So many names are listed in a help; where there are more, it says how to see them."""
_OPTIONS = "options"  # all of them by question, box by box


class UnknownName(CodedError):
    """There is nothing of that name; `help` says what there is."""

    code = "KB413"


def kinds_shown() -> list[str]:
    """The kinds of things that can be shown."""
    return [*sorted(KINDS), *_OTHER_KINDS]


def page_of(ruleset: Ruleset, kind: str, name: str, turned: bool = False) -> str:
    """A thing of a kind by its name; without a name, a list of those there are.

    Raises `UnknownName` for a kind or a name there is not.
    """
    if kind in KINDS:
        rules = {rule.id: rule for rule in ruleset.rules if rule.kind == kind}
        if not name:
            return _name_list({id: rule.title or rule.wording for id, rule in rules.items()})
        if name not in rules and (replacement := _replacement_of(ruleset, kind, name)):
            help = f"{quoted(replacement)} takes its place: `show {kind} {replacement}`"
            raise UnknownName(f"the {kind} {quoted(name)} is replaced", help)
        return _rule(ruleset, rules[_require_known(kind, name, rules)])
    if kind not in _OTHER_KINDS:
        raise _unknown_kind(ruleset, kind)
    listing = _OTHER_KINDS[kind]
    if kind == _OPTIONS and not name:
        return option_list(ruleset)
    if not name:
        return _name_list(listing.all(ruleset))
    return listing.one(ruleset, f"{name} {TURNED}" if turned else name)


def _replacement_of(ruleset: Ruleset, kind: str, name: str) -> str:
    """The rule that takes the place of another; empty if none does."""
    replacements = (rule.id for rule in ruleset.rules if (rule.kind, rule.replaces) == (kind, name))
    return next(replacements, "")


def _require_known(noun: str, name: str, names: Iterable[str]) -> str:
    if name not in names:
        raise _unknown(noun, name, names)
    return name


def _unknown(noun: str, name: str, names: Iterable[str]) -> UnknownName:
    names = sorted(names)
    known_names = ", ".join(names) or "none"
    if len(names) > MAX_LISTED:
        known_names = f"{len(names)}; `show {noun}` lists them"
    help_ = instead_of(name) or did_you_mean(name, names, f"there are: {known_names}")
    if name in CODES:
        help_ = f"it is a code: `kbrules explain {name}`"
    return UnknownName(f"there is no {noun} {quoted(name)}", help_)


def _unknown_kind(ruleset: Ruleset, kind: str) -> UnknownName:
    """Whoever leaves the kind out has named a thing; its kind is known to us."""
    error = _unknown("kind of thing", kind, kinds_shown())
    if suggest(kind, kinds_shown()):
        return error
    kinds = {rule.id: rule.kind for rule in ruleset.rules}
    for each, listing in _OTHER_KINDS.items():
        kinds = dict.fromkeys(listing.all(ruleset), each) | kinds
    if suggestion := kind if kind in kinds else suggest(kind, sorted(kinds)):
        error.help = f"did you mean {quoted(f'show {kinds[suggestion]} {suggestion}')}?"
    return error


def _name_list(descriptions: Mapping[str, str]) -> str:
    width = max((len(name) for name in descriptions), default=0)
    lines = [
        f"{name:<{width}}  {description}".rstrip()
        for name, description in sorted(descriptions.items())
    ]
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
    lines: list[tuple[int, str]] = []
    while start < len(text) and start not in examples:
        line = text[start : text.find("\n", start) % (len(text) + 1)]
        if lines and line.strip() and not line.startswith(" "):
            break
        lines.append((_line_of(rule.span.source, start), line))
        start += len(line) + 1
    while not lines[-1][1].strip():
        lines.pop()
    return lines


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
    id, _, orientation = name.partition(" ")
    board = _section_board(ruleset, name)
    return "\n".join(
        [f"{id}, {'turned' if orientation else 'upright'}", "", *_board_lines(ruleset, board)]
    )


def _section_board(ruleset: Ruleset, name: str) -> Board:
    id, _, orientation = name.partition(" ")
    _require_known("section", id, ruleset.parts.sections)
    try:
        return lay_section(ruleset.catalog, ruleset.parts.sections[id], orientation == TURNED)
    except ValueError as error:
        raise UnknownName(str(error), f"it lies upright: `show section {id}`") from None


def _setups(ruleset: Ruleset) -> dict[str, str]:
    return {id: f"{s.title}: {s.layout or 'drawn'}" for id, s in ruleset.parts.setups.items()}


def _board(ruleset: Ruleset, text: str) -> str:
    layout, board = _table(ruleset, text)
    return "\n".join([str(layout), "", *_board_lines(ruleset, board)])


def _table(ruleset: Ruleset, text: str) -> tuple[Layout, Board]:
    """The layout that a text or the name of a set-up stands for, and its board."""
    setups = ruleset.parts.setups
    layout = setups[text].layout if text in setups else None
    try:
        layout = layout or read_layout(text)
        return layout, lay_table(ruleset.catalog, ruleset.parts, layout)
    except ValueError as error:
        suggestion = suggest(text, setups)
        help_ = (
            f"did you mean the set-up {quoted(suggestion)}?"
            if suggestion
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


def _board_lines(ruleset: Ruleset, board: Board) -> Iterator[str]:
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
    return option_page(ruleset, _require_known("option", name, ruleset.options))


# Words


def _words(ruleset: Ruleset) -> dict[str, str]:
    pages: dict[str, str] = {}
    for each in entries(ruleset):
        pages.setdefault(each.name, _first_line(each.page))
    return pages


def _first_line(page: str) -> str:
    return page.split("\n")[0]


def _word(ruleset: Ruleset, name: str) -> str:
    pages = entries_of(ruleset, name)
    _require_known("word", name, [name] if pages else _words(ruleset))
    return "\n\n".join(each.text for each in pages)


def _vocabulary(ruleset: Ruleset) -> Vocabulary:
    return full_vocabulary(ruleset.catalog)


def _steps(ruleset: Ruleset) -> dict[str, str]:
    steps = _vocabulary(ruleset).steps
    return {verb: _first_line(signatures[0].page) for verb, signatures in steps.items()}


def _step(ruleset: Ruleset, verb: str) -> str:
    steps = _vocabulary(ruleset).steps
    return "\n\n".join(_step_page(each) for each in steps[_require_known("step", verb, steps)])


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


_OTHER_KINDS: Mapping[str, _Kind] = {
    "section": _Kind(_sections, _section),
    "board": _Kind(_setups, _board),
    "option": _Kind(option_lines, _option),
    _OPTIONS: _Kind(option_lines, _option),
    "word": _Kind(_words, _word),
    "step": _Kind(_steps, _step),
}
