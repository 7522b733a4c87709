"""The printer: what it writes is read back as the same tree, and there is one way to write it."""

from __future__ import annotations

import re
from dataclasses import is_dataclass, replace
from pathlib import Path

import pytest
from hypothesis import Phase, given, seed, settings

from kbrules.lang.formatting import output_lines
from kbrules.lang.syntax import tree
from kbrules.lang.syntax.parse import parse
from kbrules.text import Source
from tests.lang.trees import (
    NOWHERE,
    Drawn,
    bodies,
    bracketed,
    define,
    format_module,
    is_same,
    kinds,
    modules,
    short_bodies,
)
from tests.source_tree import ROOT

FILES = sorted([*(ROOT / "rules").rglob("*.kb"), *(ROOT / "tests" / "lang").rglob("*.kb")])
NODES = {
    name
    for name, kind in vars(tree).items()
    if is_dataclass(kind) and getattr(kind, "__module__", "") == tree.__name__
}
UNREAD = {"Hole", "Broken"}


def read(text: str) -> list[tree.Declaration]:
    found, findings = parse(Source("x.kb", text))
    assert findings == [], text
    return found


def reads(text: str) -> list[tree.Declaration] | None:
    found, findings = parse(Source("x.kb", text))
    return None if findings else found


def written(body: str) -> str:
    """The canonical text of an expression."""
    heading, line = format_module(read(f"define x: {body}\n")).splitlines()
    assert heading == "define x:"
    return line.strip()


# the laws


def test_the_lines_of_a_wording_stay_lines_and_are_one_text() -> None:
    text = 'rule far "Far":\n    "Nobody builds"\n    "in the far north."\n    forbid build on up\n'
    (rule,) = read(text)
    assert isinstance(rule, tree.Rule)
    assert rule.wording == "Nobody builds in the far north."
    assert format_module([rule]) == text


def test_there_are_files_to_format() -> None:
    there = {path.name for path in FILES}
    assert {"prelude.kb", "placement.kb", "scoring.kb", "cards.kb"} <= there


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_means_the_same_when_formatted(path: Path) -> None:
    before = read(path.read_text(encoding="utf-8"))
    text = format_module(before)
    after = read(text)
    assert is_same(before, after)
    assert format_module(after) == text


@given(modules)
def test_a_tree_is_read_back_from_its_text(drawn: Drawn[list[tree.Declaration]]) -> None:
    text = format_module(drawn.it)
    after = read(text)
    assert is_same(drawn.it, after), text
    assert format_module(after) == text


@given(bodies)
def test_brackets_that_change_nothing_are_not_kept(drawn: Drawn[tree.Expression]) -> None:
    crowded = read(f"define x: {bracketed(drawn.it)}\n")
    assert is_same(crowded, [define(drawn.it)])
    text = format_module(crowded)
    assert text == format_module([define(drawn.it)])
    assert is_same(read(text), crowded), text


@given(short_bodies)
def test_every_bracket_that_is_written_is_needed(drawn: Drawn[tree.Expression]) -> None:
    text = format_module([define(drawn.it)])
    for thinner in _without_one_pair(text):
        after = reads(thinner)
        assert after is None or not is_same(after, [define(drawn.it)]), thinner


def _without_one_pair(text: str) -> list[str]:
    """The text without one pair of brackets, once for each pair that holds no arguments."""
    found, open_ = [], []
    for at, sign in enumerate(text):
        if sign == "(":
            open_.append(at)
        elif sign == ")":
            start = open_.pop()
            if not re.match(r"[a-z0-9_]", text[start - 1]) and "\n" not in text[start:at]:
                found.append(f"{text[:start]}{text[start + 1 : at]}{text[at + 1 :]}")
    return found


@given(modules)
def test_a_long_line_has_no_place_to_break(drawn: Drawn[list[tree.Declaration]]) -> None:
    for line in format_module(drawn.it).splitlines():
        bare = re.sub(r'"[^"]*"', "", line)
        if len(line) > 100 and " at (" not in bare:
            assert not re.search(r"\([^()]+\)|\w [-+*/&|<>] \w|\w (and|or|[<>!]=) \w", bare), line


@given(modules)
def test_the_text_is_tidy(drawn: Drawn[list[tree.Declaration]]) -> None:
    text = format_module(drawn.it)
    assert text == "" or (text.endswith("\n") and not text.endswith("\n\n"))
    assert "\n\n\n" not in text
    for line in text.splitlines():
        assert line == line.rstrip(" ")
        assert (len(line) - len(line.lstrip(" "))) % 4 == 0


def look(number: int, seen: set[str]) -> None:
    """Add the kinds of node in one round of random trees."""

    @seed(number)
    @settings(max_examples=150, phases=[Phase.generate], database=None, derandomize=False)
    @given(modules)
    def once(drawn: Drawn[list[tree.Declaration]]) -> None:
        seen.update(kinds(drawn.it))

    once()


def test_the_random_trees_hold_every_kind_of_node() -> None:
    # A rare kind of node may take more rounds than the first.
    seen: set[str] = set()
    for number in range(8):
        if seen != NODES - UNREAD:
            look(number, seen)
    assert seen == NODES - UNREAD


# telling trees apart


def test_places_do_not_count() -> None:
    assert is_same(read("define x: a\n"), read("\n\ndefine   x: (a) # why\n"))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("define x: a", "define x: b"),
        ("define x: a - b", "define x: b - a"),
        ("define x: a - b", "define x: a | b"),
        ("define x: f()", "define x: f"),
        ("define x: f(a)", "define x: f(a, a)"),
        ('define x "a": b', "define x: b"),
        ("option a = yes", "option a = 1"),
        ("option a = no", "option a = 0"),
        ('option a = no:\n    question "b"', 'option a = no:\n    source "b"'),
        ("rule a:\n    go on x", "rule a:\n    go at x"),
        ("rule a:\n    go x", "rule a:\n    go x x"),
        ("rule a:\n    example:\n        | a b", "rule a:\n    example:\n        | a  b"),
        ("rule a:\n    example:\n        | a\n        | b", "rule a:\n    example:\n        | a"),
    ],
)
def test_what_is_said_counts(left: str, right: str) -> None:
    assert not is_same(read(f"{left}\n"), read(f"{right}\n"))


# brackets


@pytest.mark.parametrize(
    "text",
    [
        "a - (b - c)",
        "a - b - c",
        "a - (b | c)",
        "a & b - c & d",
        "a & (b - c) & d",
        "a / (b * c)",
        "not (a and b)",
        "not a and b",
        "not a = b",
        "not not a",
        "(not a) = b",
        "a or b and c",
        "(a or b) and c",
        "a or (b or c)",
        "-(a + b)",
        "-a + b",
        "-a * b",
        "-(a * b)",
        "a - -3",
        "--3",
        "at least 3",
        "at least (a + b)",
        "at least -a * 2",
        "(a = b) = c",
        "a = (b < c)",
        "a + b < c * d",
        "(a if c otherwise b)",
        "(a if c otherwise b) - d",
        "((a if b) if (c if d))",
        "f((a if b))",
        "f(a or b, at least 3)",
        "f(a or b for c in (d if e) if f or g)",
    ],
)
def test_expression_is_already_canonical(text: str) -> None:
    assert written(text) == text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("((a))-(b)", "a - b"),
        ("(a - b) - c", "a - b - c"),
        ("(a & b) - (c & d)", "a & b - c & d"),
        ("(not (a = b)) and ((c))", "not a = b and c"),
        ("f( (a), ((b)) )", "f(a, b)"),
        ("at   least (3)", "at least 3"),
        ("- ( - 3 )", "--3"),
        ("((a) if (b or c) otherwise (d))", "(a if b or c otherwise d)"),
    ],
)
def test_expression_loses_what_it_does_not_need(text: str, canonical: str) -> None:
    assert written(text) == canonical


def test_a_range_behind_a_verb_is_kept_apart_from_a_phrase() -> None:
    text = "rule a:\n    go at (most(b))\n    go at most b\n    go 1 at most(b)\n    go at mostly\n"
    assert format_module(read(text)) == text


# the look of it

MESSY = """\
# A comment is not in the tree.
option   first=yes  "One way."
memory second :hexes of turn


option third = 3
define   far( a:hexes,b : number )  "Away.": board-near(a,at least   b)
rule some  "Some"   replaces other :
  "What it says."
  permit build,move on (a)|b if  not (c)
  forbid build
  increase builds by(2) if a
  gold 2*3 per 1 hex in a&b
  gold 4 per 0 hexes in a
  gold 5 per 2 hexes in a to first by count( b ) if c
  win   by (total)+ a
  when build,move by others if a:
    go
  whenever a:
      go -1 from b freely if c
  for a in b if c:
    up to 3 times:
      go
  if a: go
  otherwise:
    go
    "And so on."
  required   action when take:  go to b
  either: go
  or:
      repeat 2 times: go
  example "as drawn" :
          gives 3 to b
          | a  .b
          |  c  d
          # not part of it
          | e
          gives 2
option last = no
"""
NEAT = """\
option first = yes "One way."

memory second: hexes of turn

option third = 3

define far(a: hexes, b: number) "Away.":
    board - near(a, at least b)

rule some "Some" replaces other:
    "What it says."
    permit build, move on a | b if not c
    forbid build
    increase builds by 2 if a
    gold 2 * 3 per hex in a & b
    gold 4 per 0 hexes in a
    gold 5 per 2 hexes in a to first by count(b) if c
    win by total + a
    when build, move by others if a: go
    whenever a:
        go -1 from b freely if c
    for a in b if c:
        up to 3 times: go
    if a: go
    otherwise:
        go
        "And so on."
    required action when take:
        go to b
    either:
        go
    or:
        repeat 2 times: go
    example "as drawn":
        | a  .b
        |  c  d
        | e
        gives 3 to b
        gives 2

option last = no
"""


def test_every_shape_has_one_look() -> None:
    assert format_module(read(MESSY)) == NEAT


OPTIONS = """\
option first = yes
option second = 2 "Two."

option third = no "Three.":
    question "Which one?"
    source "1.2: nobody says"

option fourth = yes:
    source "1.3"

option fifth = yes
"""


def test_options_of_several_lines_stand_apart() -> None:
    crowded = OPTIONS.replace("\n\n", "\n")
    lines = '    question "Which one?"\n', '    source "1.2: nobody says"\n'
    turned = crowded.replace("".join(lines), "".join(lines[::-1]))
    assert turned != crowded
    assert format_module(read(turned)) == OPTIONS


A, B, C = "a" * 30, "b" * 30, "c" * 29


@pytest.mark.parametrize(
    "text",
    [
        f"define x:\n    f({A}, {B}, {C})\n",
        f"define x:\n    f(\n        {A},\n        {B},\n        {C}c\n    )\n",
        f"define x:\n    {A} - {B} & {C}c\n",
        f"define x:\n    (\n        {A}\n        - {B} & {C}\n        - d\n    )\n",
        f"define x:\n    (\n        {A}\n        - {B}{A}\n            & {C}\n    )\n",
        f"define x:\n    f(\n        {A}\n        for {B} in {C}\n        if {C}\n    )\n",
        f"define x:\n    (\n        {A}\n        if {B}\n        otherwise {C}\n    )\n",
        f"define x(\n    {A}: hexes,\n    {B}: hexes,\n    {C}: hexes\n):\n    a\n",
        f"rule a:\n    permit build on f({A}) if (\n        g({B}) and not h({C})\n    )\n",
        f"rule a:\n    if a: go {A} on {B} to {C[10:]}\n",
        f"rule a:\n    if a:\n        go {A} on {B} to {C[9:]}\n",
        f"rule a:\n    go {A} from {B} to {C} freely\n",
        f"rule a:\n    go f(\n        {A}\n    ) from {B} to {C} freely\n",
        f"rule a:\n    whenever (\n        {A} = {B}\n        and {C}\n    ):\n        go\n",
    ],
)
def test_lines_break_only_where_they_must_and_may(text: str) -> None:
    assert format_module(read(text)) == text


def test_far_to_the_right_nothing_breaks() -> None:
    body: tree.Expression = tree.Name(A, NOWHERE)
    for _ in range(62):
        body = tree.Call("f", NOWHERE, (body, tree.Name(B, NOWHERE)), NOWHERE)
    text = format_module([define(body)])
    assert is_same(read(text), [define(body)])
    assert max(len(line) - len(line.lstrip()) for line in text.splitlines()) <= 64


def test_an_expression_full_of_brackets_gets_none_for_its_looks() -> None:
    body: tree.Expression = tree.Name(A, NOWHERE)
    for _ in range(64):
        body = tree.Call("f", NOWHERE, (body,), NOWHERE)
    module = [define(tree.Operator("not", (body,), NOWHERE))]
    assert is_same(read(format_module(module)), module)


# what is not formatted


@pytest.mark.parametrize(
    "text", ["rule a:\n    go (\n", "define x: a and\n", "rule:\n    go\n", "rule a:\n    go )\n"]
)
def test_what_could_not_be_read_is_not_written(text: str) -> None:
    found, findings = parse(Source("x.kb", text))
    assert findings
    with pytest.raises(ValueError, match="could not be read"):
        format_module(found)


def test_blocks_may_be_24_deep() -> None:
    (rule,) = read("rule a:\n    go\n")
    assert isinstance(rule, tree.Rule)
    for _ in range(23):
        rule = replace(rule, body=(tree.Branch("either", rule.body, NOWHERE),))
    assert is_same(read(format_module([rule])), [rule])
    rule = replace(rule, body=(tree.Branch("either", rule.body, NOWHERE),))
    with pytest.raises(ValueError, match="24 deep"):
        format_module([rule])


# what comments will need


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_rows_know_where_they_began(path: Path) -> None:
    source = Source(path.name, path.read_text(encoding="utf-8"))
    found, _ = parse(source)
    printed = [row for declaration in found for row in output_lines(declaration)]
    starts = [row.start for row in printed]
    assert starts == sorted(set(starts))
    for row in printed:
        first = row.text.split()[0]
        assert source.text.startswith(first, row.start)
