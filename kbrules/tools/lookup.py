"""Every word an author may write, and its pages: of the language, of the boxes, of their files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from kbrules.game.board import Catalog
from kbrules.game.triggers import WHOSE
from kbrules.lang.syntax import tree
from kbrules.lang.typed import SORT_NAMES, Rule, Signature, Sort, StepSignature, Vocabulary
from kbrules.library.reading import place_of
from kbrules.library.rules.vocabulary import full_vocabulary, tables_of
from kbrules.primitives.vocabulary import EXAMPLE_WORDS, GRAMMAR_WORDS

if TYPE_CHECKING:
    from pydantic import BaseModel


# The tables of scenario and box files: for each where it stands and its model.


Table = tuple[str, "type[BaseModel]"]


def scenario_tables() -> Iterator[Table]:
    """The tables of a scenario file, and under which key each stands; a table before its parts."""
    from kbrules.scenario import models
    from kbrules.scenario import models as expectations

    yield "The file", models.ScenarioFile
    yield "`board`", models.BoardModel
    yield "`sectors` of a `board`", models.SectorsModel
    yield "`position`", models.PositionModel
    yield "`a` to `f` of a `position`", models.SeatModel
    yield "`nobody` of a `position`", models.NeutralPiecesModel
    yield "`tiles` of a player", models.HeldTileModel
    yield "`turn`", models.TurnModel
    yield "An entry of `steps`", models.StepModel
    yield "`expect`", expectations.ExpectModel
    yield "An offer with `includes` and `excludes`", expectations.PartialOfferModel
    yield "An entry of `refused`", expectations.RefusedMoveModel
    yield "An entry of `tiles` in `expect`", expectations.TileModel
    yield "`reachable` and `unreachable`", expectations.ReachableModel


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


class WordSource(Protocol):
    """What words mean something in: a rule set, or what there is of one that has mistakes."""

    @property
    def catalog(self) -> Catalog:
        """The things of the boxes."""

    @property
    def declarations(self) -> Sequence[tree.Declaration]:
        """What the files declare."""

    @property
    def rules(self) -> Sequence[Rule]:
        """The typed rules."""


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


def entries_of(source: WordSource, name: str) -> list[LookupEntry]:
    """The pages of a word; none if nothing is called so."""
    word = " ".join(name.split())
    return [each for each in entries(source) if each.name == word]


def entries(source: WordSource) -> Iterator[LookupEntry]:
    """All pages: the words of the language first, then those of boxes and keys of files."""
    vocabulary = full_vocabulary(source.catalog)
    yield from _of_signatures(vocabulary)
    yield from _of_steps(vocabulary)
    yield from _of_events(vocabulary)
    yield from _of_grammar()
    yield from declared_words(source)
    yield from components(source)
    yield from file_keys()


def _of_signatures(vocabulary: Vocabulary) -> Iterator[LookupEntry]:
    for name, signatures in vocabulary.words.items():
        for each in signatures:
            yield LookupEntry(name, "", f"{each}: {each.result}", each.page, each.example)
    for name, signatures in vocabulary.folds.items():
        for each in signatures:
            yield LookupEntry(name, "", _fold(each), each.page, each.example)
    for name, signatures in vocabulary.operators.items():
        for each in signatures:
            sorts = f" {name} ".join(p.sort for p in each.parameters)
            usage = sorts if len(each.parameters) > 1 else f"{name} {sorts}"
            yield LookupEntry(name, "", f"{usage}: {each.result}", each.page, each.example)


def _fold(signature: Signature) -> str:
    taken = signature.parameters[0].sort
    return f"{signature.name}({taken} for name in groups or players): {signature.result}"


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
    for name, sort in _bound_by_steps(vocabulary):
        page = f"{SORT_NAMES[sort][0].upper()}{SORT_NAMES[sort][1:]} that was chosen before."
        yield LookupEntry(name, "known in the part of a step behind it", name, page)


def _bound_by_steps(vocabulary: Vocabulary) -> set[tuple[str, Sort]]:
    steps = (step for signatures in vocabulary.steps.values() for step in signatures)
    return {each for step in steps for parameter in step.parameters for each in parameter.binds}


def _of_grammar() -> Iterator[LookupEntry]:
    for name, (usage, page) in GRAMMAR_WORDS.items():
        yield LookupEntry(name, "", usage, page)
    for name, (usage, page) in EXAMPLE_WORDS.items():
        yield LookupEntry(name, "in an example", usage, page)


def declared_words(source: WordSource) -> Iterator[LookupEntry]:
    """The words that files declare, with the place."""
    for each in source.declarations:
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


def components(source: WordSource) -> Iterator[LookupEntry]:
    """What the boxes list: terrains, pieces, tiles, cards, numbers, tags; and zones."""
    rules = {rule.id: rule for rule in source.rules}
    for table, ids in tables_of(source.catalog):
        for id in ids:
            rule = rules.get(id)
            if table == "tags":
                yield LookupEntry(id, "one of the tags", id, "What has this tag in the boxes.")
                continue
            page = (rule.wording if rule else "") or f"It is listed under `{table}` in its box."
            yield LookupEntry(id, f"one of the {table}", id, page)
    for name, constant in full_vocabulary(source.catalog).constants.items():
        if constant.sort is Sort.ZONE:
            yield LookupEntry(
                name, "a pile of cards", f"cards({name})", "How many cards lie there."
            )


def file_keys() -> Iterator[LookupEntry]:
    """The keys of scenario and box files, by the table they stand in."""
    for file, tables in (("scenario", scenario_tables()), ("box", box_tables())):
        for title, model in tables:
            for name, field in model.model_fields.items():
                key = field.alias or name
                kind = f"a key of a {file} file: {title[0].lower()}{title[1:]}"
                yield LookupEntry(key, kind, f"{key}:", field.description or "")
