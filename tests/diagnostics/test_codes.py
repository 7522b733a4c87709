"""The pages of the codes: complete, written as their README.md shows, and read when needed."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from kbrules.messages import CODES, FOLDER, Code
from tests.source_tree import ROOT

EVERY = pytest.mark.parametrize("entry", CODES.values(), ids=list(CODES))
HEAD = re.compile(
    r"# (?P<code>KB[0-579]\d\d) [a-z0-9]+(-[a-z0-9]+)*\n\n"
    r"\*\*(Error|Warning|Warning \((exact|sampled)\))\*\*: .+[^.]\n\n"
    r"\S(.+\n)+"
)
REST = re.compile(
    r"(\n\*\*Fix\*\*: .+\.\n)?"
    r"(\nThere is no example: .+\.\n"
    r"|(\nThe examples belong to the small game \[(dale|moor)\]\(games/\4\)\.\n)?"
    r"\n## Wrong\n(.*\n)+\n## Right\n(.*\n)+)"
)


def read_in_a_new_process(program: str) -> list[str]:
    """The pages that a program opens."""
    watch = "import sys\nsys.addaudithook(lambda event, args: event == 'open' and print(args[0]))\n"
    done = subprocess.run(
        [sys.executable, "-c", watch + program], cwd=ROOT, text=True, capture_output=True
    )
    return re.findall(r"KB\d{3}(?=\.md)", done.stdout)


def test_codes_are_their_keys_in_order_and_slugs_are_unique() -> None:
    assert [entry.code for entry in CODES.values()] == list(CODES) == sorted(CODES)
    assert len({entry.slug for entry in CODES.values()}) == len(CODES) > 50


@EVERY
def test_a_page_has_a_head_and_its_parts_in_order(entry: Code) -> None:
    page = (FOLDER / f"{entry.code}.md").read_text(encoding="utf-8")
    head = HEAD.match(page)
    assert head is not None and head["code"] == entry.code
    assert REST.fullmatch(page, head.end())
    assert max(map(len, page[: head.end()].splitlines())) <= 100


@EVERY
def test_an_entry_is_written_as_all_are(entry: Code) -> None:
    assert entry.severity == "warning" or (not entry.claim and not entry.fix)
    assert entry.title[0].islower() or entry.title.startswith("`")
    assert 2 <= len(re.findall(r"[.!?](?: |$)", entry.explanation)) <= 4
    assert entry.explanation.endswith(".") and "  " not in entry.explanation


@EVERY
def test_an_entry_shows_wrong_and_right(entry: Code) -> None:
    page = (FOLDER / f"{entry.code}.md").read_text(encoding="utf-8")
    examples = entry.wrong, entry.right
    blocks = [1 for each in examples for _ in (*each.files, *([1] if each.commands else []))]
    assert page.count("```") == 2 * len(blocks), "a block without the name of its file"
    assert "There is no example" in page or entry.wrong != entry.right
    assert all(line for each in examples for line in each.commands)


def test_a_code_without_a_page_is_a_key_error() -> None:
    assert CODES["KB203"].slug == "wrong-sort"
    for name in ("KB999", "README", "../KB203", "KB203\0"):
        assert name not in CODES
        with pytest.raises(KeyError):
            CODES[name]
    with pytest.raises(TypeError):
        CODES["KB999"] = CODES["KB203"]  # type: ignore[index]


def test_pages_are_read_when_they_are_needed() -> None:
    check = "from cli.app import app\napp(['check', {!r}], standalone_mode=False)"
    assert read_in_a_new_process("import kbrules.diagnostics\nimport kbrules.pytest_plugin") == []
    assert len(read_in_a_new_process(check.format("rules/base"))) < 5  # those of findings alone
    assert read_in_a_new_process("from kbrules.messages import CODES\nCODES['KB201']") == ["KB201"]


def test_every_code_the_engine_speaks_has_a_page() -> None:
    house = FOLDER.parent
    spoken = {
        (found, path.name)
        for path in house.rglob("*.py")
        for found in re.findall(r"\bKB\d{3}\b", path.read_text(encoding="utf-8"))
    }
    assert any(found == "KB401" for found, _ in spoken)  # the walk reads at all
    assert {(found, name) for found, name in spoken if found not in CODES} == set()
