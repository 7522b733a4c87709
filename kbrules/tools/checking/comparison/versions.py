"""The two rule sets that are compared, loaded from folders or from single files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kbrules.diagnostics import Diagnostic, RulesError, quoted
from kbrules.library.boxes.box import usual_boxes
from kbrules.library.file_cache import FileCache, RuleFile
from kbrules.library.load import MANIFEST, Loaded, load_all
from kbrules.library.needs import needed
from kbrules.library.reading import shown_name
from kbrules.library.resources import RULES, author_folder
from kbrules.library.ruleset import Ruleset
from kbrules.scenario.setup.cache import RulesetCache
from kbrules.text import Span
from kbrules.tools.authoring.paths import is_shipped

__all__ = ["RulesVersion", "load_versions"]


@dataclass(frozen=True, slots=True, eq=False)
class RulesVersion:
    """A rule set, what it is called in reports, and a cache for positions laid out by it."""

    name: str
    ruleset: Ruleset
    cache: RulesetCache


@dataclass(frozen=True, slots=True, eq=False)
class _OverridingCache(FileCache):
    """Files, of which some stand in the places of others; None leaves one out."""

    others: Mapping[Path, Path | None] = field(default_factory=dict)

    def rules(self, path: Path) -> RuleFile:
        other = self.others.get(path.resolve(), path)
        return RuleFile(None, (), ()) if other is None else FileCache.rules(self, other)


@dataclass(frozen=True, slots=True)
class _VersionFiles:
    """What one side is loaded from: an author's folder, or a file without one; and changes."""

    home: Path | None
    loose: Path | None = None
    others: Mapping[Path, Path | None] = field(default_factory=dict)


def load_versions(
    old: Path, new: Path, boxes: Sequence[str] = (), folders: Sequence[Path] = ()
) -> tuple[RulesVersion, RulesVersion]:
    """The rules of two folders, or of two rule files of which one stands in the other's place.

    boxes, folders: loaded beside each. RulesError with all that is wrong with either.
    """
    for path in (old, new):
        if not path.exists():
            raise _wrong("KB001", path, "does not exist", "look for a slip in the path")
        if path.is_dir() and not (path / MANIFEST).is_file():
            raise _wrong("KB006", path, "is no expansion", f"it has no {quoted(MANIFEST)}")
        if not path.is_dir() and path.suffix != RULES:
            help = f"name two folders of expansions, or two files that end in {quoted(RULES)}"
            raise _wrong("KB006", path, "is of no kind that can be compared", help)
    if old.is_dir() is not new.is_dir():
        help = "name two folders, or two files"
        raise _wrong("KB035", new, f"cannot be compared with {quoted(shown_name(old))}", help)
    wanted = _folders(old, new) if old.is_dir() else _files(old, new)
    one, two = (_loaded(each, boxes, folders) for each in wanted)
    return _side(old, one), _side(new, two)


def _wrong(code: str, path: Path, why: str, help: str) -> RulesError:
    name = shown_name(path)
    return RulesError([Diagnostic(code, Span.none(name), f"{quoted(name)} {why}", help)])


def _folders(old: Path, new: Path) -> tuple[_VersionFiles, _VersionFiles]:
    return _VersionFiles(old), _VersionFiles(new)


def _files(old: Path, new: Path) -> tuple[_VersionFiles, _VersionFiles]:
    """Two files: each in its own folder, or one in the place that the other has."""
    homes = author_folder(old), author_folder(new)
    if homes[0] is not None and homes[1] is not None and not _is_same(homes[0], homes[1]):
        return _VersionFiles(homes[0]), _VersionFiles(homes[1])
    place = next((p for p in (new, old) if author_folder(p) or is_shipped(p)), None)
    if place is None:
        return _VersionFiles(None, old), _VersionFiles(None, new)
    home, other = author_folder(place), old if place is new else new
    as_it_is = _VersionFiles(home, None, {other.resolve(): None})
    changed = _VersionFiles(home, None, {place.resolve(): other, other.resolve(): None})
    return (changed, as_it_is) if place is new else (as_it_is, changed)


def _is_same(one: Path, two: Path) -> bool:
    return one.resolve() == two.resolve()


def _loaded(wanted: _VersionFiles, boxes: Sequence[str], folders: Sequence[Path]) -> Loaded:
    files = _OverridingCache(others=wanted.others)
    known = [folder for folder in folders if wanted.home and not _is_same(folder, wanted.home)]
    all_ = [*([wanted.home] if wanted.home else []), *(known if wanted.home else folders)]
    names = needed(files, boxes, all_) if boxes or all_ else usual_boxes()
    more = [files.rules(wanted.loose)] if wanted.loose else []
    return load_all(names, all_, more, files)


def _side(path: Path, loaded: Loaded) -> RulesVersion:
    if loaded.ruleset is None or loaded.findings:
        raise RulesError(loaded.findings)
    return RulesVersion(shown_name(path), loaded.ruleset, RulesetCache(loaded.ruleset))
