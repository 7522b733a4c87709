"""The two rule sets that are compared, loaded from folders or from single files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kbrules.diagnostics import RulesError, quoted
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
