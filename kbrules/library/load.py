"""Files to rule set: read, parse, check, join. Findings are collected, never raised, until the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from kbrules.diagnostics import Diagnostic, RulesError
from kbrules.game.things import Catalog
from kbrules.lang.check.declarations import Checked, check
from kbrules.lang.evaluate import Evaluator
from kbrules.lang.parse import parse
from kbrules.lang.tree import Declaration
from kbrules.library.boxes import Box, read_box, shipped_box, shipped_boxes
from kbrules.library.catalog import merge
from kbrules.library.compose import compose
from kbrules.library.reading import read_source, within
from kbrules.library.resources import data_root
from kbrules.library.ruleset import Ruleset
from kbrules.library.tables import Parts
from kbrules.library.words import full_implementations, full_vocabulary, taken_names
from kbrules.text import Source

MANIFEST = "expansion.yaml"


@dataclass(slots=True)
class Reading:
    """What has been read so far, and what was wrong with it."""

    boxes: list[Box] = field(default_factory=list)
    declarations: list[Declaration] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    findings: list[Diagnostic] = field(default_factory=list)


def load(
    *boxes: str, folders: Iterable[str | Path] = (), texts: Iterable[Source] = ()
) -> Ruleset:
    """The rule set of shipped boxes (all of them if none is named) and authors' folders.

    `texts` are further rule texts, as if they stood in one more file. Raises RulesError
    with every finding if anything is wrong; KeyError for an unknown box.
    """
    ruleset, findings = check_all(boxes, folders, texts)
    if findings or ruleset is None:
        raise RulesError(findings)
    return ruleset


def check_all(
    boxes: Sequence[str] = (), folders: Iterable[str | Path] = (), texts: Iterable[Source] = ()
) -> tuple[Ruleset | None, list[Diagnostic]]:
    """The rule set, if nothing is wrong with it, and every finding, sorted by place."""
    reading = Reading()
    names = list(boxes) or shipped_boxes()
    paths = [Path(folder) for folder in folders]
    _read_shipped(names, reading)
    for folder in paths:
        _read_folder(folder, reading)
    for text in texts:
        _parse(text, reading)
    return _join(reading, tuple(str(path) for path in paths))


def _read_shipped(names: Iterable[str], reading: Reading) -> None:
    root = data_root("rules")
    _read_rules(root, sorted(root.glob("*.kb")), reading)
    for name in sorted(names):
        _read_manifest(shipped_box(name), reading)
        _read_rules(root, sorted((root / name).glob("*.kb")), reading)


def _read_folder(folder: Path, reading: Reading) -> None:
    _read_manifest(folder / MANIFEST, reading)
    files = sorted({*folder.glob("*.kb"), *(folder / "rules").rglob("*.kb")})
    _read_rules(folder, files, reading)


def _read_manifest(path: Path, reading: Reading) -> None:
    box, findings = read_box(path)
    reading.findings += findings
    if box is not None:
        reading.boxes.append(box)
        reading.sources.append(box.document.source)


def _read_rules(root: Path, files: Iterable[Path], reading: Reading) -> None:
    for file in files:
        outside = within(root, file)
        source, findings = (None, outside) if outside else read_source(file)
        reading.findings += findings
        if source is not None:
            _parse(source, reading)


def _parse(source: Source, reading: Reading) -> None:
    declarations, findings = parse(source)
    reading.sources.append(source)
    reading.declarations += declarations
    reading.findings += findings


def _join(reading: Reading, folders: tuple[str, ...]) -> tuple[Ruleset | None, list[Diagnostic]]:
    catalog, parts, findings = merge(reading.boxes)
    findings = [*reading.findings, *findings]
    findings += taken_names(catalog, parts)
    checked, problems = check(reading.declarations, full_vocabulary(catalog))
    findings += problems
    rules, problems = compose(checked.rules, catalog, parts)
    findings += problems
    if findings:
        return None, sorted(findings)
    names = tuple(sorted(box.id for box in reading.boxes))
    return _ruleset(names, catalog, parts, checked, rules, reading, folders), []


def _ruleset(
    names: tuple[str, ...],
    catalog: Catalog,
    parts: Parts,
    checked: Checked,
    rules: tuple[object, ...],
    reading: Reading,
    folders: tuple[str, ...],
) -> Ruleset:
    memories = {
        memory.name.text: (memory.scope.text if memory.scope else "player", slot)
        for slot, memory in enumerate(sorted(checked.memories, key=lambda m: m.name.text))
    }
    options = {option.name.text: option.default for option in checked.options}
    evaluate = Evaluator(full_implementations(catalog))
    return Ruleset(
        names, catalog, parts, rules, dict(sorted(options.items())), memories, evaluate,  # type: ignore[arg-type]
        _digest(reading.sources), folders,
    )  # fmt: skip


def _digest(sources: Iterable[Source]) -> str:
    """A name for these texts: the same texts in any order have the same one."""
    single = sorted(blake2b(s.text.encode(), digest_size=16).hexdigest() for s in sources)
    return blake2b("".join(single).encode(), digest_size=16).hexdigest()
