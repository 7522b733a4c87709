"""What texts translate, what of it is missing or has changed since, and what is no text of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from kbrules.diagnostics import Diagnostic, did_you_mean, quoted
from kbrules.lang.syntax import tree
from kbrules.library.boxes.box import Box
from kbrules.library.texts.files import Texts, is_language
from kbrules.library.texts.overlay import TABLES
from kbrules.text import Span


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
    """All that can be translated of a box, by the names of the stamps; declarations: its own."""
    found = [Original("title", "", box.model.title, "", box.span("title"))]
    for table in TABLES:
        things: Mapping[str, object] = getattr(box.model, table)
        for id, thing in things.items():
            title = getattr(thing, "title", "") or id.replace("_", " ")
            found.append(Original(table, id, title, "", box.key(table, id)))
    for each in declarations:
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
    if original.table == "title":
        return bool(texts.model.title)
    translation = getattr(texts.model, original.table).get(original.id)
    if translation is None:
        return False
    if original.table != "rules":
        return True
    return bool(translation.title or not original.title) and bool(
        translation.wording or not original.wording
    )


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
