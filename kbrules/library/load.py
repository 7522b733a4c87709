"""Files to rule set: read, parse, check, join. Findings are collected until the end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from kbrules.diagnostics import Diagnostic, RulesError, did_you_mean, distinct, quoted
from kbrules.game.board import Catalog
from kbrules.hooks import with_progress
from kbrules.lang.checker.rules import Checked, check, check_rule
from kbrules.lang.evaluation import Evaluator
from kbrules.lang.syntax import tree
from kbrules.library import discovery, locks, union
from kbrules.library.boards.tables import BoardParts
from kbrules.library.box import (
    Box,
    box_file,
    known_boxes,
    shipped_boxes,
    unusable,
    usual_boxes,
)
from kbrules.library.compose import MAX_ROUNDS, Omission, clashes, compose, marks_of, omission
from kbrules.library.reading import MANIFEST, RULES, data_root, within
from kbrules.library.ruleset import Ruleset
from kbrules.library.store import Files, RuleFile, parsed
from kbrules.library.vocabulary import full_implementations, full_vocabulary
from kbrules.text import Source, Span

# Which boxes go with boxes and authors' folders: all they need, and no more.


def needed(files: Files, boxes: Iterable[str], folders: Sequence[Path]) -> list[str]:
    """Return the boxes to load by name, shipped or installed, sorted.

    The usual ones if somebody needs one that is not known.
    """
    named, manifests = [*boxes], [folder / MANIFEST for folder in folders]
    own = {box.id for box, _ in map(files.box, manifests) if box is not None}
    own -= {*shipped_boxes(), *named}  # to load such a box twice is a mistake, and is reported
    waiting = [*named, *(need for manifest in manifests for need in _needs(files, manifest))]
    found: set[str] = set()
    while waiting:
        id = waiting.pop()
        if id in own or id in found:
            continue
        try:
            manifest = box_file(id)
        except KeyError:
            return usual_boxes()
        found.add(id)
        waiting += _needs(files, manifest)
    return sorted(found)


def _needs(files: Files, manifest: Path) -> tuple[str, ...]:
    box, _ = files.box(manifest)
    return tuple(need.id for need in box.model.needed) if box else tuple(usual_boxes())


_NAME = re.compile(r"[a-z][a-z0-9_]*")
# What is reported of a heading, and means nothing if the heading could not even be read.
_OF_HEADINGS = {"KB202", "KB302", "KB410"}


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Loaded:
    """All that was read: a rule set if nothing is wrong, else what there is of it.

    `blocking` are the findings that left a whole file out, so that others could not be checked
    in full. `checked` holds the rules as they were written, those that are replaced among them.
    """

    ruleset: Ruleset | None
    catalog: Catalog
    declarations: tuple[tree.Declaration, ...]
    findings: tuple[Diagnostic, ...]
    blocking: tuple[Diagnostic, ...] = ()
    checked: Checked | None = None
    boxes: tuple[Box, ...] = ()
    sources: tuple[Source, ...] = ()
    reading: _Reading | None = field(default=None, repr=False)

    def without_mistakes(self) -> tuple[Ruleset | None, Omission]:
        """The rule set without the things whose rules have a mistake, and these.

        There is none if a mistake lies elsewhere: other rules depend on what it spoils.
        """
        loaded, left_out = self, Omission()
        for _ in range(MAX_ROUNDS):
            more = omission(loaded.findings, loaded.declarations, loaded.catalog)
            if loaded.reading is None or more is None:
                break
            left_out |= more
            loaded = _check_and_compose(loaded.reading.without(left_out))
        return loaded.ruleset, left_out


@dataclass(slots=True)
class _Reading:
    """What has been read so far, and what was wrong with it.

    `unreadable_names` stand in data which could not be understood; there are gaps if a file could
    not even be read. `read` is every file as it was read. `folder_numbers` has the name of each
    source that does not come with the engine, and which of the folders it is in. `places` has for
    each source its box and its name in the folder of that.
    """

    files: Files
    read: list[object] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    declarations: list[tree.Declaration] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    findings: list[Diagnostic] = field(default_factory=list)
    blocking: list[Diagnostic] = field(default_factory=list)
    unreadable_names: set[str] = field(default_factory=set)
    has_gaps: bool = False
    folder_numbers: dict[str, int] = field(default_factory=dict)
    folders: tuple[str, ...] = ()
    places: list[tuple[str, str]] = field(default_factory=list)
    left_out: Omission = field(default_factory=Omission)

    def without(self, left_out: Omission) -> _Reading:
        """The same without some declarations, and without what was wrong with them."""
        wrong = {id(each) for each in left_out.declarations}
        remaining = [each for each in self.declarations if id(each) not in wrong]
        return replace(self, declarations=remaining, findings=[], left_out=left_out)

    def manifest(self, path: Path) -> None:
        """Read the data file of a box."""
        file = self.files.box(path)
        self.read.append(file)
        box, findings = file
        self.findings += findings
        if box is not None:
            self.boxes.append(box)
            self.sources.append(box.document.source)
            return
        self.blocking += findings
        texts = {finding.span.source.text for finding in findings}
        self.unreadable_names.update(name for text in texts for name in _NAME.findall(text))
        self.has_gaps = self.has_gaps or not any(texts)

    def lie_in(self, box: str, folder: Path, under: str = "") -> None:
        """Say where the sources that were read last lie."""
        top = folder.absolute()
        for source in self.sources[len(self.places) :]:
            file = Path(source.name).absolute()
            name = file.relative_to(top).as_posix() if file.is_relative_to(top) else file.name
            self.places.append((box, MANIFEST if file.suffix == ".yaml" else under + name))

    def contents(self) -> dict[str, locks.LockedBox]:
        """Return what the boxes contain, as digests."""
        versions = {box.id: box.model.version for box in self.boxes}
        texts = zip(self.places, self.sources, strict=True)
        return locks.contents_of(versions, [(*place, source.text) for place, source in texts])

    def rules(self, root: Path, files: Iterable[Path]) -> None:
        """Read rule files, which must lie in a folder."""
        for file in with_progress(list(files), "rule files", self.files.on_progress):
            outside = within(root, file)
            self.take(RuleFile(None, (), tuple(outside)) if outside else self.files.rules(file))

    def take(self, file: RuleFile) -> None:
        """Add what a rule file says."""
        self.read.append(file)
        self.findings += file.findings
        self.declarations += file.declarations
        if file.source is not None:
            self.sources.append(file.source)
        else:
            self.blocking += file.findings
            self.has_gaps = True


def load(
    *boxes: str,
    folders: Iterable[str | Path] = (),
    texts: Iterable[Source] = (),
    language: str = "",
) -> Ruleset:
    """The rule set of boxes, shipped or installed, and authors' folders.

    With boxes and folders come those they need; if none is named, all are meant but editions and
    variants. `texts` are further rule texts, as if they stood in one more file. `language` is
    that of titles and wordings, as `de`; without it they are as in the boxes. Raises RulesError
    with every finding if anything is wrong; an unknown box is one, too.
    """
    if not isinstance(language, str):
        raise TypeError(f"a language is a text, as `de`, not a {type(language).__name__}")
    ruleset, findings = check_all(boxes, folders, texts, Files(language))
    if findings or ruleset is None:
        raise RulesError(findings)
    return ruleset


def check_all(
    boxes: Sequence[str] = (),
    folders: Iterable[str | Path] = (),
    texts: Iterable[Source] = (),
    files: Files | None = None,
) -> tuple[Ruleset | None, list[Diagnostic]]:
    """The rule set as by `load`, if nothing is wrong with it, and every finding by place.

    With `files`, what has not changed is not read again, and makes the same rule set.
    """
    boxes = _all_of(boxes, "boxes are a sequence of names", str)
    folders = _all_of(folders, "folders are a sequence of paths", str, Path)
    texts = _all_of(texts, "texts are a sequence of `Source`", Source)
    if unknown := _unknown_boxes(boxes):
        return None, unknown
    loaded = load_with_dependencies(boxes, [Path(folder) for folder in folders], texts, files)
    return loaded.ruleset, list(loaded.findings)


def _all_of(values: Iterable[Any], what: str, *kinds: type) -> tuple[Any, ...]:
    """Return all the values; TypeError, which says what is wanted, if one is of no such kind."""
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise TypeError(f"{what}, not a {type(values).__name__}")
    found = tuple(values)
    for value in found:
        if not isinstance(value, kinds):
            raise TypeError(f"{what}; there is a {type(value).__name__} among them")
    return found


def load_with_dependencies(
    boxes: Sequence[str],
    folders: Sequence[Path],
    texts: Iterable[Source] = (),
    files: Files | None = None,
) -> Loaded:
    """As by `load_all`, with what boxes and folders need; the usual boxes if none is named."""
    files = files or Files()
    names = needed(files, boxes, folders) if boxes or folders else usual_boxes()
    return load_all(names, folders, map(parsed, texts), files)


def _unknown_boxes(boxes: Sequence[str]) -> list[Diagnostic]:
    """The findings about boxes that are neither shipped nor installed; they stand in no file."""
    shipped = shipped_boxes()
    if all(id in shipped for id in boxes):
        return []
    known = known_boxes()
    found = []
    for id in (id for id in boxes if id not in known):
        if broken := unusable(id):
            found.append(broken)
            continue
        help = did_you_mean(id, known, f"there is {', '.join(known)}")
        message = f"there is no box {quoted(id)}"
        found.append(Diagnostic("KB413", Span.none("boxes"), f"{message}; {help}"))
    return found


def load_all(
    boxes: Iterable[str],
    folders: Sequence[Path] = (),
    more: Iterable[RuleFile] = (),
    files: Files | None = None,
) -> Loaded:
    """Everything the boxes named, authors' folders and further rule files say together.

    KeyError for an unknown box. With `files`, what has not changed is not read again.
    """
    files = files or Files()
    reading = _Reading(files)
    root = data_root("rules")
    names = tuple(sorted(boxes))
    reading.folders = tuple(map(str, folders))
    reading.rules(root, discovery.files_in(root, RULES))
    reading.lie_in(locks.SHARED, root)
    shipped = {*shipped_boxes()}
    for name in filter(shipped.__contains__, names):
        reading.manifest(box_file(name))
        reading.rules(root, discovery.files_in(root / name, RULES))
        reading.lie_in(name, root / name, "rules/")
    installed = [box_file(name).parent for name in names if name not in shipped]
    for number, folder in enumerate([*installed, *folders], 1):
        before = len(reading.sources)
        reading.manifest(folder / MANIFEST)
        reading.rules(folder, sorted({*discovery.rule_files(folder), *files.unsaved_rules(folder)}))
        reading.lie_in(reading.boxes[-1].id if reading.boxes else locks.SHARED, folder)
        reading.folder_numbers |= {source.name: number for source in reading.sources[before:]}
    before = len(reading.sources)
    for file in more:
        reading.take(file)
    last = len(installed) + len(folders) + 1
    reading.folder_numbers |= {source.name: last for source in reading.sources[before:]}
    reading.lie_in(locks.SHARED, Path())
    reading.findings += files.language_findings(reading.boxes)
    return files.memoized(
        ("loaded", names, reading.folders, files.language),
        reading.read,
        lambda: _check_and_compose(reading),
    )


def _check_and_compose(reading: _Reading) -> Loaded:
    catalog, parts, findings = reading.files.merged(reading.boxes)
    unreadable_names = reading.unreadable_names | _dropped(reading.boxes, catalog)
    clashing = clashes(catalog, parts, reading.declarations, reading.folder_numbers)
    unreadable_names |= clashing.ambiguous
    vocabulary = full_vocabulary(
        catalog, unreadable_names, reading.has_gaps, clashing.excluded_words
    )
    checked, problems = check(clashing.declarations, vocabulary)
    findings = [*reading.findings, *findings, *clashing.findings, *problems]
    unread = {d.name.text for d in reading.declarations if isinstance(d, tree.Broken)}
    missing = unreadable_names | unread | reading.left_out.names
    composed, misfits = _composed(checked, catalog, parts, None if reading.has_gaps else missing)
    findings = _without_consequences([*findings, *misfits])
    ruleset = None
    if not findings:
        ruleset = Ruleset(
            boxes=tuple(sorted(box.id for box in reading.boxes)),
            catalog=catalog,
            parts=parts,
            evaluate=Evaluator(full_implementations(catalog)),
            digest=_digest(reading.sources, reading.left_out.names),
            folders=reading.folders,
            declarations=tuple(reading.declarations),
            contents=reading.contents(),
            **composed,
        )
    return Loaded(
        ruleset,
        catalog,
        tuple(reading.declarations),
        tuple(findings),
        tuple(reading.blocking),
        checked,
        tuple(reading.boxes),
        tuple(reading.sources),
        reading,
    )


def _composed(
    checked: Checked, catalog: Catalog, parts: BoardParts, silent: Set[str] | None = frozenset()
) -> tuple[dict[str, Any], list[Diagnostic]]:
    """Return what rules decide of a rule set, by its fields, and what does not fit together."""
    rules, findings = compose(checked.rules, catalog, parts, silent)
    marks, unmarked = marks_of(parts, checked.scope)
    options, misfits = union.options_of(checked.options, parts)
    memories = sorted(checked.memories, key=lambda memory: memory.name.text)
    fields = {
        "rules": rules,
        "options": options,
        "marks": marks,
        "memories": {
            memory.name.text: (memory.scope.text if memory.scope else "player", slot)
            for slot, memory in enumerate(memories)
        },
        "titles": {each.name.text: each.title for each in checked.memories if each.title},
    }
    return fields, [*findings, *unmarked, *misfits]


def _dropped(boxes: Iterable[Box], catalog: Catalog) -> set[str]:
    """The names of things that boxes declare, but that had to be left out of the catalog."""
    catalogued = {*catalog.numbers, *catalog.cards}
    for kinds in (catalog.hexes, catalog.pieces, catalog.tiles, catalog.grids):
        catalogued |= {name for kind in kinds for name in (kind.id, *getattr(kind, "tags", ()))}
    declared: set[str] = set()
    for model in (box.model for box in boxes):
        declared |= {*model.tiles, *model.numbers, *model.cards, *model.tasks}
        for table in (model.terrains, model.places, model.pieces, model.grids):
            declared |= {name for id, entry in table.items() for name in (id, *entry.tags)}
    return declared - catalogued


def _without_consequences(findings: list[Diagnostic]) -> list[Diagnostic]:
    """The findings, sorted, but for those about a heading that could not be read."""
    of_shape = [each for each in findings if each.code.startswith("KB1")]
    unread = {_line(each) for each in of_shape}
    # Where a heading is spoilt, the rule that seems to be missing may be the one below it.
    has_unread_heading = any(map(_is_at_edge, of_shape))
    remaining = [f for f in findings if f.code not in _OF_HEADINGS or _line(f) not in unread]
    return sorted(distinct(f for f in remaining if f.code != "KB409" or not has_unread_heading))


def _is_at_edge(finding: Diagnostic) -> bool:
    return finding.span.source.line_text(finding.span.line)[:1] not in ("", " ")


def _line(finding: Diagnostic) -> tuple[int, int]:
    return id(finding.span.source), finding.span.line


def _digest(sources: Iterable[Source], left_out: Iterable[str]) -> str:
    """A name for these texts: the same texts in any order have the same one."""
    single = sorted(left_out)
    single += sorted(blake2b(s.text.encode(), digest_size=16).hexdigest() for s in sources)
    return blake2b("".join(single).encode(), digest_size=16).hexdigest()


# One declaration of a rule set replaced by another, without reading the others again.


def with_declaration_replaced(
    loaded: Loaded, old: tree.Declaration, new: tree.Declaration
) -> Ruleset | None:
    """Return the rule set with a declaration in place of one that was read; None if it is wrong.

    Both have the same name and are of the same kind. KeyError if nothing was loaded, or if the
    old one was not among it.
    """
    ruleset, checked = loaded.ruleset, loaded.checked
    if ruleset is None or checked is None or all(each is not old for each in loaded.declarations):
        raise KeyError(old.name.text)
    declarations = tuple(new if each is old else each for each in loaded.declarations)
    changed: Checked | None
    if isinstance(old, tree.Rule) and isinstance(new, tree.Rule):
        changed = _with_rule(loaded, checked, old, new)
    else:
        changed, findings = check(declarations, full_vocabulary(loaded.catalog))
        changed = None if findings else changed
    if changed is None:
        return None
    fields, findings = _composed(changed, ruleset.catalog, ruleset.parts)
    return None if findings else replace(ruleset, declarations=declarations, **fields)


def _with_rule(loaded: Loaded, checked: Checked, old: tree.Rule, new: tree.Rule) -> Checked | None:
    """A rule adds no word, so that all the others mean what they did."""
    scope = replace(checked.scope, findings=[])
    rule = check_rule(new, scope)
    if scope.findings:
        return None
    nodes = (each for each in loaded.declarations if isinstance(each, tree.Rule))
    pairs = zip(nodes, checked.rules, strict=True)
    return replace(checked, rules=tuple(rule if node is old else was for node, was in pairs))
