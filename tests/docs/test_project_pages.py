"""Pages about the project say what is so: files, names, limits, promises, versions."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from inspect import getsource
from pathlib import Path

import pytest
from typer.main import get_command

import kbrules
from cli.app import app
from kbrules.engine.simulation.playthrough import Playthrough
from kbrules.messages import CODES
from tests.docs.guide import Block, blocks
from tests.source_tree import ROOT, modules

PAGE = ROOT / "CONTRIBUTING.md"
CONTRIBUTING = PAGE.read_text(encoding="utf-8")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
VERSIONS = (ROOT / "docs" / "versions.md").read_text(encoding="utf-8")
PARTS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
"""The parts of a version, in the order of Keep a Changelog."""
ADDED = [block for block in blocks(PAGE) if block.what == "part"]


@pytest.mark.parametrize("block", ADDED, ids=lambda block: Path(block.of).stem)
def test_the_word_shown_is_the_word_in_the_file(block: Block) -> None:
    assert f"\n{block.text}\n" in (ROOT / block.of).read_text(encoding="utf-8")


def test_a_word_is_shown_in_both_of_its_files() -> None:
    assert [block.of for block in ADDED] == [
        "kbrules/primitives/sets.py",
        "kbrules/kernel/runtime/geometry.py",
    ]
    names = {re.findall(r"^def (\w+)", block.text, re.MULTILINE)[0] for block in ADDED}
    assert len(names) == 1


def test_every_folder_and_target_that_contributors_are_told_of_is_there() -> None:
    paths = set(re.findall(r"`((?:kbrules|cli|rules|expansions|schemas|tests|docs)/[\w/.]*)`",
                           CONTRIBUTING))  # fmt: skip
    paths |= set(re.findall(r"\b(tests/[\w/.]*\w)", CONTRIBUTING))
    assert len(paths) > 20
    assert sorted(path for path in paths if not (ROOT / path).exists()) == []
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert set(re.findall(r"`make ([a-z-]+)`|^    make ([a-z-]+)", CONTRIBUTING, re.MULTILINE)) <= {
        pair for target in targets for pair in ((target, ""), ("", target))
    }


@pytest.mark.parametrize("text", [CONTRIBUTING, CHANGELOG], ids=["contributing", "changelog"])
def test_links_lead_somewhere(text: str) -> None:
    links = [to for to in re.findall(r"\]\(([^)#]+)", text) if "://" not in to]
    assert links and [to for to in links if not (ROOT / to).exists()] == []


def test_the_changelog_has_the_version_of_the_package_below_what_is_unreleased() -> None:
    heads = re.findall(r"^## \[([^]]+)\]", CHANGELOG, re.MULTILINE)
    assert heads[:2] == ["Unreleased", kbrules.__version__]
    assert len(heads) == len(set(heads))
    for part in CHANGELOG.split("\n## ")[1:]:
        kinds = re.findall(r"^### (.*)$", part, re.MULTILINE)
        assert kinds and kinds == [kind for kind in PARTS if kind in kinds], part[:20]


def test_the_changelog_names_what_is_there() -> None:
    unreleased = CHANGELOG.split("\n## ")[1].split("### Removed")[0]
    named = re.findall(r"`(?:kbrules|Game|Playthrough)\.(?!toml)(\w+)`", unreleased)
    assert len(named) >= 4
    for name in named:
        is_there = f"self.{name}" in getsource(Playthrough) or find_spec(f"kbrules.{name}")
        assert is_there or any(hasattr(owner, name) for owner in (kbrules, kbrules.Game)), name
    assert not hasattr(kbrules.Game, "native_playthrough")


def test_the_upgrade_of_formats_is_not_there_yet_and_the_page_says_so() -> None:
    said = re.sub(r"\s+", " ", VERSIONS)
    assert "`kbrules fmt --upgrade` will rewrite" in said and "it does not exist yet" in said
    fmt = get_command(app).commands["fmt"]  # type: ignore[attr-defined]
    options = {option for parameter in fmt.params for option in parameter.opts}
    assert "--check" in options and "--upgrade" not in options


def test_the_page_names_the_code_for_logs_of_other_rules() -> None:
    assert "KB512" in VERSIONS and CODES["KB512"].slug == "other-rules"


LIMITS_PAGE = (Path(__file__).parents[2] / "docs" / "limits.md").read_text(encoding="utf-8")
ROW = re.compile(
    r"^\| .* \| ([\d,]+)( (?:[KM]iB?))?.* \| ((?:KB\d+|, )+|--) \| `([\w.]+)\.(\w+)` \|$", re.M
)
SCALE = {"": 1, "K": 1024, "M": 1024**2}
ROWS = ROW.findall(LIMITS_PAGE)


def test_every_row_is_read() -> None:
    assert len(ROWS) == LIMITS_PAGE.count("| `kbrules.") >= 8


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[3]}.{row[4]}")
def test_a_limit_is_as_the_page_says(row: tuple[str, ...]) -> None:
    number, unit, codes, module, name = row
    value = getattr(import_module(module), name)
    assert value == int(number.replace(",", "")) * SCALE[unit.strip()[:1]]
    assert all(code in CODES for code in codes.split(", ") if code != "--")


PROMISES = (ROOT / "docs" / "promises.md").read_text(encoding="utf-8")
HOLDERS = re.findall(r"`(tests/[\w/.]+)`", PROMISES)


def test_every_promise_has_a_test() -> None:
    table = PROMISES.split("\n\n")[2].split("\n")[2:]
    assert len(table) >= 13 and all("`tests/" in row for row in table)


@pytest.mark.parametrize("holder", HOLDERS)
def test_a_test_that_is_named_is_there(holder: str) -> None:
    assert (ROOT / holder).exists()


PAGES = ("docs/architecture.md", "docs/paths.md", "CONTRIBUTING.md")
FENCED = re.compile(r"^```.*?^```", re.S | re.M)
FILE = re.compile(r"[\w./]+\.(?:py|md|json|lark|txt|csv)")
NAME = re.compile(r"(?:([A-Za-z_]\w*)\.)?([A-Za-z_]\w*)(?:\(.*\))?")
PLACED = re.compile(r"`(?:\w+\.)?(\w+)(?:\([^`\n]*\))?`\s+\(`([\w./]+\.py)`")  # `name` (`file`)


def quoted(page: str) -> Iterator[str]:
    """What stands between backticks, outside of blocks of code."""
    text = (ROOT / page).read_text(encoding="utf-8")
    yield from re.findall(r"`([^`\n]+)`", FENCED.sub("", text))


def names_of_code() -> set[str]:
    """What modules define or assign, their own names, and what they call parameters."""
    found: set[str] = set()
    for module in modules():
        found |= set(module.name.split("."))
        for node in ast.walk(module.tree):
            match node:
                case ast.FunctionDef() | ast.ClassDef():
                    found.add(node.name)
                case ast.Name() | ast.arg():
                    found.add(node.id if isinstance(node, ast.Name) else node.arg)
                case ast.Attribute():
                    found.add(node.attr)
    return found


def places_of(file: str) -> list[Path]:
    """Where a file may be: from the root, the package or docs, or by its name alone."""
    fixed = [ROOT / start / file for start in ("", "kbrules", "docs")]
    by_name = [] if "/" in file else [*(ROOT / "kbrules").rglob(file)]
    return [path for path in [*fixed, *by_name] if path.is_file()]


@pytest.mark.parametrize("page", PAGES)
def test_files_that_are_named_are_there(page: str) -> None:
    named = [text for text in quoted(page) if FILE.fullmatch(text)]
    assert named
    assert not [file for file in named if not places_of(file)]


def test_functions_that_are_named_are_there() -> None:
    known = names_of_code()
    parts = [NAME.fullmatch(text) for text in quoted("docs/paths.md") if not FILE.fullmatch(text)]
    named = {name for part in parts if part for name in part.groups() if name}
    assert len(named) > 30
    assert sorted(named - known) == []


def test_a_name_with_a_file_behind_it_is_in_that_file() -> None:
    placed = PLACED.findall((ROOT / "docs/paths.md").read_text(encoding="utf-8"))
    assert len(placed) > 20
    for name, file in placed:
        texts = [path.read_text(encoding="utf-8") for path in places_of(file)]
        assert any(re.search(rf"(?:def|class) {name}\b", text) for text in texts), (name, file)
