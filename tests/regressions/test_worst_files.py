"""The worst files known of each kind are checked within ten seconds of processor time."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path

import pytest

from kbrules.library.reading import LIMIT
from kbrules.project.project import Project
from kbrules.tools.check import CheckResult, checked
from kbrules.tools.lint.run import LintSettings, warnings
from kbrules.tools.reports.checked import MAX_SHOWN, check_report
from kbrules.tools.reports.report import Form, render
from tests.pace import in_time

SECONDS = 10
BOX = "format: 1\nid: worst\ntitle: The worst\nneeds: [base]\n"
RULE = 'rule r{n} "R":\n    "Much of it."\n{body}'
HEAVY = "sum(sum(count(groups(board - mine - row - line)) for row in rows) for line in diagonals)"


def rule(body: str, n: object = "") -> str:
    """A rule that says something."""
    return RULE.format(n=n, body=body)


def filled(line: str, head: str = "") -> str:
    """As many lines as fit into a file, numbered by `{n}`."""
    text, lines, size = head, [], LIMIT - len(head)
    for n in count():
        size -= len(each := line.format(n=n))
        if size < 0:
            return text + "".join(lines)
        lines.append(each)
    raise AssertionError


def table(n: int) -> str:
    """A declaration of which each of 100 rows has a mistake."""
    rows = "".join(f"        | x{n}_{i} |\n" for i in range(100))
    return (
        f'rule {{kind}}_r{n} "R {{kind}}":\n    "W."\n    gold count(mine & {{kind}})\n'
        f"    table:\n        | kind |\n{rows}"
    )


def branches(indent: str, number: int, *steps: str) -> str:
    """Blocks of some steps to choose from."""
    block = "".join(f"{indent}    {step}\n" for step in steps)
    return "".join(f"{indent}{'or' if n else 'either'}:\n{block}" for n in range(number))


def example(n: int) -> str:
    """A large drawing."""
    rows = "".join("        |" + " " * (r % 2) + " .a" * 40 + "\n" for r in range(40))
    return f'    example "e{n}":\n{rows}        gives 2\n'


def drawing(columns: int, rows: int) -> str:
    """A scenario with a large drawing."""
    lines = "".join("    " + " " * (r % 2) + " ".join(["Ga"] * columns) + "\n" for r in range(rows))
    return f"format: 1\ntitle: T\nboard:\n  drawing: |\n{lines}expect: {{turn: a}}\n"


ONE_WAY = "    gold sum(longest_way(within(foremost(mine - row), 3)) for row in rows)\n"
CUT = (
    "    gold count(mine & adjacent(water) & adjacent(grass) & within(mine, {}) & edge) "
    "if any(mine & edge) and any(mine & water)\n"
)
BUILD = "build 1 on empty"
MOVE = "move 1 from mine to adjacent(origin) & empty freely"
RULES = {
    "ways": rule(ONE_WAY),
    "many ways": rule("    gold sum(longest_way(mine - row) for row in rows)\n" * 190),
    "ways in norms": rule("    forbid build on edge if longest_way(mine) > 39\n" * 30),
    "tables": "".join(map(table, range(60))),
    "long sums": rule(f"    gold {' + '.join(['count(mine)'] * 90)}\n" * 190),
    "long intersections": "".join(rule(CUT.format(n % 9), n) for n in range(1500)),
    "branches": rule("    action:\n        up to 400 times:\n" + branches(" " * 12, 64, BUILD)),
    "branches of two steps": rule("    action:\n" + branches(" " * 8, 64, MOVE, BUILD)),
    "tiles received": rule("    when build:\n        repeat 400 times: receive tavern\n"),
    "triggers": "".join(rule("    when build: gain 1\n", n) for n in range(1900)),
    "groups of groups": rule(f"    gold {HEAVY}\n" * 60),
    "norms": rule(f"    forbid build on edge if {HEAVY} > 99999\n" * 30),
    "options": filled('option o{n} = yes "O."\n'[:60], "")[:60_000].rpartition("option")[0],
    "memories": "".join(f'memory m{n}: hexes of player "M."\n' for n in range(1900)),
    "unknown words": filled(rule("    gold count(bogsu{n} & mnie)\n", "{n}"))[:170_000],
    "examples": rule("    gold count(mine)\n" + "".join(map(example, range(30)))),
    "one name": filled(rule("    gold 1\n")),
    "rubbish": filled("\t\trule %% $$ {n}\n"),
    "parentheses": rule("    gold count(" + "(" * 2000 + "mine" + ")" * 2000 + ")\n"),
    "a long line": rule("    gold count(mine" + " & mine" * 30_000 + ")\n"),
}
FILES: Mapping[str, tuple[str, str]] = {
    "keys": ("expansion.yaml", BOX + "".join(f"key{n}: 1\n" for n in range(9000))),
    "anchors": ("expansion.yaml", BOX + "".join(f"x{n}: &a{n} [1]\n" for n in range(9000))),
    "a large drawing": ("s.scenario.yaml", drawing(60, 60)),
    "a huge drawing": ("s.scenario.yaml", drawing(190, 400)),
    **{name: ("rules/x.kb", text) for name, text in RULES.items()},
}


@pytest.fixture(autouse=True)
def garbage_as_the_program_looks_for_it() -> Iterator[None]:
    """Set what `kbrules` sets when it starts: in a process of many tests looking takes longer."""
    usual = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(50_000)
    yield
    gc.set_threshold(*usual)
    gc.unfreeze()


def all_found(folder: Path) -> CheckResult:
    """All findings, as the command finds them."""
    return checked(
        Project([folder]), LintSettings(frozenset(warnings()), samples=200, is_isolated=True)
    )


def shown_in(form: str, result: CheckResult) -> str:
    return render(check_report(result, 1), Form(form))


@pytest.mark.parametrize("kind", FILES)
def test_the_worst_files_are_checked_in_time(kind: str, tmp_path: Path) -> None:
    name, text = FILES[kind]
    for path, content in (("expansion.yaml", BOX), (name, text)):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(content, encoding="utf-8")
    result = in_time(SECONDS, lambda: all_found(tmp_path))
    for form in ("full", "concise"):
        shown = in_time(SECONDS, lambda form=form: shown_in(form, result))
        more = len(result.all) - MAX_SHOWN
        assert (f"{more} more finding" in shown) is (more > 0)


def test_the_first_findings_are_shown_and_the_others_counted(tmp_path: Path) -> None:
    (tmp_path / "expansion.yaml").write_text(BOX, encoding="utf-8")
    text = rule("".join(f"    gold {word}\n" for word in ["mnie"] * (MAX_SHOWN // 2)))
    (tmp_path / "x.kb").write_text(text, encoding="utf-8")
    assert "more finding" not in shown_in("concise", checked(Project([tmp_path])))
    text = text + "".join(f'define d{n} "D.": mnie\n' for n in range(MAX_SHOWN))
    (tmp_path / "x.kb").write_text(text, encoding="utf-8")
    result = checked(Project([tmp_path]))
    lines = shown_in("concise", result).split("\n")
    assert len(lines) == MAX_SHOWN + 1 and len(result.all) == MAX_SHOWN * 3 // 2
    assert lines[-1] == "100 more findings; `--output-format jsonl` lists all of them"
    assert len(shown_in("jsonl", result).split("\n")) == len(result.all) + 1
