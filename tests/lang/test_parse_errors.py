"""Mistakes in the shape of a rule file: what is marked, what is advised, and nothing else."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given, strategies as st

from kbrules.lang.syntax import tree
from kbrules.lang.syntax.parse import parse
from kbrules.library.reading import data_root, read_source
from kbrules.text import Source
from tests.lang.told import Told, assert_told, of_checking, of_reading, of_shipped, shown
from tests.pace import in_time

NEAR = 'define near "Hexes next to yours.": '
HEAD = 'rule placing "Placing":\n    "Build."\n'
ACTION = HEAD + "    action:\n        build 1 on empty\n"
GOOD = HEAD + "    permit build on empty\n"

CASES: dict[str, tuple[str, list[Told]]] = {
    # headings
    "no colon after a heading": (
        'rule placing\n    "Build."\n    permit build on empty\n', [Told("KB107", "g", "`:`")],
    ),
    "no colon after a title": (
        'rule placing "Placing"\n    "Build."\n    permit build on empty\n', [Told("KB107", '"')],
    ),
    "no colon, and a comment behind": (
        'rule placing  # for all\n    "Build."\n    permit build on empty\n', [Told("KB107", "g")],
    ),
    "a heading alone": ("rule placing:\n", [Told("KB102", ":", "indent")]),
    "a heading and a comment": ("rule placing:\n    # nothing\n", [Told("KB102", ":")]),
    "a word alone": ("placing\n", [Told("KB102", "g")]),
    "a word too many in a heading": (
        'rule placing anew:\n    "Build."\n    permit build on empty\n', [Told("KB101", "anew")],
    ),
    "replaces misspelt": (
        'rule placing replacs placement:\n    "Build."\n    permit build on empty\n',
        [Told("KB101", "replacs", "`replaces`")],
    ),
    "define misspelt": (
        'defin near "Hexes.": adjacent(mine)\n', [Told("KB108", "defin", "`define`")],
    ),
    "option misspelt": ("optoin near = yes\n", [Told("KB108", "optoin", "`option`")]),
    "memory misspelt": ("memry near: hexes\n", [Told("KB108", "memry", "`memory`")]),
    "an option without a value": ("option near\n", [Told("KB102", "r")]),
    "an option's line misspelt": (
        'option near = yes:\n    question "Why?"\n    sorce "1.1"\n',
        [Told("KB201", "sorce", "`source`")],
    ),
    "an option's lines that are none": (
        'option near = yes:\n    permit build\n    "Why?"\n    question: "Why?"\n    source\n',
        [Told("KB101", "permit"), Told("KB101", '"Why?"'), Told("KB101", ":"), Told("KB102", "e")],
    ),
    "an option's line at the edge": (
        'option near = yes:\nquestion "Why?"\n', [Told("KB103", 'question "Why?"')],
    ),
    "an option's line without a colon above": (
        'option near = yes\n    question "Why?"\n', [Told("KB103", 'question "Why?"', "`:`")],
    ),
    "an option without its lines": ("option near = yes:\n", [Told("KB102", ":")]),
    "a row of a table without bars": (
        'rule one_{x} "One":\n    "Gain."\n    when build: gain 1\n    table:\n        x y\n',
        [Told("KB101", "x", "between bars")],
    ),
    "an option of a strange value": ("option near = maybe\n", [Told("KB101", "maybe")]),
    "a memory without a sort": ("memory near hexes\n", [Told("KB101", "hexes")]),
    "a definition without a body": ('define near "Hexes.":\n', [Told("KB102", ":")]),
    "capitals in a heading": (
        'rule Placing:\n    "Build."\n    permit build on empty\n',
        [Told("KB105", "Placing", "`placing`")],
    ),
    # lines at the edge
    "a sentence at the edge": (
        HEAD + "permit build on empty\n", [Told("KB103", "permit build on empty", "indent")],
    ),
    "all sentences at the edge": (
        'rule placing:\n"Build."\npermit build on empty\n', [Told("KB103", '"Build."')],
    ),
    "a block at the edge": (
        HEAD + "action:\n    build 1 on empty\n", [Told("KB103", "action:")],
    ),
    "a drawing at the edge": (
        GOOD + "    example:\n| . .\n        offers\n", [Told("KB103", "| . .")],
    ),
    "a text before everything": ('"Build."\n' + GOOD, [Told("KB103", '"Build."')]),
    "an indented line before everything": ("    empty\n" + GOOD, [Told("KB103", "empty")]),
    # indentation
    "a line too far left": (
        GOOD + "  forbid build on mine\n", [Told("KB103", "forbid build on mine", "line it up")],
    ),
    "two lines too far left": (
        GOOD + "  forbid build on mine\n  forbid build on edge\n",
        [Told("KB103", "forbid build on mine")],
    ),
    "a line too far right": (
        HEAD + "        permit build on empty\n", [Told("KB103", "permit build on empty")],
    ),
    "a comment in any column is no mistake": (
        HEAD + "  # here\n            # there\n# and here\n    permit build on empty\n", [],
    ),
    "an empty block": (
        HEAD + "    action:\n    permit build on empty\n", [Told("KB102", ":", "indent")],
    ),
    "a block without a colon": (
        HEAD + "    action\n        build 1 on empty\n", [Told("KB107", "n")],
    ),
    "a trigger without a colon": (
        HEAD + "    when build\n        last round\n", [Told("KB107", "d")],
    ),
    "a loop without a colon": (
        HEAD + "    for row in rows\n        gold 1\n", [Told("KB107", "s")],
    ),
    "a condition without a colon": (
        HEAD + "    action:\n        if any(mine)\n            build 1\n", [Told("KB107", ")")],
    ),
    "a tab": (HEAD + "\tpermit build on empty\n", [Told("KB104", "\t", "blanks")]),
    "tabs and blanks": (
        "rule placing:\n\t\"Build.\"\n    action:\n\t\tbuild 1 on empty\n    \tbuild 1\n",
        [Told("KB104", "\t")],
    ),
    "a tab that moves a line": (
        GOOD + "     \tforbid build on mine\n", [Told("KB104", "\t")],
    ),
    "a tab in the middle": (HEAD + "    permit build\ton empty\n", [Told("KB104", "\t")]),
    "a tab and another mistake": (
        HEAD + "\tpermit build on empty empty\n", [Told("KB104", "\t"), Told("KB101", "empty")],
    ),
    "a tab in a text is no mistake": (
        'rule placing:\n    "Build\tit."\n    permit build on edge\n', [],
    ),
    # signs
    "a semicolon": (NEAR + "adjacent(mine) ; empty\n", [Told("KB105", ";")]),
    "a capital letter": (NEAR + "adjacent(Mine)\n", [Told("KB105", "Mine", "`mine`")]),
    "another alphabet": (NEAR + "adjacent(m\u0456ne)\n", [Told("KB105", "m\u0456ne", "\u0456")]),
    "a sign of ours": (NEAR + "\x1b\n", [Told("KB105", "\x1b", "delete")]),
    "a sign of ours in a text": (HEAD.replace("rule", "\x1a", 1), [Told("KB105", "\x1a")]),
    "a single quote": (HEAD + "    permit build on 'empty'\n", [Told("KB105", "'")]),
    "two signs": (NEAR + "empty && mine\n", [Told("KB101", "&")]),
    "a dot": (NEAR + "mine.empty\n", [Told("KB105", ".")]),
    "square brackets": (NEAR + "adjacent[mine]\n", [Told("KB105", "[")]),
    "an assignment": (NEAR + "count(mine) == 3\n", [Told("KB101", "=")]),
    # texts
    "an open text": (
        'rule placing:\n    "Build.\n    permit build on edge\n', [Told("KB109", '"Build.', '`"`')],
    ),
    "an open text with brackets": (
        'rule placing:\n    "Build (here.\n    permit build on empty\n',
        [Told("KB109", '"Build (here.')],
    ),
    "an open title": (
        'rule placing "Placing:\n    "Build."\n    permit build on empty\n',
        [Told("KB109", '"Placing:')],
    ),
    # expressions
    "an open bracket at the end": (NEAR + "adjacent(mine\n", [Told("KB102", "e", "`)`")]),
    "an open bracket in the middle": (
        HEAD + "    permit build on adjacent(mine\n    forbid build on mine\n",
        [Told("KB102", "e")],
    ),
    "an open bracket and a comment": (
        HEAD + "    permit build on (mine # or\n    forbid build on mine\n", [Told("KB102", "e")],
    ),
    "a bracket too many, and a mistake of the next line": (
        HEAD + "    gold count(mine))\n    gold 1 gold\n",
        [Told("KB101", ")"), Told("KB101", "gold")],
    ),
    "a bracket too many": (NEAR + "adjacent(mine))\n", [Told("KB101", ")")]),
    "nothing in brackets": (NEAR + "()\n", [Told("KB101", ")")]),
    "a missing operand": (NEAR + "empty &\n", [Told("KB102", "&")]),
    "a missing sign": (NEAR + "adjacent(mine) empty\n", [Told("KB101", "empty", "`&`")]),
    "a missing comma": (NEAR + "within(mine 2)\n", [Told("KB101", "2")]),
    "a comma too many": (NEAR + "within(mine,, 2)\n", [Told("KB101", ",")]),
    "a sign first": (NEAR + "& empty\n", [Told("KB101", "&")]),
    "an expression over lines": (
        HEAD + "    permit build on (empty &\n        mine mine)\n    forbid build on edge\n",
        [Told("KB101", "mine", "`&`")],
    ),
    "an expression that stops on its second line": (
        HEAD + "    permit build on (empty &\n        mine |)\n", [Told("KB101", ")")],
    ),
    "a loop without in": (NEAR + "sum(1 for row rows)\n", [Told("KB101", "rows")]),
    # sentences
    "on misspelt": (HEAD + "    permit build an empty\n", [Told("KB101", "an", "`on`")]),
    "per misspelt": (HEAD + "    gold 3 pre hex in mine\n", [Told("KB101", "pre", "`per`")]),
    "win without by": (HEAD + "    win count(mine)\n", [Told("KB101", "count(", "")]),
    "win by nothing": (HEAD + "    win by\n", [Told("KB102", "y")]),
    "a victory with a condition": (
        HEAD + "    win by count(mine) if any(mine)\n", [Told("KB101", "if")],
    ),
    "a victory at the edge": (
        HEAD.replace('":', '" replaces winning:') + "win by count(mine)\n",
        [Told("KB103", "win by count(mine)", "indent")],
    ),
    "gold misspelt": (HEAD + "    golld 3 per hex in mine\n", [Told("KB201", "golld", "`gold`")]),
    "when misspelt": (
        HEAD + "    whn build:\n        last round\n", [Told("KB201", "whn", "`when`")],
    ),
    "for misspelt": (
        HEAD + "    fr row in rows:\n        gold 1\n", [Told("KB201", "fr", "`for`")],
    ),
    "otherwise misspelt": (
        ACTION + "        otherwse:\n            build 1\n",
        [Told("KB201", "otherwse", "`otherwise`")],
    ),
    "nothing to permit": (HEAD + "    permit\n", [Told("KB102", "t")]),
    "no verb": (HEAD + "    permit on empty\n", [Told("KB101", "empty")]),
    "an if without a condition": (HEAD + "    permit build on empty if\n", [Told("KB102", "f")]),
    "a step without a target": (
        HEAD + "    action:\n        move 1 from mine to\n", [Told("KB102", "o")],
    ),
    "an increase without by": (HEAD + "    increase builds 2\n", [Told("KB101", "2")]),
    "a drawing where none can be": (
        GOOD + "    | .+ .+\n    |  .+ .+\n    forbid build on mine\n", [Told("KB101", "| .+ .+")],
    ),
    "example misspelt": (
        GOOD + "    exmple:\n        | .+ .+\n        |  .+ .+\n        offers\n",
        [Told("KB201", "exmple", "`example`")],
    ),
    # several at once
    "three mistakes in one rule": (
        HEAD + "    permit build an empty\n    forbid build on (mine\n    gold 3 pre hex in mine\n",
        [Told("KB101", "an"), Told("KB102", "e"), Told("KB101", "pre")],
    ),
    "three mistakes in three declarations": (
        NEAR + "adjacent(mine\n" + "rule placing\n    \"Build.\"\n    permit build on empty\n"
        + "option x == 3\n",
        [Told("KB102", "e"), Told("KB107", "g"), Told("KB101", "=")],
    ),
    "a heading and its body": (
        'rule placing\n    "Build.\n    permit build an empty\n',
        [Told("KB107", "g"), Told("KB109", '"Build.'), Told("KB101", "an")],
    ),
    # depth
    "brackets too deep": (NEAR + "(" * 65 + "mine" + ")" * 65 + "\n", [Told("KB106", "(")]),
    "calls too deep": (
        NEAR + "adjacent(" * 65 + "mine" + ")" * 65 + "\n", [Told("KB106", "(")],
    ),
    "a chain too long": (NEAR + "not " * 200 + "any(mine)\n", [Told("KB106", "not")]),
    "a chain over many lines": (
        NEAR + "(mine\n" + "    | mine\n" * 200 + "    )\n", [Told("KB106", "| mine")],
    ),
    "blocks too deep": (
        HEAD + "".join(" " * 4 * n + "if any(mine):\n" for n in range(1, 30)),
        [Told("KB106", "if")],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=list(CASES))
def test_a_mistake_is_told_once_at_the_word(text: str, expected: list[Told]) -> None:
    assert_told(of_reading(text), expected)


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=list(CASES))
def test_and_the_checker_adds_nothing_to_it(text: str, expected: list[Told]) -> None:
    found = [f for f in of_checking(text) if not f.code.startswith("KB1")]
    own = [told for told in expected if told.code == "KB201"]
    assert len(found) == len(own), shown(found)


# Whatever stands in a file


def test_a_broken_heading_keeps_its_name_and_its_body() -> None:
    text = 'card rowers "Rowers" of oars:\n    "Gold."\n    gold 1 per hex in emty\n'
    declarations, findings = parse(Source("x.kb", text))
    assert [f.code for f in findings] == ["KB101"]
    (rule,) = declarations
    assert isinstance(rule, tree.Rule)
    assert (rule.kind.text, rule.name.text) == ("card", "rowers")
    assert_told(
        [f for f in of_checking(text) if f.code == "KB201"], [Told("KB201", "emty", "`empty`")]
    )


def test_what_cannot_be_parsed_is_still_known_by_name() -> None:
    declarations, _ = parse(Source("x.kb", "define near(: adjacent(mine)\n"))
    assert isinstance(declarations[0], tree.Broken)
    assert declarations[0].name.text == "near"
    text = "define near (mine): adjacent(mine)\n" + HEAD + "    permit build on near & far\n"
    assert_told([f for f in of_checking(text) if f.code == "KB201"], [Told("KB201", "far")])


def test_places_stay_true_behind_tabs_and_moved_lines() -> None:
    text = 'rule placing:\n"Build."\naction:\n\tbuild 1 on empty empty\n\t\tbuild 1 onn mine\n'
    marked = [(f.code, f.span.line, f.span.text) for f in of_reading(text)]
    assert ("KB103", 2, '"Build."') in marked
    assert ("KB104", 4, "\t") in marked
    assert all(code in ("KB103", "KB104", "KB101", "KB205") for code, _, _ in marked)


@given(st.text(max_size=300))
@example('"' * 50)
@example("(" * 300)
@example("rule a:\n    (\n)\n")
@example("define a: " + "9" * 5000)
@example("rule \x1a:\n    \x1b\n")
@example("rule a:\n" + " " * 97 + "b")
def test_any_text_is_read_or_refused(text: str) -> None:
    declarations, findings = in_time(5, lambda: parse(Source("x.kb", text)))
    for finding in findings:
        assert 0 <= finding.span.start <= finding.span.end <= len(text)
    code = [line for line in text.split("\n") if line.strip() and line.lstrip()[0] != "#"]
    assert declarations or findings or not code


WORDS = [
    *("rule", "card", "define", "a", "mine", "(", ")", ":", "\n", "    ", "\t", '"', "on", "&"),
    *("build", "permit", "when", "gold", "1", "for", "in", "if", "|", "#", "=", "action", ","),
]


@given(st.lists(st.sampled_from(WORDS), max_size=60))
def test_any_heap_of_words_is_read_or_refused(words: list[str]) -> None:
    text = " ".join(words)
    declarations, _ = parse(Source("x.kb", text))
    of_checking(text)  # never raises
    assert len(declarations) <= len(words)


def test_as_deep_as_allowed_is_read_and_checked() -> None:
    for text in (
        NEAR + "(" * 64 + "mine" + ")" * 64 + "\n",
        NEAR + "adjacent(" * 64 + "mine" + ")" * 64 + "\n",
        NEAR + "(mine\n" + "    | mine\n" * 99 + "    )\n",
        NEAR + "adjacent(" * 60 + "mine" + " | mine" * 80 + ")" * 60 + "\n",
    ):
        assert shown(of_checking(text)) == ""


def test_a_file_of_twenty_megabytes_is_refused_at_once(tmp_path: Path) -> None:
    file = tmp_path / "x.kb"
    file.write_bytes(b"# a long line of a long file\n" * 700_000)
    source, findings = in_time(3, lambda: read_source(file))
    assert source is None
    assert [f.code for f in findings] == ["KB003"]


LONGEST = 256 * 1024


RUBBISH = ["a\n", '"\n', "(\n", "\ta\n", "rule a\n", "a b: (\n", "define a: a\n"]


@pytest.mark.parametrize("line", [*RUBBISH, "rule a:\n    b c d e\n"])
def test_the_largest_file_of_rubbish_is_answered_in_time(line: str) -> None:
    text = line * (LONGEST // len(line))
    _, findings = in_time(20, lambda: parse(Source("x.kb", text)))
    assert 0 < len(findings) <= 50


def test_a_long_rule_full_of_mistakes_is_answered_in_time() -> None:
    text = HEAD + "    permit build an empty\n" * 8000
    findings = in_time(20, lambda: of_reading(text))
    assert findings


# One slip in a good file

RULES = data_root("rules")
SHIPPED = {
    file.relative_to(RULES).as_posix(): file.read_text(encoding="utf-8")
    for file in sorted(RULES.rglob("*.kb"))
}
SLIPS = 'abehmnrst_ ():&|"#\n\t39.,;-'


@dataclass(frozen=True)
class Slip:
    """One character of a shipped file deleted, inserted, replaced, or swapped with the next."""

    file: str
    place: float
    kind: str
    sign: str

    def text(self) -> str:
        text = SHIPPED[self.file]
        at = int(self.place * (len(text) - 2))
        before, one, other, after = text[:at], text[at], text[at + 1], text[at + 2 :]
        return {
            "delete": before + other + after,
            "insert": before + self.sign + one + other + after,
            "replace": before + self.sign + other + after,
            "swap": before + other + one + after,
        }[self.kind]


SLIP = st.builds(
    Slip,
    st.sampled_from(sorted(SHIPPED)),
    st.floats(0, 1),
    st.sampled_from(("delete", "insert", "replace", "swap")),
    st.sampled_from(SLIPS),
)


@given(SLIP)
def test_one_slip_in_a_good_file_is_answered_in_time(slip: Slip) -> None:
    text = slip.text()
    _, findings = in_time(3, lambda: parse(Source(slip.file, text)))
    # A quote, a bracket or a line break can spoil a neighbour, but no slip spoils a file.
    assert len(findings) <= 4, shown(findings)


def test_one_slip_is_mostly_one_finding() -> None:
    random = Random(7)
    files, kinds = sorted(SHIPPED), ("delete", "insert", "replace", "swap")
    counts: Counter[int] = Counter()
    for _ in range(240):
        slip = Slip(
            random.choice(files), random.random(), random.choice(kinds), random.choice(SLIPS)
        )
        counts[len(of_shipped(slip.file, slip.text()))] += 1
    found = counts.total() - counts[0]  # in a text or a drawing a slip can be harmless
    assert found > 80
    assert counts[1] / found > 0.8, counts
    assert max(counts) <= 6, counts
