"""What is in the boxes and in the language, and every word one may write, as text for people."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from kbrules.diagnostics import CodedError, Diagnostic, did_you_mean, quoted, suggest
from kbrules.engine import configuration, setup
from kbrules.engine.game import Game
from kbrules.engine.simulation.kernels import kernel_of
from kbrules.game.board import Board, Catalog
from kbrules.game.view import WHOSE
from kbrules.kernel.lowering.writing import FunctionWriter
from kbrules.lang.syntax import syntax_errors, tree
from kbrules.lang.typed import SORT_NAMES, Rule, Signature, Sort, StepSignature, Vocabulary
from kbrules.library import discovery, store
from kbrules.library.boards.positions import draw_framed, legend_of, parse_position
from kbrules.library.boards.tables import TURNED, Layout, lay_section, lay_table, read_layout
from kbrules.library.box import Box, installed_boxes, read_box, shipped_box, shipped_boxes
from kbrules.library.reading import MANIFEST, RULES, data_root, place_of
from kbrules.library.ruleset import Ruleset
from kbrules.library.vocabulary import full_vocabulary, tables_of
from kbrules.messages import CODES
from kbrules.primitives.vocabulary import EXAMPLE_WORDS, GRAMMAR_WORDS, KINDS
from kbrules.text import Span, visible
from kbrules.tools.pictures.board import Picture
from kbrules.tools.reports.data import Data, Part
from kbrules.tools.reports.report import Lines, Report

if TYPE_CHECKING:
    from pydantic import BaseModel


# The tables of scenario and box files: for each where it stands and its model.


Table = tuple[str, "type[BaseModel]"]


def scenario_tables() -> Iterator[Table]:
    """The tables of a scenario file, and under which key each stands; a table before its parts."""
    from kbrules.scenario import models

    yield "The file", models.ScenarioFile
    yield "`board`", models.BoardModel
    yield "`sectors` of a `board`", models.SectorsModel
    yield "`position`", models.PositionModel
    yield "`a` to `f` of a `position`", models.SeatModel
    yield "`nobody` of a `position`", models.NeutralPiecesModel
    yield "`tiles` of a player", models.HeldTileModel
    yield "`turn`", models.TurnModel
    yield "An entry of `steps`", models.StepModel
    yield "`expect`", models.ExpectModel
    yield "An offer with `includes` and `excludes`", models.PartialOfferModel
    yield "An entry of `refused`", models.RefusedMoveModel
    yield "An entry of `tiles` in `expect`", models.ExpectedTileModel
    yield "`reachable` and `unreachable`", models.ReachableModel


def box_tables() -> Iterator[Table]:
    """The same of the file of a box, `expansion.yaml`."""
    from kbrules.library import models

    yield "The file", models.Expansion
    yield "`players`", models.PlayersModel
    yield "`table`", models.TableModel
    yield "`section`, and the size of a grid", models.SizeModel
    yield "An entry of `grids`", models.GridModel
    yield "`instead`", models.InsteadModel
    yield "An entry of `terrains` and `places`", models.HexModel
    yield "An entry of `pieces`", models.PieceModel
    yield "An entry of `tiles`", models.TileModel
    yield "An entry of `deck`", models.DeckModel
    yield "An entry of `setups`", models.SetupModel
    yield "An entry of `marks`", models.MarkModel
    yield "An entry of `sections`", models.SectionModel


@dataclass(frozen=True, slots=True)
class LookupEntry:
    """A page of a word: what kind of word it is, how it is written, and what it means."""

    name: str
    kind: str
    usage: str
    page: str
    example: str = ""

    @property
    def text(self) -> str:
        """The page as text."""
        lines = [self.usage, f"{self.page} ({self.kind})" if self.kind else self.page]
        return "\n".join([*lines, *([f"For example: {self.example}"] if self.example else [])])


def entries_of(ruleset: Ruleset, name: str) -> list[LookupEntry]:
    """Return the pages of a word; none if nothing is called so."""
    word = " ".join(name.split())
    return [each for each in _entries(ruleset) if each.name == word]


def _entries(ruleset: Ruleset) -> Iterator[LookupEntry]:
    return entries(ruleset.catalog, ruleset.declarations, ruleset.rules)


def entries(
    catalog: Catalog, declarations: Iterable[tree.Declaration], rules: Iterable[Rule]
) -> Iterator[LookupEntry]:
    """Yield all pages: the words of the language first, then those of boxes and keys of files."""
    vocabulary = full_vocabulary(catalog)
    yield from _of_signatures(vocabulary)
    yield from _of_steps(vocabulary)
    yield from _of_events(vocabulary)
    yield from (LookupEntry(name, "", *each) for name, each in GRAMMAR_WORDS.items())
    yield from (LookupEntry(name, "in an example", *each) for name, each in EXAMPLE_WORDS.items())
    yield from declared_words(declarations)
    yield from components(catalog, rules)
    yield from file_keys()


def _of_signatures(vocabulary: Vocabulary) -> Iterator[LookupEntry]:
    for words, usage in (
        (vocabulary.words, str),
        (vocabulary.folds, _fold),
        (vocabulary.operators, _operation),
    ):
        for name, signatures in words.items():
            for each in signatures:
                written = f"{usage(each)}: {each.result}"
                yield LookupEntry(name, "", written, each.page, each.example)


def _fold(signature: Signature) -> str:
    taken = signature.parameters[0].sort
    return f"{signature.name}({taken} for name in groups or players)"


def _operation(signature: Signature) -> str:
    sorts = f" {signature.name} ".join(each.sort for each in signature.parameters)
    return sorts if len(signature.parameters) > 1 else f"{signature.name} {sorts}"


def _of_steps(vocabulary: Vocabulary) -> Iterator[LookupEntry]:
    for verb, signatures in vocabulary.steps.items():
        for step in signatures:
            yield LookupEntry(verb, "a step", step.pattern, step.page, step.example)
            for word in _parts(step):
                yield LookupEntry(word, f"a part of the step `{verb}`", step.pattern, step.page)
    for verb in sorted(vocabulary.norm_verbs()):
        page = vocabulary.further_verbs.get(verb, f"Norms say what holds for `{verb}`.")
        yield LookupEntry(verb, "a verb of norms", f"forbid {verb} on HEXES", page)


def _parts(step: StepSignature) -> Iterator[str]:
    """The words in a step beside its verb."""
    for parameter in step.parameters:
        if parameter.kind in ("adverb", "phrase"):
            yield parameter.name
        yield from parameter.nouns


def _of_events(vocabulary: Vocabulary) -> Iterator[LookupEntry]:
    for event in vocabulary.events.values():
        yield LookupEntry(event.name, "an event", f"when {event.name}:", f"{event.page} {WHOSE}")
        for name, sort in event.binds:
            page = f"{SORT_NAMES[sort][0].upper()}{SORT_NAMES[sort][1:]}. {event.page}"
            yield LookupEntry(name, f"known after `when {event.name}`", name, page)
    steps = (step for signatures in vocabulary.steps.values() for step in signatures)
    bound = {each for step in steps for parameter in step.parameters for each in parameter.binds}
    for name, sort in bound:
        page = f"{SORT_NAMES[sort][0].upper()}{SORT_NAMES[sort][1:]} that was chosen before."
        yield LookupEntry(name, "known in the part of a step behind it", name, page)


def declared_words(declarations: Iterable[tree.Declaration]) -> Iterator[LookupEntry]:
    """Yield the words that files declare, with the place."""
    for each in declarations:
        if isinstance(each, tree.WordDeclaration):
            kind = type(each).__name__.lower()
            place = place_of(each.span)
            yield LookupEntry(each.name.text, f"{kind} in {place}", _usage(each), each.wording)


def _usage(declaration: tree.WordDeclaration) -> str:
    name = declaration.name.text
    if isinstance(declaration, tree.Define | tree.Steps) and declaration.parameters:
        parameters = ", ".join(f"{name.text}: {sort.text}" for name, sort in declaration.parameters)
        return f"{name}({parameters})"
    return name


def components(catalog: Catalog, rules: Iterable[Rule]) -> Iterator[LookupEntry]:
    """Yield what the boxes list: terrains, pieces, tiles, cards, numbers, tags; and zones."""
    wordings = {rule.id: rule.wording for rule in rules}
    for table, ids in tables_of(catalog):
        for id in ids:
            if table == "tags":
                yield LookupEntry(id, "one of the tags", id, "What has this tag in the boxes.")
                continue
            page = wordings.get(id) or f"It is listed under `{table}` in its box."
            yield LookupEntry(id, f"one of the {table}", id, page)
    for name, constant in full_vocabulary(catalog).constants.items():
        if constant.sort is Sort.ZONE:
            usage = f"cards({name})"
            yield LookupEntry(name, "a pile of cards", usage, "How many cards lie there.")


def file_keys() -> Iterator[LookupEntry]:
    """The keys of scenario and box files, by the table they stand in."""
    for file, tables in (("scenario", scenario_tables()), ("box", box_tables())):
        for title, model in tables:
            for name, field in model.model_fields.items():
                key = field.alias or name
                kind = f"a key of a {file} file: {title[0].lower()}{title[1:]}"
                yield LookupEntry(key, kind, f"{key}:", field.description or "")


# The boxes that can be loaded by name, with where they come from.


SHIPPED_SOURCE = "kbrules"


class BoxData(Part):
    """A box that can be loaded by its name."""

    id: str
    title: str
    kind: str
    """`expansion`, `edition` or `variant`."""
    version: str
    """As the box says it; empty if it says none."""
    needs: tuple[str, ...]
    source: str
    """`kbrules`, or the installed package and its version."""
    place: str
    """The folder it is in."""


class BoxesData(Data):
    """The boxes of `kbrules boxes`, shipped and installed."""

    boxes: tuple[BoxData, ...]


def boxes_report() -> tuple[Report, list[Diagnostic]]:
    """Return the report of all boxes, and what is wrong with those of installed packages."""
    rows, findings = box_list()
    width = max(len(row.id) for row in rows)
    lines = [f"{row.id:<{width}}  {visible(_origin(row))}" for row in rows]
    data, code = BoxesData(boxes=tuple(rows)), 1 if findings else 0
    return Report("Boxes", [Lines(tuple(lines))], data, exit_code=code), findings


def _origin(row: BoxData) -> str:
    version = f" {row.version}" if row.version else ""
    place = f", {row.place}" if row.source != SHIPPED_SOURCE else ""
    return f"{row.title}{version}, from {row.source}{place}"


def box_list() -> tuple[list[BoxData], list[Diagnostic]]:
    """The shipped boxes, then those of installed packages; and what is wrong with the latter."""
    shipped = [read_box(shipped_box(id))[0] for id in shipped_boxes()]
    rows = [_row(box, SHIPPED_SOURCE) for box in shipped if box is not None]
    findings: list[Diagnostic] = []
    for installed in installed_boxes().values():
        if installed.problem is not None:
            findings.append(installed.problem)
        if installed.folder is not None:
            box, box_findings = read_box(installed.folder / MANIFEST)
            findings += box_findings
            source = f"{installed.package} {installed.package_version}".strip()
            rows += [_row(box, source)] if box is not None else []
    return rows, findings


def _row(box: Box, source: str) -> BoxData:
    return BoxData.from_value(box.model, source=source, place=box.folder.as_posix())


# The options of the boxes as text: the question of each, its readings and its default.


_LIST = "`kbrules show options` lists all by question"
_MAX_SIMILAR = 3  # options that are named in the place of one there is not
_MIN_LETTERS = 4  # letters of a word that tells one question from another


def value_text(value: bool | int) -> str:
    """A value as it is written in rules and at the command line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def option_heading(option: tree.Option) -> str:
    """The question that an option answers, or else its statement."""
    return option.question or option.wording or option.name.text


def readings(option: tree.Option, default: bool | int) -> list[tuple[str, str]]:
    """The values of an option and what each says, the default one among them."""
    if isinstance(default, bool):
        return [("yes", option.wording), ("no", "not so")]
    return [(value_text(default), option.wording)]


def option_lines(ruleset: Ruleset) -> dict[str, str]:
    """Each option with its default and what it says."""
    options = _options(ruleset).items()
    return {id: f"{value_text(ruleset.options[id])}: {each.wording}" for id, each in options}


def option_list(ruleset: Ruleset) -> str:
    """All options by question, box by box."""
    lines_by_box: dict[str, list[str]] = {}
    for id, option in _options(ruleset).items():
        lines = _lines(option, ruleset.options[id])
        lines_by_box.setdefault(_box_of(ruleset, option), []).extend(["", *lines])
    return "\n\n".join("\n".join([box, *lines_by_box[box]]) for box in lines_by_box) or "none"


def _lines(option: tree.Option, default: bool | int) -> Iterator[str]:
    yield f"  {option_heading(option)}"
    yield f"    {option.name.text}={value_text(default)} by default"
    yield from (
        f"    {value}: {meaning}" for value, meaning in readings(option, default) if meaning
    )
    if option.source:
        yield f"    source: {option.source}"


def option_page(ruleset: Ruleset, name: str) -> str:
    """Return one option, with how to choose otherwise and where it stands."""
    option = _options(ruleset)[_require_known("option", name, ruleset.options)]
    value, span = ruleset.options[name], option.span
    default, other = value_text(value), value_text(not value if isinstance(value, bool) else value)
    notes = [option.question, f"source: {option.source}" if option.source else ""]
    return "\n".join([
        f"{name} (option, {default} by default)", option.wording, *filter(None, notes), "",
        place_of(span), f"kbrules play --ruling {name}={other}",
    ])  # fmt: skip


def option_error(ruleset: Ruleset, name: str, value: bool | int | None) -> tuple[str, str] | None:
    """What is wrong with a ruling, and what to do; None if nothing is. value: None for no value."""
    option = _options(ruleset).get(name)
    if option is None:
        return f"there is no option {quoted(name)}", _remedy(ruleset, name)
    is_truth = isinstance(ruleset.options[name], bool)
    if value is not None and isinstance(value, bool) is is_truth:
        return None
    expected = "yes or no" if is_truth else "a number"
    return f"the option {quoted(name)} is {expected}", option_heading(option)


def _remedy(ruleset: Ruleset, name: str) -> str:
    """The box that has the option, or the options that may be meant, by question."""
    for box, option in shipped_options():
        if option.name.text == name:
            return f"it is an option of the box {quoted(box)}: add `--with {box}`"
    options = _options(ruleset)
    suggestion = did_you_mean(name, options)
    first = f"{suggestion}\n" if suggestion else ""
    ids = _similar_options(name, options)
    similar = "".join(f"{id}: {option_heading(options[id])}\n" for id in ids)
    return f"{first}{similar}{_LIST}"


def _similar_options(name: str, options: Mapping[str, tree.Option]) -> list[str]:
    """The options whose names or questions come near, the nearest first."""
    words = {word for word in name.lower().split("_") if len(word) >= _MIN_LETTERS}
    texts = {id: f"{id} {option_heading(option)}".lower() for id, option in options.items()}
    matching = [id for id, text in texts.items() if any(word in text for word in words)]
    return list(dict.fromkeys([*get_close_matches(name, options), *matching]))[:_MAX_SIMILAR]


def shipped_options() -> Iterator[tuple[str, tree.Option]]:
    """Every option of the shipped boxes, with its box."""
    files, root = store.Files(), data_root("rules")
    for box in shipped_boxes():
        for path in discovery.files_in(root / box, RULES):
            yield from ((box, option) for option in _options_in(files.rules(path).declarations))


def _options(ruleset: Ruleset) -> dict[str, tree.Option]:
    return {option.name.text: option for option in _options_in(ruleset.declarations)}


def _options_in(declarations: Iterable[tree.Declaration]) -> Iterator[tree.Option]:
    return (each for each in declarations if isinstance(each, tree.Option))


def _box_of(ruleset: Ruleset, option: tree.Option) -> str:
    """The box of an option, or the folder of an author."""
    path = PurePosixPath(option.span.source.name)
    for folder in ruleset.folders:
        if path.is_relative_to(PurePosixPath(folder)):
            return folder
    return path.parent.name


# What is in the boxes and in the language, as text for people: rules, maps, words.


class ShowData(Data):
    """What `kbrules show` prints of a thing or a word, or the list of a kind."""

    kind: str
    """The requested kind, such as `card`; empty for the list of kinds."""
    name: str
    """The requested name; empty for a list."""
    text: str
    """The page as a terminal shows it; of a list a name in each line."""


def page_report(kind: str, name: str, text: str) -> Report:
    """Return the report of a page or list; `text` is what people read."""
    return Report(name or kind, [Lines((text,))], ShowData(kind=kind, name=name, text=text))


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
        replacement = next((rule.id for rule in rules.values() if rule.replaces == name), "")
        if name not in rules and replacement:
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


def _require_known(noun: str, name: str, names: Iterable[str]) -> str:
    if name not in names:
        raise _unknown(noun, name, names)
    return name


def _unknown(noun: str, name: str, names: Iterable[str]) -> UnknownName:
    names = sorted(names)
    known_names = ", ".join(names) or "none"
    if len(names) > MAX_LISTED:
        known_names = f"{len(names)}; `show {noun}` lists them"
    help_ = syntax_errors.instead_of(name) or did_you_mean(name, names, f"there are: {known_names}")
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
    names = sorted(descriptions.items())
    return "\n".join(f"{name:<{width}}  {text}".rstrip() for name, text in names) or "none"


# Rules


def _rule(ruleset: Ruleset, rule: Rule) -> str:
    declared = declaration_of(ruleset, rule)
    lines = [
        f"{rule.title or rule.id} ({rule.kind} {rule.id})",
        rule.wording,
        "",
        place_of(rule.span),
        *(f"{number:>5} | {line}".rstrip() for number, line in lines_of(declared)),
    ]
    for example in rule.examples:
        lines += ["", *_example(ruleset, example)]
    return "\n".join(lines)


def declaration_of(ruleset: Ruleset, rule: Rule) -> tree.Declaration:
    """Return what declares a rule."""
    return next(each for each in ruleset.declarations if each.span.holds(rule.span))


def lines_of(
    declaration: tree.Declaration, example_lines: Collection[int] = ()
) -> list[tuple[int, str]]:
    """Return the lines of a declaration, each with its number, without its examples but for those
    that begin in the lines `example_lines`.

    A declaration reaches to the next one, and a comment above that belongs to it. What a table
    says is shown as if it were written out, with the numbers of what it is made of.
    """
    span = declaration.span
    hidden = [
        example.span
        for example in (declaration.examples if isinstance(declaration, tree.Rule) else ())
        if example.span.line not in example_lines
    ]
    lines, at = list[tuple[int, str]](), span.start
    for line in span.text.split("\n"):
        if not any(each.start <= at + len(line) and at < each.end for each in hidden):
            lines.append((span.source.span(at, at + 1).line, line))
        at += len(line) + 1
    while lines and (not lines[-1][1].strip() or lines[-1][1].startswith("#")):
        lines.pop()
    return lines


def _example(ruleset: Ruleset, example: tree.Example) -> Iterator[str]:
    yield f"Example{f': {example.title}' if example.title else ''}"
    if example.drawing is not None:
        position, _ = parse_position(ruleset.catalog, example.drawing)
        if position is not None:
            board, pieces, marks = position.board, position.pieces, position.marks
            yield draw_framed(board, pieces, marks)
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
    head = f"{id}, {'turned' if orientation else 'upright'}"
    return "\n".join([head, "", *_board_lines(ruleset, board)])


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
        names = ", ".join(sorted(setups)) or "there are none"
        help_ = f"write rows of sections, `one two/three four {TURNED}`, or one of the set-ups: "
        suggestion = suggest(text, setups)
        help_ = f"did you mean the set-up {quoted(suggestion)}?" if suggestion else help_ + names
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
    yield draw_framed(board, {}, {})
    yield ""
    counts = zip(ruleset.catalog.hexes, board.kinds, strict=True)
    yield ", ".join(f"{k.letter} {k.title} {m.bit_count()}" for k, m in counts if m)
    legend = legend_of(board)
    if legend:
        yield ", ".join(f"{digit} {id}" for digit, id in legend.items())
    if board.note:
        yield board.note


# Words


def _words(ruleset: Ruleset) -> dict[str, str]:
    pages: dict[str, str] = {}
    for each in _entries(ruleset):
        pages.setdefault(each.name, each.page.split("\n")[0])
    return pages


def _word(ruleset: Ruleset, name: str) -> str:
    pages = entries_of(ruleset, name)
    _require_known("word", name, [name] if pages else _words(ruleset))
    return "\n\n".join(each.text for each in pages)


def _steps(ruleset: Ruleset) -> dict[str, str]:
    steps = full_vocabulary(ruleset.catalog).steps
    return {verb: signatures[0].page.split("\n")[0] for verb, signatures in steps.items()}


def _step(ruleset: Ruleset, verb: str) -> str:
    steps = full_vocabulary(ruleset.catalog).steps
    found = steps[_require_known("step", verb, steps)]
    return "\n\n".join(LookupEntry(verb, "", s.pattern, s.page, s.example).text for s in found)


class _Kind(NamedTuple):
    """How things of a kind are listed, with a word about each, and how one is shown."""

    all: Callable[[Ruleset], dict[str, str]]
    one: Callable[[Ruleset, str], str]


_OTHER_KINDS: Mapping[str, _Kind] = {
    "section": _Kind(_sections, _section),
    "board": _Kind(_setups, _board),
    "option": _Kind(option_lines, option_page),
    _OPTIONS: _Kind(option_lines, option_page),
    "word": _Kind(_words, _word),
    "step": _Kind(_steps, _step),
}


# The source of a configuration: the functions of a kernel that were written for its rules.
#
# Lines that come from a rule say which, by file and line; that is shown beside the source, for
# nothing that an author wrote stands in it.


_FAR = 88
"""Comments begin no further to the right, where the line allows it."""


def source_texts(
    ruleset: Ruleset, table: setup.TableSetup, rule: Rule | None = None
) -> Iterator[str]:
    """The functions of a table's kernel, each below its length; a rule's own for one."""
    functions = _functions(setup.game_at(ruleset, table))
    if rule is not None:
        declaration = declaration_of(ruleset, rule).span
        functions = [fn for fn in functions if any(map(declaration.holds, fn.places.values()))]
    for fn in functions:
        text = listing(fn.text, fn.places)
        yield f"# {text.count(chr(10))} lines\n\n{text}"


def _functions(game: Game) -> list[FunctionWriter]:
    """Those of a table's kernel, without the gold of cards that are not on the table."""
    lowered = kernel_of(game, configuration.PYTHON).lowered
    scoring = {rule.id for rule in game.scoring.rules}
    rules = enumerate(lowered.paying_rules)
    absent = {f"gold_{number}" for number, id in rules if id not in scoring}
    return [fn for fn in lowered.functions if fn.name not in absent]


def listing(text: str, places: Mapping[int, Span]) -> str:
    """A source with each place at the first only of the lines that it has in a row."""
    lines, last_place = text.splitlines(), ""
    width = min(_FAR, max(map(len, lines), default=0))
    for number, span in sorted(places.items()):
        place = place_of(span)
        if place != last_place:
            lines[number - 1] = f"{lines[number - 1]:<{width}}  # {place}"
            last_place = place
    return "\n".join(lines) + "\n"
