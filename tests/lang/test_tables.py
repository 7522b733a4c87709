"""What speaks of a column means the lines of each row, written out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from kbrules.diagnostics import Diagnostic, render_full
from kbrules.lang.formatting import formatted
from kbrules.lang.syntax import tree
from kbrules.lang.syntax.parse import parse
from kbrules.lang.tables import MAX_DERIVED, MAX_ROWS, parse_with_tables
from kbrules.text import Source
from tests.lang.told import of_checking
from tests.lang.trees import format_module, is_same

TOLLS = """rule {what}_toll "Toll of {name}": # a comment with {what}
    "Nobody builds by the {name}."
    # another with {else}
    forbid build on {what} & {what}_bank if count({what}) > {most}
    example "by the {name}":
        | {sign}  {sign}+ .#
        |  .  {sign}a .
        offers
    table:
        | what  | name     | most | sign |
        | pond  | cold # 1 | 3    | P    |
        | brook | old mill | 12   | B    |
"""
WRITTEN = """rule pond_toll "Toll of cold # 1":
    "Nobody builds by the cold # 1."
    forbid build on pond & pond_bank if count(pond) > 3
    example "by the cold # 1":
        | P  P+ .#
        |  .  Pa .
        offers

rule brook_toll "Toll of old mill":
    "Nobody builds by the old mill."
    forbid build on brook & brook_bank if count(brook) > 12
    example "by the old mill":
        | B  B+ .#
        |  .  Ba .
        offers
"""
PAIRS = """rule pairs "Pairs":
    "Each has its twin."
    when take if held({tile}) = 2:
        receive {tile}_twin
    gain 1
    when lose: drop {tile}_twin
    table:
        | tile |
        | oak  |
        | elm  |
"""


def read(text: str) -> list[tree.Declaration]:
    _, declarations, findings = parse_with_tables(Source("a.kb", text))
    assert findings == []
    return declarations


def told(text: str) -> list[Diagnostic]:
    return parse_with_tables(Source("a.kb", text))[2]


def test_a_name_with_a_column_makes_a_declaration_of_each_row() -> None:
    assert is_same(read(TOLLS), read(WRITTEN))


def test_otherwise_the_sentences_that_have_one_are_repeated() -> None:
    (rule,) = read(PAIRS)
    (plain,) = read(
        'rule pairs "Pairs":\n    "Each has its twin."\n'
        "    when take if held(oak) = 2:\n        receive oak_twin\n"
        "    when take if held(elm) = 2:\n        receive elm_twin\n"
        "    gain 1\n    when lose: drop oak_twin\n    when lose: drop elm_twin\n"
    )
    assert is_same(rule, plain)


@given(st.lists(st.from_regex(r"[a-z][a-z0-9_]{0,5}x", fullmatch=True), min_size=1, max_size=6))
def test_any_rows_are_what_they_say_written_out(names: list[str]) -> None:
    rows = "".join(f"        |{name}|\n" for name in names)
    head = 'rule r_{it}:\n    "The {it}."\n    gold count({it})\n'
    text = f"{head}    table:\n        |it|\n{rows}"
    plain = (f'rule r_{name}:\n    "The {name}."\n    gold count({name})\n' for name in names)
    assert format_module(read(text)) == format_module(read("\n".join(plain)))


def test_others_of_the_file_stay_where_they_are_and_share_its_source() -> None:
    text = f"define a: mine\n\n{PAIRS}\ndefine b: mine\n"
    source, declarations, _ = parse_with_tables(Source("a.kb", text))
    assert [each.name.text for each in declarations] == ["a", "pairs", "b"]
    assert {id(each.span.source) for each in declarations} == {id(source)}
    assert source.text == text and declarations[2].span.line == text.count("\n")


def test_a_file_without_a_table_is_left_as_it_is() -> None:
    source = Source("a.kb", 'rule a:\n    "{x} is no column here."\n    gain 1\n')
    assert parse_with_tables(source)[0].text == source.text
    assert told(source.text) == []


def test_what_stands_in_a_cell_has_its_place_and_all_else_stands_above() -> None:
    _, rule = read(TOLLS)
    assert isinstance(rule, tree.Rule)
    assert (rule.name.text, rule.name.span.line, rule.name.span.column) == ("brook_toll", 12, 11)
    assert (rule.span.line, rule.span.end_line) == (1, 9)
    norm = rule.body[1]
    assert isinstance(norm, tree.Norm) and isinstance(norm.on, tree.Operator)
    assert (norm.span.line, norm.span.column, norm.span.end_column) == (4, 5, 67)
    assert norm.span.text == "forbid build on brook & brook_bank if count(brook) > 12"
    bank = norm.on.operands[1].span
    assert (bank.line, bank.column, bank.end_column) == (12, 11, 16)
    assert norm.span.row is not None and norm.span.row.text.startswith("brook")
    assert bank.row is None


def test_no_two_rows_have_a_place_in_common() -> None:
    one, other = read(TOLLS)
    assert not one.span.overlaps(other.span)
    assert one.span.source.written(one.span.start, one.span.end) == (
        other.span.source.written(other.span.start, other.span.end)
    )


HEAD = 'rule r_{a}:\n    "w {b}"\n    gold {a}\n'
FINE = "    table:\n        | a | b |\n        | x | y z |\n"


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        (HEAD, "r_{a}", "`r_{a}` speaks of a column, but there is no table"),
        (f"define d: {{a}} & mine\n{HEAD}{FINE}", "{a}", "`{a}` speaks of a column, but there is "
         "no table"),
        (HEAD + "    table:\n        | a | b |\n", "a", "this table has no rows"),
        (HEAD + FINE + "        | z |\n", "z", "this row has 1 cells, but there are 2 columns"),
        (HEAD + FINE + "        | z |  |\n", "|", "this cell is empty"),
        (HEAD + FINE + '        | z | " |\n', '"', 'a cell holds no `"`'),
        (HEAD + FINE.replace("| b", "| a"), "a", "two columns are called `a`"),
        (HEAD + FINE.replace("| b", "| B"), "B", "`B` is no name of a column"),
        (HEAD + FINE.replace("| a | b", "| aa | b"), "{a}", "the table has no column `a`"),
        (HEAD.replace("{b}", "b") + FINE, "b", "nothing speaks of the column `b`"),
        (HEAD + FINE + "        | 3 x | y |\n", "3 x", "`3 x` is neither a name nor a number"),
        (
            'rule r "T {a}":\n    "w {b}"\n    gold {a}\n' + FINE,
            "r",
            "the title changes with `a`, but the name does not",
        ),
        (HEAD + FINE + "        | q | z |\n" * MAX_ROWS, "q", "a table has at most 100 rows"),
        (
            HEAD.replace("w", "w" * (MAX_DERIVED // 50)) + FINE + "        | q | z |\n" * 60,
            "r_{a}",
            "the tables of a file come to at most 500,000 characters",
        ),
        (HEAD + "        gain 1\n" + FINE, "gain 1", "this line is indented, but nothing above "
         "opens a block"),
        (HEAD + FINE + "        | if | y |\n", "if", "`if` cannot stand here"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told_at_its_place(text: str, place: str, message: str) -> None:
    first = told(text)[0]
    assert first.span.source.name == "a.kb"
    begin, end = first.span.source.written(first.span.start, first.span.end)
    assert text[begin:end] == place
    assert first.message.startswith(message)


def test_what_is_wrong_with_a_declaration_leaves_its_names() -> None:
    text = TOLLS.replace("forbid build on", "forbid build onn")
    _, declarations, findings = parse_with_tables(Source("a.kb", text))
    assert [each.span.line for each in findings] == [4]
    assert all(isinstance(each, tree.Broken) for each in declarations)
    assert [each.name.text for each in declarations] == ["pond_toll", "brook_toll"]


@pytest.mark.parametrize("text", [TOLLS, PAIRS])
def test_a_table_is_formatted_as_it_was_written(text: str) -> None:
    ragged = text.replace("| pond  |", "|pond|").replace("| tile |", "|   tile    ")
    source = Source("a.kb", formatted(Source("a.kb", ragged)))
    assert is_same(parse(source)[0], parse(Source("a.kb", text))[0])
    assert formatted(source) == source.text
    assert source.text.split("table:")[1] == text.split("table:")[1]


def test_what_all_rows_have_alike_is_told_once_with_the_row() -> None:
    text = HEAD.replace("gold {a}", "gold {a} + nonsense") + FINE.replace("| x |", "| 1 |")
    findings = of_checking(text + "        | 2 | z |\n")
    (finding,) = findings
    assert finding.code == "KB201" and finding.span.line == 3
    assert [label.text for label in finding.labels] == ["for this row, and 1 more"]
    assert "1 | y z" in render_full(finding)
