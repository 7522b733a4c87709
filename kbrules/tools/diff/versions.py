"""The two rule sets that are compared, and which declarations mean something else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

from kbrules.diagnostics import RulesError, quoted
from kbrules.lang.typed import Call, Rule
from kbrules.library.boxes.box import usual_boxes
from kbrules.library.file_cache import FileCache, RuleFile
from kbrules.library.load import Loaded, load_all, needed
from kbrules.library.reading import (
    MANIFEST,
    RULES,
    SLIP,
    author_folder,
    file_finding,
    is_shipped,
    real_path,
    shown_name,
)
from kbrules.library.ruleset import Ruleset
from kbrules.progress import OnProgress, silent
from kbrules.scenario.setup import RulesetCache

# Whether rule sets, or parts of them, mean the same beyond doubt: their typed core is equal.


_IGNORED = ("span", "spans", "examples", "title", "wording")
"""What is no part of the meaning."""
_COMMUTATIVE = ("&", "|", "and", "or", "+", "*", "=", "!=")
"""Operators of which the operands may change places."""


Accepts = Callable[[Any, Any], bool]
"""Whether two nodes may stand for each other though their fields differ."""


def are_equivalent(one: Ruleset, other: Ruleset) -> bool:
    """Whether rules, options, memories and marks say the same, operands in any order."""
    return (
        one.options == other.options
        and one.memories == other.memories
        and are_equal(one.rules, other.rules, _are_swapped)
        and are_equal(tuple(one.marks.values()), tuple(other.marks.values()), _are_swapped)
    )


def are_equal(one: Any, other: Any, accepts: Accepts = lambda one, other: False) -> bool:
    """Whether two values of a rule set or a box are equal but for texts and places."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, Mapping):
        keys = one.keys()
        return keys == other.keys() and all(are_equal(one[k], other[k], accepts) for k in keys)
    if isinstance(one, tuple | list):
        items = zip(one, other, strict=False)
        return len(one) == len(other) and all(are_equal(*pair, accepts) for pair in items)
    kind: Any = type(one)  # a type is hashable, whatever its values are
    names = _fields(kind)
    if names is None:
        return bool(one == other)
    pairs = ((getattr(one, name), getattr(other, name)) for name in names)
    return all(are_equal(*pair, accepts) for pair in pairs) or accepts(one, other)


def _are_swapped(one: Any, other: Any) -> bool:
    """Whether two calls differ in the order of two operands only, and that does not matter."""
    if not isinstance(one, Call) or one.word != other.word:
        return False
    if one.word.partition("(")[0] not in _COMMUTATIVE:
        return False
    return are_equal(one.arguments, other.arguments[::-1], _are_swapped)


@cache
def _fields(kind: Any) -> tuple[str, ...] | None:
    """The fields of a kind of node that are part of its meaning; None for any other value."""
    if not is_dataclass(kind):
        return None
    return tuple(f.name for f in fields(kind) if f.compare and f.name not in _IGNORED)


# The two rule sets that are compared, loaded from folders or from single files.


@dataclass(frozen=True, slots=True, eq=False)
class RulesVersion:
    """A rule set, what it is called in reports, and a cache for positions laid out by it."""

    name: str
    ruleset: Ruleset
    cache: RulesetCache


@dataclass(frozen=True, slots=True, eq=False)
class _OverridingCache(FileCache):
    """Files, of which some stand in the places of others; None leaves one out."""

    overrides: Mapping[Path, Path | None] = field(default_factory=dict)

    def rules(self, path: Path) -> RuleFile:
        other = self.overrides.get(real_path(path), path)
        return RuleFile(None, (), ()) if other is None else FileCache.rules(self, other)


@dataclass(frozen=True, slots=True)
class _VersionFiles:
    """What one side is loaded from: an author's folder, or a file without one; and changes."""

    folder: Path | None
    single_file: Path | None = None
    overrides: Mapping[Path, Path | None] = field(default_factory=dict)


def load_versions(
    old: Path,
    new: Path,
    boxes: Sequence[str] = (),
    folders: Sequence[Path] = (),
    on_progress: OnProgress = silent,
) -> tuple[RulesVersion, RulesVersion]:
    """The rules of two folders, or of two rule files of which one stands in the other's place.

    boxes, folders: loaded beside each. on_progress: told how many files are read.
    RulesError with all that is wrong with either.
    """
    for path in (old, new):
        if not path.exists():
            raise _unusable("KB001", path, "does not exist", SLIP)
        if path.is_dir() and not (path / MANIFEST).is_file():
            raise _unusable("KB006", path, "is no expansion", f"it has no {quoted(MANIFEST)}")
        if not path.is_dir() and path.suffix != RULES:
            help = f"name two folders of expansions, or two files that end in {quoted(RULES)}"
            raise _unusable("KB006", path, "is of no kind that can be compared", help)
    if old.is_dir() is not new.is_dir():
        help = "name two folders, or two files"
        raise _unusable("KB035", new, f"cannot be compared with {quoted(shown_name(old))}", help)
    are_folders = old.is_dir()
    sources = (_VersionFiles(old), _VersionFiles(new)) if are_folders else _files(old, new)
    before, after = (_load(each, boxes, folders, on_progress) for each in sources)
    return _version_of(old, before), _version_of(new, after)


def _unusable(code: str, path: Path, why: str, help: str) -> RulesError:
    return RulesError([file_finding(shown_name(path), code, why, help)])


def _files(old: Path, new: Path) -> tuple[_VersionFiles, _VersionFiles]:
    """Two files: each in its own folder, or one in the place that the other has."""
    old_folder, new_folder = author_folder(old), author_folder(new)
    if old_folder is not None and new_folder is not None and not _is_same(old_folder, new_folder):
        return _VersionFiles(old_folder), _VersionFiles(new_folder)
    replaced = next((p for p in (new, old) if author_folder(p) or is_shipped(p)), None)
    if replaced is None:
        return _VersionFiles(None, old), _VersionFiles(None, new)
    folder, other = author_folder(replaced), old if replaced is new else new
    unchanged = _VersionFiles(folder, None, {real_path(other): None})
    changed = _VersionFiles(folder, None, {real_path(replaced): other, real_path(other): None})
    return (changed, unchanged) if replaced is new else (unchanged, changed)


def _is_same(path: Path, other: Path) -> bool:
    return real_path(path) == real_path(other)


def _load(
    source: _VersionFiles,
    boxes: Sequence[str],
    folders: Sequence[Path],
    on_progress: OnProgress,
) -> Loaded:
    files = _OverridingCache(on_progress=on_progress, overrides=source.overrides)
    own = [source.folder] if source.folder else []
    all_folders = [*own, *(each for each in folders if not any(_is_same(each, o) for o in own))]
    names = needed(files, boxes, all_folders) if boxes or all_folders else usual_boxes()
    rules = [files.rules(source.single_file)] if source.single_file else []
    return load_all(names, all_folders, rules, files)


def _version_of(path: Path, loaded: Loaded) -> RulesVersion:
    if loaded.ruleset is None or loaded.findings:
        raise RulesError(loaded.findings)
    return RulesVersion(shown_name(path), loaded.ruleset, RulesetCache(loaded.ruleset))


# Which declarations mean something else: compared as the rules that come of them, not as text.


@dataclass(frozen=True, slots=True)
class RuleChanges:
    """Rules by kind and name: in both but not the same, only in the new, only in the old.

    contents_differ: whether anything that boxes contain differs, or an option, or a memory.
    """

    changed: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    contents_differ: bool

    @property
    def is_empty(self) -> bool:
        """Whether the two do the same, whatever is played: this is exact, no sampling."""
        return not (self.changed or self.added or self.removed or self.contents_differ)

    def cards(self, old: Ruleset, new: Ruleset) -> tuple[str, ...]:
        """The changed cards that both have."""
        both = set(old.catalog.cards) & set(new.catalog.cards)
        return tuple(id for id in self.ids if id in both)

    def tiles(self, old: Ruleset, new: Ruleset) -> tuple[str, ...]:
        """The changed tiles that both have."""
        both = [{tile.id for tile in side.catalog.tiles} for side in (old, new)]
        return tuple(id for id in self.ids if all(id in known for known in both))

    @property
    def ids(self) -> tuple[str, ...]:
        """The names of what is in both, but not the same."""
        return tuple(dict.fromkeys(name.split(" ")[1] for name in self.changed))


def rule_changes(old: Ruleset, new: Ruleset) -> RuleChanges:
    """What two rule sets do not have in common."""
    before, after = _rules_by_name(old), _rules_by_name(new)
    changed = [
        name for name in before if name in after and not are_equal(before[name], after[name])
    ]
    added = [name for name in after if name not in before]
    removed = [name for name in before if name not in after]
    is_same = (
        are_equal(old.catalog, new.catalog)
        and are_equal(old.parts, new.parts)
        and dict(old.options) == dict(new.options)
        and dict(old.memories) == dict(new.memories)
    )
    return RuleChanges(tuple(changed), tuple(added), tuple(removed), not is_same)


def _rules_by_name(ruleset: Ruleset) -> Mapping[str, Rule]:
    return {f"{rule.kind} {rule.id}": rule for rule in ruleset.rules}
