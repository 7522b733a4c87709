"""Files in authors' folders that look like ours and that nothing reads."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

from kbrules.diagnostics import Diagnostic, Label, quoted
from kbrules.library import discovery, reading
from kbrules.library.box import shipped_in
from kbrules.scenario.reader import SUFFIX
from kbrules.text import Span

_YAML = (".yaml", ".yml")
_READ = frozenset({reading.MANIFEST, "mutants.yaml"})
_LIKE_A_BOX = re.compile(r"^id:", re.MULTILINE)
_LIKE_A_SCENARIO = re.compile(r"^(board|position|turn|steps|expect|scenarios):", re.MULTILINE)
_FORMAT = re.compile(r"^format:", re.MULTILINE)
_BEGINNING = 2000  # characters that tell what a file is
_OTHER_NAME = "give it, or the folder it is in, another name if it is yours"
_ID = re.compile(r"^id: *(\S+)", re.MULTILINE)


def unread_files(files: Iterable[Path]) -> list[Diagnostic]:
    """A finding for each of some files that nothing reads."""
    own = [file for file in files if not shipped_in(file)]
    has_box = any(file.name == reading.MANIFEST for file in own)
    read = cache(_read_rules)
    reasons = ((file, _reason(file, has_box, read)) for file in own)
    return [
        reading.file_finding(reading.shown_name(file), "KB006", *reason)
        for file, reason in reasons
        if reason is not None
    ]


def _read_rules(box_folder: Path) -> set[Path]:
    return {reading.real_path(file) for file in discovery.rule_files(box_folder)}


def _reason(
    file: Path, has_box: bool, read_rules: Callable[[Path], set[Path]]
) -> tuple[str, str] | None:
    """Why nothing reads a file, and what to do about it; `has_box` if one lies beside or above."""
    box_folder = reading.author_folder(file)
    if file.suffix == reading.RULES:
        if box_folder is None or reading.real_path(file) in read_rules(box_folder):
            return None
        inner = Path(os.path.abspath(file)).relative_to(os.path.abspath(box_folder))
        if any(map(discovery.is_hidden, inner.parts)):
            return "is not read: names that begin with a dot are those of editors", _OTHER_NAME
        return "is not read", f"move it into {quoted('rules/')} beside {quoted(reading.MANIFEST)}"
    if file.suffix.lower() not in _YAML or file.name.endswith(SUFFIX) or file.name in _READ:
        return None
    beginning = _beginning(file)
    if _LIKE_A_SCENARIO.search(beginning) and _FORMAT.search(beginning):
        stem = re.sub(r"\.scenarios?$", "", file.stem)
        return "looks like a scenario and is not read", f"call it {quoted(stem + SUFFIX)}"
    if box_folder is None and not has_box and _LIKE_A_BOX.search(beginning):
        return "looks like the data of a box and is not read", f"call it {quoted(reading.MANIFEST)}"
    return None


def _beginning(file: Path) -> str:
    """The first letters of a file; empty if it cannot be read."""
    source, _ = reading.read_source(file)
    return "" if source is None else source.text[:_BEGINNING]


def folders_of_one_id(manifests: Iterable[Path]) -> Iterator[Diagnostic]:
    """A finding for each folder whose id one beside it has, so that they cannot be joined."""
    first: dict[str, Span] = {}
    for file in manifests:
        span = None if shipped_in(file) else _id_in(file)
        if span is None:
            continue
        earlier = first.setdefault(span.text, span)
        other = Path(earlier.source.name)
        if (
            earlier is not span
            and reading.real_path(other).parent not in reading.real_path(file).parents
        ):
            labels = (Label(earlier, "used here first"),)
            message = f"two folders have the id {quoted(span.text)}"
            yield Diagnostic("KB202", span, message, "choose another id for one of them", labels)


def _id_in(file: Path) -> Span | None:
    source, _ = reading.read_source(file)
    match = _ID.search(source.text) if source is not None else None
    return source.span(*match.span(1)) if source is not None and match is not None else None
