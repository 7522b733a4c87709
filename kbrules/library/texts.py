"""Texts of boxes in other languages, read, checked, and laid over a box."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kbrules.diagnostics import Diagnostic, did_you_mean, quoted
from kbrules.lang.syntax import tree
from kbrules.library import discovery, reading, validation, yaml
from kbrules.library.box import Box
from kbrules.text import Source, Span

if TYPE_CHECKING:
    from kbrules.library.models import TextsFile

# Where the texts of a box lie, by language, and how they are read.

_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Z]{2})?")


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """What a file of texts says, and where."""

    model: TextsFile
    document: yaml.Document


def is_language(text: str) -> bool:
    """Whether a text is a language as files are called, such as `de` or `pt-BR`."""
    return _LANGUAGE.fullmatch(text) is not None


def texts_folder(box: Box) -> Path:
    """Where the texts of a box lie, if it has any."""
    if Path(box.document.source.name).name == reading.MANIFEST:
        return box.folder / reading.TEXTS
    return box.folder / reading.TEXTS / box.id


def folder_of_file(file: Path) -> Path | None:
    """Where the texts for a rule file lie; None for one that belongs to no box."""
    home = reading.author_folder(file)
    if home is not None:
        return home / reading.TEXTS
    root = reading.real_path(reading.data_root("rules"))
    real = reading.real_path(file)
    if not real.is_relative_to(root) or real.parent == root:
        return None
    return reading.data_root("expansions") / reading.TEXTS / real.relative_to(root).parts[0]


def texts_in(box: Box) -> list[Path]:
    """Return the files of texts of a box, sorted."""
    return discovery.files_in(texts_folder(box), ".yaml")


def texts_of(
    source: Source | None, found: list[Diagnostic]
) -> tuple[Texts | None, list[Diagnostic]]:
    """Return the texts in a YAML text and all that is wrong with it; none if it is of no use.

    found: what was wrong in reading it.
    """
    from kbrules.library.models import TextsFile  # slow to load

    read, found = validation.read_model(source, found, TextsFile)
    return (None if read is None else Texts(*read)), found


# The one place where texts are laid over a box: over its data, and over its declarations.

TABLES = ("terrains", "places", "pieces", "grids", "marks", "setups")
"""The keys of a box whose entries have titles; those of tiles are the titles of their rules."""


def box_in_language(box: Box, texts: TextsFile) -> Box:
    """A box with the titles that there are."""
    tables = {key: _titled(getattr(box.model, key), getattr(texts, key)) for key in TABLES}
    rules = {id: rule.title for id, rule in texts.rules.items()}
    changed: dict[str, Any] = {**tables, "tiles": _titled(box.model.tiles, rules)}
    if texts.title:
        changed["title"] = texts.title
    return replace(box, model=box.model.model_copy(update=changed))


def _titled(models: Mapping[str, Any], titles: Mapping[str, str]) -> dict[str, Any]:
    return {
        id: model.model_copy(update={"title": titles[id]}) if titles.get(id) else model
        for id, model in models.items()
    }


def declaration_in_language(each: tree.Declaration, texts: TextsFile) -> tree.Declaration:
    """Return a declaration with the title and wording that there are."""
    name = each.name.text
    if isinstance(each, tree.Rule) and name in texts.rules:
        translation = texts.rules[name]
        has_wording = translation.wording and each.wordings
        body = _worded(each, translation.wording) if has_wording else each.body
        return replace(each, title=translation.title or each.title, body=body)
    if isinstance(each, tree.Memory) and texts.memories.get(name):
        title = texts.memories[name]
        notes = (replace(n, text=title) if n.kind == "title" else n for n in each.notes)
        return replace(each, notes=tuple(notes))
    return each


def _worded(rule: tree.Rule, wording: str) -> tree.Statements:
    """The body of a rule with another wording, in as many lines: places in it are counted."""
    lines = iter(_in_lines(wording, len(rule.wordings)))
    return tuple(
        replace(each, text=next(lines)) if isinstance(each, tree.Wording) else each
        for each in rule.body
    )


def _in_lines(text: str, count: int) -> list[str]:
    """A text cut between words into so many lines; the last ones are empty if it has fewer."""
    words = text.split()
    size = max(1, -(-len(words) // count))
    full = [" ".join(words[at : at + size]) for at in range(0, len(words), size)]
    return [*full, *[""] * (count - len(full))]


# What texts translate, what of it is missing or has changed since, and what is no text of it.


@dataclass(frozen=True, slots=True)
class Original:
    """What a box says itself: of which key and id, its title and wording, and where it says so."""

    table: str
    id: str
    title: str
    wording: str
    span: Span

    @property
    def key(self) -> str:
        """What its stamp is called."""
        return f"{self.table}.{self.id}" if self.id else self.table

    @property
    def stamp(self) -> str:
        """A digest of what it says."""
        return blake2b(f"{self.title}\n{self.wording}".encode(), digest_size=4).hexdigest()


def originals(box: Box, declarations: Iterable[tree.Declaration]) -> dict[str, Original]:
    """Return all that can be translated of a box, by the names of the stamps.

    declarations: of all boxes; those count that its rule files contain.
    """
    folder = texts_folder(box).absolute()

    @cache
    def is_in_box(name: str) -> bool:
        folder_of_text = folder_of_file(Path(name))
        return folder_of_text is not None and folder_of_text.absolute() == folder

    found = [Original("title", "", box.model.title, "", box.span("title"))]
    for table in TABLES:
        things: Mapping[str, object] = getattr(box.model, table)
        for id, thing in things.items():
            title = getattr(thing, "title", "") or id.replace("_", " ")
            found.append(Original(table, id, title, "", box.key(table, id)))
    for each in (each for each in declarations if is_in_box(each.span.source.name)):
        name = each.name
        if isinstance(each, tree.Rule):
            found.append(Original("rules", name.text, each.title, each.wording, name.span))
        elif isinstance(each, tree.Memory) and each.title:
            found.append(Original("memories", name.text, each.title, "", name.span))
    return {each.key: each for each in found}


def missing(texts: Texts, known: Mapping[str, Original]) -> list[Original]:
    """What there is no text for, or not the whole."""
    return [each for each in known.values() if not _is_translated(texts, each)]


def _is_translated(texts: Texts, original: Original) -> bool:
    translation = getattr(texts.model, original.table)
    if original.id:
        translation = translation.get(original.id)
    if original.table != "rules" or not translation:
        return bool(translation)
    has_title = translation.title or not original.title
    return bool(has_title and (translation.wording or not original.wording))


def stale(texts: Texts, known: Mapping[str, Original]) -> Iterator[tuple[Original, Span]]:
    """What was translated before the box had its present text, and where the translation is."""
    absent = {each.key for each in missing(texts, known)}
    for each in known.values():
        if each.key not in absent and texts.model.stamps.get(each.key) != each.stamp:
            loc = (each.table, each.id) if each.id else (each.table,)
            yield each, texts.document.span_at(loc, key=True)


def unknown_texts(path: Path, texts: Texts, known: Mapping[str, Original]) -> Iterator[Diagnostic]:
    """A finding for each id that the box does not have, and one for a name that is no language."""
    if not is_language(path.stem):
        message = f"{quoted(path.stem)} is no language"
        help = "name the file by two or three letters, such as `de.yaml` or `pt-BR.yaml`"
        yield Diagnostic("KB420", texts.document.span_at(()), message, help)
    for table in (*TABLES, "memories", "rules"):
        ids = {each.id for each in known.values() if each.table == table}
        for id in getattr(texts.model, table):
            if id not in ids:
                help = did_you_mean(id, ids, f"delete it from `{table}`")
                message = f"the box has no {quoted(id)} under `{table}` that could have a text"
                span = texts.document.span_at((table, id), key=True)
                yield Diagnostic("KB413", span, message, help)
