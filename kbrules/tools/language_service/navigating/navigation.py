"""Where a name is declared and mentioned, and the edits that give it another one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from kbrules.diagnostics import Edit
from kbrules.lang.syntax.parse import parse
from kbrules.lang.syntax.tree import Define
from kbrules.lang.typed import Vocabulary
from kbrules.library.discovery import kind_of
from kbrules.library.reading import is_shipped
from kbrules.text import Source, Span
from kbrules.tools.language_service.answers import Edits, Location, Refused
from kbrules.tools.language_service.navigating.data_mentions import data_mentions, translated_names
from kbrules.tools.language_service.navigating.mentions import Mention, mentions_in
from kbrules.tools.language_service.workspace import Workspace
from kbrules.tools.language_service.yaml_places import shape_of

Found = Iterator[tuple[Path, Mention]]


def mentions(workspace: Workspace, path: Path) -> Sequence[Mention]:
    """The names that a file mentions, by place."""
    return [each for each in _all_mentions(workspace, path) if each.domain != "composed"]


def _all_mentions(workspace: Workspace, path: Path) -> Sequence[Mention]:
    """The same, and the names that a table composes, where their parts are written."""
    if kind_of(path) == "rules":
        file = workspace.rules(path)
        return workspace.files.memoized(
            ("mentions", path), [file], lambda: mentions_in(file.declarations)
        )
    document, is_box = workspace.document(path), kind_of(path) == "box"
    if document is None or kind_of(path) is None:
        return ()
    if kind_of(path) == "texts":
        return [*translated_names(document)]
    return workspace.files.memoized(
        ("mentions", path), [document], lambda: data_mentions(document, shape_of(path), is_box)
    )


def mention_at(workspace: Workspace, path: Path, offset: int) -> Mention | None:
    """The name at a place, or one that ends there."""
    found = (m for m in mentions(workspace, path) if m.start <= offset <= m.end)
    return next(found, None)


def definition(workspace: Workspace, path: Path, offset: int) -> tuple[Location, ...]:
    """Where the name at a place is declared: in rules first, then in boxes."""
    wanted = mention_at(workspace, path, offset)
    if wanted is None:
        return ()
    found = [pair for pair in _of(workspace, path, wanted) if pair[1].is_declaration]
    found.sort(key=lambda pair: kind_of(pair[0]) != "rules")
    return tuple(_location(workspace, *pair) for pair in found)


def references(workspace: Workspace, path: Path, offset: int) -> tuple[Location, ...]:
    """Every place where the name at a place is mentioned, its declarations among them."""
    wanted = mention_at(workspace, path, offset)
    if wanted is None:
        return ()
    return tuple(_location(workspace, *pair) for pair in _of(workspace, path, wanted))


def _of(workspace: Workspace, path: Path, wanted: Mention) -> Found:
    """The mentions of what a mention in a file means; a local name is known in its file only."""
    files = [path] if wanted.domain == "local" else workspace.related(path)
    for file in files:
        if wanted.name not in workspace.text(file):
            continue  # many a scenario need not even be parsed
        for each in mentions(workspace, file):
            if each.is_of(wanted):
                yield file, each


def _location(workspace: Workspace, path: Path, mention: Mention) -> Location:
    return Location(path, workspace.source(path).span(mention.start, mention.end))


# Other names


def prepare_rename(workspace: Workspace, path: Path, offset: int) -> Span:
    """The name at a place that can have another one. Raises Refused with the reason if not."""
    wanted = mention_at(workspace, path, offset)
    if wanted is None:
        raise Refused("nothing that has a name of yours stands here")
    _check_composed(workspace, path, wanted)
    found = [*_of(workspace, path, wanted)]
    declared = [file for file, each in found if each.is_declaration]
    if not declared:
        raise Refused(f"`{wanted.name}` is a word of the language, or nothing declares it")
    for file in declared:
        if is_shipped(file) and not workspace.holds(file):
            raise Refused(f"`{wanted.name}` comes with kbrules, and is declared outside of here")
    return workspace.source(path).span(wanted.start, wanted.end)


def _check_composed(workspace: Workspace, path: Path, wanted: Mention) -> None:
    """Raises Refused if a table of rules makes this name, or makes another one of it."""
    for file in workspace.related(path) if wanted.domain != "local" else ():
        for each in _all_mentions(workspace, file):
            if each.domain == "composed" and f"_{wanted.name}_" in f"_{each.name}_":
                raise Refused(f"`{each.name}` is composed by a table of rules: rename it there")


def rename(workspace: Workspace, path: Path, offset: int, name: str) -> Edits:
    """The edits that call something by another name, wherever it is mentioned. Raises Refused."""
    prepare_rename(workspace, path, offset)
    wanted = mention_at(workspace, path, offset)
    assert wanted is not None
    if name != wanted.name:
        _check_name(workspace, path, name)
    edits: dict[Path, tuple[Edit, ...]] = {}
    for file, each in _of(workspace, path, wanted):
        span = workspace.source(file).span(each.start, each.end)
        edits[file] = (*edits.get(file, ()), Edit(span, name))
    return edits


def _check_name(workspace: Workspace, path: Path, name: str) -> None:
    """Raises Refused if a name cannot be given: it is none, or means something already."""
    read, findings = parse(Source("", f"define {name}: mine\n"))
    is_name = not findings and len(read) == 1 and isinstance(read[0], Define)
    if not is_name or read[0].name.text != name or "{" in name:
        raise Refused(f"`{name}` is no name: small letters, digits and `_`, and no keyword")
    loaded = workspace.loaded(path)
    scope = loaded.checked.scope if loaded.checked is not None else None
    taken = scope is not None and (name in scope.known() or name in _verbs(scope.vocabulary))
    declared = {each.name.text for each in loaded.declarations}
    if taken or name in declared:
        raise Refused(f"`{name}` already means something")


def _verbs(vocabulary: Vocabulary) -> set[str]:
    return {*vocabulary.steps, *vocabulary.events, *vocabulary.kinds, *vocabulary.norm_verbs()}
