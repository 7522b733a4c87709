"""Codes: each has a page whose examples are true; typos are answered with suggestions."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from contextlib import chdir
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from typer.testing import CliRunner

from cli.app import app
from kbrules.diagnostics import _distance, suggest
from kbrules.messages import CODES, FOLDER, Code, Example
from kbrules.project.project import Project
from kbrules.tools.check import checked
from kbrules.tools.docs import site as messages
from kbrules.tools.explain import example_folder, findings_of
from tests.docs.printed_pages import answer_text
from tests.example_games import DALE, MOOR
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
    assert 2 <= len(re.findall(r"[.!?](?: |$)", entry.explanation)) <= 5
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


TRIED = [entry for entry in CODES.values() if entry.wrong != Example()]
EVERY_EXAMPLE = pytest.mark.parametrize("entry", TRIED, ids=[entry.code for entry in TRIED])
ANSWERS = json.loads(Path(messages.__file__).with_name(messages.ANSWERS_FILE).read_text("utf-8"))
OURS = "KB901"
LARGE = "KB010"  # its example would be 20,000 files; tests/library/test_discovery.py has a few
SLOW, GONE = "KB057", "KB058"  # whether they are said depends on what the machine does
MACHINE = "KB045"  # whether it is said depends on what is installed
PACKAGES = ["KB416", "KB417"]  # likewise; tests/cli/test_installed.py installs such packages
SYSTEM = "KB061", "KB062"  # what the system refuses
NATIVE = "KB065"  # likewise, and who asks for it is a program
FOREIGN = "KB066"  # only programs meet it: tests/engine/test_other_tables.py

WITH = {"KB509": ["KB201"]}  # what is told of a mistake elsewhere never comes alone


def said_of(example: Example, entry: Code) -> list[str]:
    """The codes an author is given for an example that is there for one of them."""
    if not example.commands:
        findings = findings_of(example, entry)
        if example is entry.wrong:
            printed = "run `python -m tests.docs.printed_pages`"
            assert ANSWERS[entry.code] == answer_text(findings, entry), printed
        return [finding.code for finding in findings]
    with example_folder(example):
        *before, result = (CliRunner().invoke(app, t.split()) for t in example.commands)
    assert all(each.exit_code == 0 for each in before)
    shown = result.output.split(f"{entry.severity}[")[1:]
    code = {"error": 2, "warning": 1}[entry.severity]
    assert result.exit_code == (code if shown else 0), result.output
    return [part[:5] for part in shown]


def test_only_what_no_author_brings_about_has_no_example() -> None:
    untried = [code for code, entry in CODES.items() if entry not in TRIED]
    assert untried == [LARGE, MACHINE, SLOW, GONE, *SYSTEM, NATIVE, FOREIGN, *PACKAGES, OURS]


@pytest.mark.parametrize("game", [DALE, MOOR], ids=["dale", "moor"])
def test_a_small_game_they_are_tried_in_is_in_order(game: dict[str, str], tmp_path: Path) -> None:
    for name, text in game.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    with chdir(tmp_path):
        report = checked(Project([Path()]))
    assert report.all == []
    assert len(report.names) == len(game)


@EVERY_EXAMPLE
def test_the_wrong_example_is_told_by_this_code_alone(entry: Code) -> None:
    assert said_of(entry.wrong, entry) == [*WITH.get(entry.code, []), entry.code]


@EVERY_EXAMPLE
def test_the_right_example_is_told_nothing(entry: Code) -> None:
    assert said_of(entry.right, entry) == []


@EVERY_EXAMPLE
def test_right_and_wrong_are_both_files_or_both_commands(entry: Code) -> None:
    assert bool(entry.wrong.commands) == bool(entry.right.commands)


WORDS = ["adjacent", "count", "rows", "at", "straight", "terrain"]


def distance(left: str, right: str) -> int:
    """A slow twin: the definition of insert, delete, replace and swap, read aloud."""

    @cache
    def ends(i: int, j: int) -> int:
        if i == 0 or j == 0:
            return i + j
        costs = [ends(i - 1, j) + 1, ends(i, j - 1) + 1]
        costs.append(ends(i - 1, j - 1) + (left[i - 1] != right[j - 1]))
        if i > 1 and j > 1 and left[i - 1] == right[j - 2] and left[i - 2] == right[j - 1]:
            costs.append(ends(i - 2, j - 2) + 1)
        return min(costs)

    return ends(len(left), len(right))


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("adjcent", "adjacent"),
        ("cuont", "count"),
        ("Count", "count"),
        ("row", "rows"),
        ("ajdacnet", "adjacent"),
        ("terrrainn", "terrain"),
        ("cxxnt", None),
        ("w" + "o" * 38, "w" + "o" * 39),
        ("w" + "o" * 40, None),
        ("terain", "terrain"),
        ("banana", None),
        ("x", None),
        ("", None),
        ("a" * 500, None),
    ],
)
def test_near_misses_are_seen_and_strangers_are_not(word: str, meant: str | None) -> None:
    assert suggest(word, [*WORDS, "w" + "o" * 39]) == meant


def test_the_word_itself_is_no_suggestion_and_nothing_comes_from_nothing() -> None:
    assert suggest("rows", ["rows"]) is None
    assert suggest("rows", []) is None


SMALL = st.text(st.sampled_from("abc"), min_size=1, max_size=9)


@given(SMALL, st.lists(SMALL, max_size=6))
def test_what_is_suggested_is_the_nearest(word: str, candidates: list[str]) -> None:
    limit = len(word) // 3 if len(word) > 2 else 0
    near = sorted((distance(word, each), each) for each in candidates if each != word)
    expected = near[0][1] if near and near[0][0] <= limit else None
    assert suggest(word, candidates) == expected


@given(st.text("ab", max_size=6), st.text("abc", max_size=6))
def test_distance_is_what_its_definition_says(left: str, right: str) -> None:
    assert _distance(left, right) == distance(left, right)


@given(st.permutations(WORDS))
def test_the_order_of_candidates_does_not_matter(words: list[str]) -> None:
    assert suggest("raws", words) == "rows"
    assert suggest("ct", [*words, "bt"]) is None
