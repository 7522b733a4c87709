"""The pages of words, and of what a workspace declares, in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kbrules.game.board import Catalog
from kbrules.lang.syntax import tree
from kbrules.lang.typed import Rule
from kbrules.library.load import Loaded
from kbrules.messages import Code
from kbrules.tools.explain import notes_of
from kbrules.tools.language_service.workspace import Workspace
from kbrules.tools.lookup import LookupEntry, entries

_FILE_KEY = "a key of a "


@dataclass(frozen=True, slots=True)
class _Known:
    """What is loaded, mistakes or not."""

    catalog: Catalog
    declarations: Sequence[tree.Declaration]
    rules: Sequence[Rule]


def pages_of(workspace: Workspace, path: Path) -> Mapping[str, tuple[LookupEntry, ...]]:
    """The pages of all words that the rules of a file's box may use, by word."""
    loaded = workspace.last_loaded(path)
    return workspace.files.memoized(("pages", path), [loaded], lambda: _by_name(loaded))


def _by_name(loaded: Loaded) -> dict[str, tuple[LookupEntry, ...]]:
    rules = loaded.checked.rules if loaded.checked is not None else ()
    found: dict[str, tuple[LookupEntry, ...]] = {}
    for entry in entries(_Known(loaded.catalog, loaded.declarations, rules)):
        if not entry.kind.startswith(_FILE_KEY):
            found[entry.name] = (*found.get(entry.name, ()), entry)
    return found


def entry_markdown(entries: Iterable[LookupEntry]) -> str:
    """Some pages, one below the other; what two of them have alike is told once."""
    return "\n\n---\n\n".join(dict.fromkeys(map(_page, entries)))


def _page(entry: LookupEntry) -> str:
    parts = [f"```kb\n{entry.usage}\n```"] if entry.usage else []
    parts += [entry.page] if entry.page else []
    parts += [f"_{entry.kind}_"] if entry.kind else []
    parts += [f"For example: `{entry.example}`"] if entry.example else []
    return "\n\n".join(parts)


def rule_markdown(rule: tree.Rule) -> str:
    """A rule, tile or card: its title, its wording, and its first example as a drawing."""
    parts = [f"**{rule.title or rule.name.text}**, {rule.kind.text} `{rule.name.text}`"]
    parts += [rule.wording] if rule.wording else []
    examples = (each for each in rule.body if isinstance(each, tree.Example) and each.drawing)
    example = next(examples, None)
    if example is not None:
        parts.append(f"```text\n{_drawn(example)}\n```")
    return "\n\n".join(parts)


def _drawn(example: tree.Example) -> str:
    """The drawing and the lines of an example as they are written, not indented."""
    spans = [example.drawing] if example.drawing is not None else []
    lines = [line.strip() for span in spans for line in span.text.split("\n") if line.strip()]
    return "\n".join([*lines, *(line.span.text for line in example.lines)])


def code_markdown(code: Code) -> str:
    """The page of a code."""
    heading = f"**{code.code}** {code.slug}: {code.title}"
    return "\n\n".join([heading, code.explanation, *notes_of(code)])
