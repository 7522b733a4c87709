"""What rules and data speak of and how: unused, missing, and odd wording, titles, drawings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from kbrules.diagnostics import Diagnostic, Label, quoted
from kbrules.game.board import CARDS_BESIDE, CARDS_IN_PLAY, Catalog
from kbrules.hex.grid import HOLE
from kbrules.lang import typed as core
from kbrules.lang.checker.rules import names_in
from kbrules.lang.syntax import tree
from kbrules.lang.typed import Sort, nodes_in
from kbrules.library import texts as box_texts
from kbrules.library.boards.tables import DrawingSource, DrawnWord
from kbrules.library.box import Box
from kbrules.primitives.vocabulary import CARD_KINDS, TILE_KINDS, vocabulary
from kbrules.text import Source, Span, counted
from kbrules.tools.lint.subject import Subject, lint, statements_of

# What rules and data speak of, what is declared and never used, and texts that are missing.


_HELP = "use it, or delete it"


@dataclass(frozen=True, slots=True)
class Uses:
    """Names that are read, and names of memories that something is put into."""

    read: frozenset[str]
    filled: frozenset[str]


def uses(subject: Subject) -> Uses:
    """What all loaded files together speak of, selected or not."""
    read: set[str] = set(subject.ruleset.marks)
    filled: set[str] = set()
    for declaration in subject.loaded.declarations:
        defined = declaration.name.text if isinstance(declaration, tree.Define | tree.Steps) else ""
        memories = set()
        for part in nodes_in(declaration):
            if isinstance(part, tree.Step):
                for memory in _memories(part):
                    memories.add(id(memory))
                    filled.add(memory.text)
            elif isinstance(part, tree.Name | tree.Call | tree.Change) and id(part) not in memories:
                of = part.quantity if isinstance(part, tree.Change) else part
                read |= {of.name if isinstance(of, tree.Call) else of.text} - {defined}
    return Uses(frozenset(read), frozenset(filled))


def _memories(step: tree.Step) -> Iterator[tree.Name]:
    """The memories a step puts something into, where they are named."""
    for signature in vocabulary().steps.get(step.verb.text, ()):
        parameters = {each.name for each in signature.parameters if each.sort is Sort.MEMORY}
        for phrase in step.arguments:
            if phrase.preposition.text in parameters and isinstance(phrase.value, tree.Name):
                yield phrase.value


# What is declared and never used, and texts that are missing.


@lint("KB703")
def unused_define(subject: Subject) -> Iterator[Diagnostic]:
    """A define, or named steps, that nothing speaks of."""
    read = subject.shared(uses).read
    yield from _unused("KB703", "define", subject.nodes(tree.Define), read)
    yield from _unused("KB703", "steps", subject.nodes(tree.Steps), read)


@lint("KB704")
def unused_option(subject: Subject) -> Iterator[Diagnostic]:
    """An option whose value nothing asks for."""
    read = subject.shared(uses).read
    yield from _unused("KB704", "option", subject.nodes(tree.Option), read)


def _unused(
    code: str, noun: str, declared: Iterable[tree.WordDeclaration], read: frozenset[str]
) -> Iterator[Diagnostic]:
    for each in declared:
        if each.name.text not in read:
            message = f"no rule uses the {noun} `{each.name.text}`"
            yield Diagnostic(code, each.name.span, message, _HELP)


@lint("KB705")
def memory_never_read(subject: Subject) -> Iterator[Diagnostic]:
    """A memory that is never read."""
    read = subject.shared(uses).read
    for memory in subject.nodes(tree.Memory):
        if memory.name.text not in read and not memory.title:
            message = f"no rule asks what `{memory.name.text}` holds"
            yield Diagnostic("KB705", memory.name.span, message, _HELP)


@lint("KB706")
def memory_never_filled(subject: Subject) -> Iterator[Diagnostic]:
    """A memory that is read, and into which nothing is ever put."""
    known = subject.shared(uses)
    for memory in subject.nodes(tree.Memory):
        name = memory.name.text
        if (name in known.read or memory.title) and name not in known.filled:
            is_set = memory.sort.text == "hexes"
            verb, holds = ("add ... to", "empty") if is_set else ("count ... into", "0")
            message = f"nothing is ever put into `{name}`: it is always {holds}"
            yield Diagnostic("KB706", memory.name.span, message, f"write `{verb} {name}` somewhere")


@lint("KB707")
def unused_entry(subject: Subject) -> Iterator[Diagnostic]:
    """A number or a tag of a box that no rule speaks of."""
    read = subject.shared(uses).read | {CARDS_BESIDE, CARDS_IN_PLAY}
    for box in subject.boxes:
        for noun, name, span in _entries(box):
            if name not in read:
                yield Diagnostic("KB707", span, f"no rule speaks of the {noun} `{name}`", _HELP)


def _entries(box: Box) -> Iterator[tuple[str, str, Span]]:
    """The numbers and tags of a box, each where it stands first."""
    for name in box.model.numbers:
        yield "number", name, box.key("numbers", name)
    seen: set[str] = set()
    for table in ("terrains", "places", "pieces", "grids"):
        for id, component in getattr(box.model, table).items():
            for at, tag in enumerate(component.tags):
                if tag not in seen:
                    seen.add(tag)
                    yield "tag", tag, box.span(table, id, "tags", at)


@lint("KB708")
def unused_variable(subject: Subject) -> Iterator[Diagnostic]:
    """Words over a loop that do not speak of what it runs over, or a parameter without a use.

    Steps may well be done for each of some hexes or players without a word about them.
    """
    for fold in subject.nodes(tree.Fold):
        yield from _unused_name(fold.variable, "loop", fold.condition, fold.body)
    for define in subject.nodes(tree.Define):
        yield from _unused_parameters(define.parameters, define.body)
    for steps in subject.nodes(tree.Steps):
        yield from _unused_parameters(steps.parameters, steps.body)


def _unused_parameters(
    parameters: Iterable[tuple[tree.Word, tree.Word]], body: object
) -> Iterator[Diagnostic]:
    for name, _ in parameters:
        yield from _unused_name(name, "definition", body)


def _unused_name(name: tree.Word, what: str, *parts: object) -> Iterator[Diagnostic]:
    if name.text not in names_in(*parts):
        message = f"the {what} never speaks of `{name.text}`"
        help_ = "say what is asked of each" if what == "loop" else "leave it out"
        yield Diagnostic("KB708", name.span, message, help_)


# Texts in other languages that are missing, or older than what they translate.

_LISTED = 6
Known = tuple[box_texts.Texts, dict[str, box_texts.Original]]


@lint("KB770")
def missing_texts(subject: Subject) -> Iterator[Diagnostic]:
    """A file of texts that lacks some of what the box says."""
    for texts, originals_by_key in _translated(subject):
        keys = [f"`{each.key}`" for each in box_texts.missing(texts, originals_by_key)]
        if keys:
            more = [f"and {len(keys) - _LISTED} more"] if len(keys) > _LISTED else []
            message = f"{counted(len(keys), 'text')} of the box not translated here"
            help = ", ".join([*keys[:_LISTED], *more])
            yield Diagnostic("KB770", texts.document.span_at(("format",), key=True), message, help)


@lint("KB771")
def stale_texts(subject: Subject) -> Iterator[Diagnostic]:
    """A text without the stamp of what the box says now."""
    for texts, originals_by_key in _translated(subject):
        for each, span in box_texts.stale(texts, originals_by_key):
            stamped = each.key in texts.model.stamps
            why = "has changed since this was translated" if stamped else "has no stamp"
            label = Label(each.span, "what it translates")
            help = "if it still fits, or once it does: `kbrules texts --stamp`"
            yield Diagnostic("KB771", span, f"`{each.key}` {why}", help, (label,))


def translated_sources(subject: Subject) -> list[Source]:
    """The files of texts of the selected boxes, in which comments may suppress warnings."""
    return [texts.document.source for texts, _ in _translated(subject)]


def _translated(subject: Subject) -> Iterator[Known]:
    """The files of texts of the selected boxes, which could be read."""
    for box in subject.boxes:
        known = None
        for path in box_texts.texts_in(box):
            texts, findings = subject.files.texts(path)
            if texts is not None and not findings:
                known = known or box_texts.originals(box, subject.loaded.declarations)
                yield texts, known


# Wording and titles: numbers and things a rule does not have, titles that do not tell apart.

_WORDS = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_NUMBERS = {word: value for value, word in enumerate(_WORDS, 2)} | {"twice": 2}
_ORDINALS = {"second": 2, "third": 3, "fourth": 4, "fifth": 5}
_PAIR = r"two(?= gold| or )|(?<=every )two|(?<=each )two|(?<=least )two|(?<=exactly )two"
# "The four sectors" and "all six neighbours" say how many there are, not how many are asked for.
_NUMBER = re.compile(
    rf"\b(?<!\bthe )(?<!\ball )"
    rf"(?:{'|'.join(each for each in _NUMBERS if each != 'two')}|[0-9]+|{_PAIR})\b",
    re.IGNORECASE,
)
_RANKED = re.compile(rf"\b(?:{'|'.join(_ORDINALS)})(?= most| fewest| place\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RuleFacts:
    """What a rule speaks of: numbers, ranks, and the ids of components."""

    numbers: set[int] = field(default_factory=set)
    ranks: set[int] = field(default_factory=set)
    ids: set[str] = field(default_factory=set)


def facts_of(rule: core.Rule, catalog: Catalog, options: Mapping[str, int]) -> RuleFacts:
    """What the typed statements of a rule speak of, its defines included.

    options: what each is if nobody chooses; wording speaks of that.
    """
    facts = RuleFacts()
    numbers, ranks, ids = facts.numbers, facts.ranks, facts.ids
    for part in core.nodes_in(statements_of(rule)):
        match part:
            case core.Lit(sort=Sort.NUMBER, value=value):
                numbers.add(value)
            case core.Lit(sort=Sort.PIECE, value=value):
                ids.add(catalog.pieces[value].id)
                numbers.add(catalog.pieces[value].size)
            case core.Lit(sort=Sort.TILE, value=value):
                ids.add(catalog.tiles[value].id)
            case core.Lit(sort=Sort.CARD, value=value):
                ids.add(catalog.cards[value])
            case core.Lit(sort=Sort.TERRAIN | Sort.PLACE, value=value):
                ids.add(catalog.hexes[value].id)
            case core.Lit(sort=Sort.WORD | Sort.MEMORY, value=name):
                ids.update((name, *name.split("_")))
            case core.Call(word="quantity", arguments=(core.Lit(value=name),)):
                numbers.add(catalog.numbers.get(name, 0))
            case core.Call(word="option", arguments=(core.Lit(value=name),)):
                numbers.add(int(options[name]))
            case core.Call(word=">(number,number)", arguments=(_, core.Lit(value=value))):
                numbers.add(value + 1)  # more than two are three or more
            case core.Call(word="<(number,number)", arguments=(_, core.Lit(value=value))):
                numbers.add(value - 1)
            case core.Call(word=word, arguments=()):
                ids.add(word.removesuffix("()"))
            case core.Award(every=every, rank=rank):
                numbers.add(every)
                ranks.update([rank] if rank else [])
    return facts


@lint("KB710")
def wording_number(subject: Subject) -> Iterator[Diagnostic]:
    """A number in the wording that the rule does not know."""
    for wording, facts in subject.shared(_wordings):
        for match in _NUMBER.finditer(wording.text):
            value = _NUMBERS.get(match[0].casefold()) or int(match[0])
            if value > 1 and value not in facts.numbers:
                yield _number_not_in_rule(wording, match, facts.numbers, "number")
        for match in _RANKED.finditer(wording.text):
            if facts.ranks and _ORDINALS[match[0].casefold()] not in facts.ranks:
                yield _number_not_in_rule(wording, match, facts.ranks, "rank")


def _number_not_in_rule(
    wording: tree.Wording, match: re.Match[str], known: set[int], noun: str
) -> Diagnostic:
    has = ", ".join(str(each) for each in sorted(known) if each > 0) or "none"
    message = f"the wording says {quoted(match[0])}, but the rule has no such {noun}"
    return Diagnostic("KB710", _match_span(wording, match), message, f"its {noun}s: {has}")


def _wordings(subject: Subject) -> list[tuple[tree.Wording, RuleFacts]]:
    """The lines of selected wordings, each with what its rule speaks of."""
    wordings: list[tuple[tree.Wording, RuleFacts]] = []
    by_place = {(rule.span.source, rule.span.start): rule for rule in subject.rules}
    for node in subject.nodes(tree.Rule):
        rule = by_place.get((node.name.span.source, node.name.span.start))
        if rule is not None:
            facts = facts_of(rule, subject.catalog, subject.ruleset.options)
            known = subject.shared(_numbers_in_boxes)
            for id in {*facts.ids, rule.id} & known.keys():
                facts.numbers.update(known[id])
            wordings += [(wording, facts) for wording in node.wordings]
    return wordings


def _numbers_in_boxes(subject: Subject) -> dict[str, set[int]]:
    """The numbers that the boxes give for components, such as how many of a piece there are."""
    numbers: dict[str, set[int]] = {}
    for model in (box.model for box in subject.loaded.boxes):
        for table in (model.tiles, model.pieces, model.places, model.terrains):
            for id, entry in table.items():
                numbers.setdefault(id, set()).update(_numbers_in(entry.model_dump()))
    return numbers


def _numbers_in(value: object) -> Iterator[int]:
    if isinstance(value, int) and not isinstance(value, bool):
        yield value
    elif isinstance(value, dict | list | tuple):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _numbers_in(each)


def _match_span(wording: tree.Wording, match: re.Match[str]) -> Span:
    at = wording.span.text.find(wording.text)
    start = wording.span.start + max(at, 0) + match.start()
    return wording.span.source.span(start, start + len(match[0]))


@lint("KB711")
def wording_component(subject: Subject) -> Iterator[Diagnostic]:
    """A terrain, place or piece in the wording that the rule does not speak of."""
    names = {
        re.escape(name.casefold()): {kind.id, *kind.tags}
        for kind in subject.catalog.hexes
        for name in (kind.title, kind.id.replace("_", " "))
    }
    listed = "|".join(sorted(names, reverse=True))
    pattern = re.compile(rf"\b(?:{listed})(?:s|es)?\b", re.IGNORECASE)
    for wording, facts in subject.shared(_wordings):
        for match in pattern.finditer(wording.text) if names and facts.ids else ():
            small = re.escape(match[0].casefold())
            name = next(each for each in (small, small[:-1], small[:-2]) if each in names)
            if not names[name] & facts.ids:
                message = f"the wording names {quoted(match[0])}, of which the rule does not speak"
                span = _match_span(wording, match)
                yield Diagnostic("KB711", span, message, "correct one of the two")


# Titles


@lint("KB709")
def title_differs(subject: Subject) -> Iterator[Diagnostic]:
    """A tile that is called one thing in its rule and another in the box."""
    titles = {id: of.title for box in subject.loaded.boxes for id, of in box.model.tiles.items()}
    for rule in subject.nodes(tree.Rule):
        name = rule.name.text
        title = titles.get(name) if rule.kind.text in TILE_KINDS else None
        if title and rule.title and title.casefold() != rule.title.casefold():
            labels = tuple(
                Label(box.key("tiles", name), "named here")
                for box in subject.loaded.boxes
                if name in box.model.tiles
            )
            message = f'`{name}` is "{rule.title}" here, but "{title}" in its box'
            yield Diagnostic("KB709", rule.name.span, message, "use one title", labels)


@lint("KB728")
def same_title(subject: Subject) -> Iterator[Diagnostic]:
    """Two cards or tiles with one title: nobody at the table can tell which is meant."""
    seen: dict[str, tuple[str, Span]] = {}
    rules = [each for each in subject.loaded.declarations if isinstance(each, tree.Rule)]
    for rule in sorted(rules, key=lambda rule: subject.concerns(rule.span)):
        if rule.kind.text not in CARD_KINDS | TILE_KINDS or not rule.title or rule.replaces:
            continue
        name, title = rule.name, rule.title.casefold()
        earlier, span = seen.setdefault(title, (name.text, name.span))
        if span is not name.span and subject.concerns(name.span):
            message = f'`{name.text}` has the title "{rule.title}", and so has `{earlier}`'
            labels = (Label(span, "the other one"),)
            yield Diagnostic("KB728", name.span, message, "give one of them another title", labels)


# Drawings of examples that look as if a hex had been forgotten.

Row = tuple[DrawnWord, ...]


@lint("KB760")
def short_row(subject: Subject) -> Iterator[Diagnostic]:
    """The first row of a drawing with fewer hexes than the longest of its grid."""
    for rule in subject.nodes(tree.Rule):
        for example in rule.examples:
            if example.drawing is not None:
                yield from _short_rows(example.drawing)


def _short_rows(drawing: Span) -> Iterator[Diagnostic]:
    for rows in _grids(DrawingSource.of(drawing).rows()):
        longest = max(map(len, rows))
        for row in rows:
            if len(row) < longest:
                message = f"this row has {len(row)} hexes, and another has {longest}"
                help_ = f"draw what is missing; `{HOLE}` draws that there is no hex"
                place = row[0].span.source.span(row[0].span.start, row[-1].span.end)
                yield Diagnostic("KB760", place, message, help_)
                break


def _grids(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """The rows of the table, then those of each grid that a line such as `isle:` begins."""
    grid: list[Row] = []
    for row in rows:
        if len(row) == 1 and row[0].text.endswith(":"):
            yield from [grid] if grid else []
            grid = []
        else:
            grid.append(row)
    yield from [grid] if grid else []
