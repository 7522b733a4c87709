"""The guarded reader: plain data, places, and an answer in time to anything."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from hypothesis import given, strategies as st
from ruamel.yaml import YAML

from kbrules.diagnostics import Diagnostic, render_full
from kbrules.library.yaml import _WORDINGS, LIMIT, Document, read_yaml
from kbrules.text import Source
from tests.pace import in_time


def read(text: str) -> tuple[Document | None, list[Diagnostic]]:
    return read_yaml(Source("x.yaml", text))


def data(text: str) -> object:
    document, found = read(text)
    assert document is not None and found == []
    return document.data


def complaints(text: str) -> list[tuple[str, int, int, str]]:
    """Code, line, column and underlined text of every finding."""
    return [(d.code, d.span.line, d.span.column, d.span.text) for d in read(text)[1]]


# What is read -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("# only a comment", None),
        ("a: 1", {"a": 1}),
        ("a: -12", {"a": -12}),
        ("a: 2.5", {"a": 2.5}),
        ("a: yes", {"a": "yes"}),
        ("no: on", {"no": "on"}),
        ("a: true\nb: False", {"a": True, "b": False}),
        ("a:\nb: ~\nc: null", {"a": None, "b": None, "c": None}),
        ("a: '2'\nb: \"true\"\nc: ''", {"a": "2", "b": "true", "c": ""}),
        ("1: x\ntrue: y\n2001-01-01: z", {"1": "x", "true": "y", "2001-01-01": "z"}),
        ("- 1:30\n- 1.2.3\n- 12 of 3\n- e3\n- 3x", ["1:30", "1.2.3", "12 of 3", "e3", "3x"]),
        ("a: |\n  x\n   y\n", {"a": "x\n y\n"}),
        ("a: >\n  x\n  y\n", {"a": "x y\n"}),
        ("{a: [1, {b: c}], d: []}", {"a": [1, {"b": "c"}], "d": []}),
        ("a: 界 \U0001f600 é", {"a": "界 \U0001f600 é"}),
        ("'<<': 1", {"<<": 1}),
    ],
)
def test_values_are_what_they_look_like(text: str, value: object) -> None:
    assert data(text) == value


PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-999_999, 999_999)
    | st.text("ab: -#'\"1.é", max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("ab1 ", min_size=1), inner),
    max_leaves=20,
)


@given(PLAIN)
def test_reads_what_the_library_would_read_of_json(value: object) -> None:
    text = json.dumps(value)
    assert data(text) == YAML(typ="safe", pure=True).load(text) == value


# What is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\nb: 2\na: 3", [("KB404", 3, 1, "a")]),
        ("a: {b: 1, b: 2, b: 3}", [("KB404", 1, 11, "b"), ("KB404", 1, 17, "b")]),
        ("a: &x 1\nb: *x", [("KB405", 1, 4, "&x"), ("KB405", 2, 4, "*x")]),
        ("a: !!int '1'\nb: !mine [c]", [("KB405", 1, 4, "!!int"), ("KB405", 2, 4, "!mine")]),
        ("<<: {a: 1}\nb: 1", [("KB405", 1, 1, "<<")]),
        ("? [a, b]\n: 1", [("KB405", 1, 3, "[a, b]")]),
        ("%YAML 1.1\n---\na: yes", [("KB405", 1, 1, "%")]),
        ("a: 1\n---\nb: 2", [("KB405", 2, 1, "---")]),
        ("a: 2001-01-01", [("KB403", 1, 4, "2001-01-01")]),
        ("[.inf, -.INF]", [("KB403", 1, 2, ".inf"), ("KB403", 1, 8, "-.INF")]),
        (
            "- 0x1F\n- 0o17\n- 1_0",
            [("KB403", 1, 3, "0x1F"), ("KB403", 2, 3, "0o17"), ("KB403", 3, 3, "1_0")],
        ),
        (
            "- 1e3\n- +5\n- 007",
            [("KB403", 1, 3, "1e3"), ("KB403", 2, 3, "+5"), ("KB403", 3, 3, "007")],
        ),
        ("- 1.\n- .5", [("KB403", 1, 3, "1."), ("KB403", 2, 3, ".5")]),
        ("a: 1000000", [("KB403", 1, 4, "1000000")]),
        ('a: "\\0"\nb: "\\ud800"', [("KB004", 1, 4, '"\\0"'), ("KB004", 2, 4, '"\\ud800"')]),
        ('a: "x\\u202e"', [("KB004", 1, 4, '"x\\u202e"')]),
        ('"\\u202e": 1\n*x : 2', [("KB004", 1, 1, '"\\u202e"'), ("KB405", 2, 1, "*x")]),
        ("a: \x00\nb: \u202e", [("KB004", 1, 4, "\x00"), ("KB004", 2, 4, "\u202e")]),
    ],
)
def test_what_is_refused_is_marked(text: str, expected: list[tuple[str, int, int, str]]) -> None:
    assert complaints(text) == expected


def test_a_key_given_twice_shows_both_places_and_keeps_the_first() -> None:
    document, found = read("name: a\nother: b\nname: c\n")
    assert document is not None and document.data == {"name": "a", "other": "b"}
    assert [(label.span.line, label.span.text) for label in found[0].labels] == [(1, "name")]


def test_refusals_name_the_feature() -> None:
    found = read("a: &x 1\nb: !t 2\nc: *x\n<<: 3\n")[1]
    assert [each.message.split(" are ")[0] for each in found] == [
        "anchors",
        "tags",
        "aliases",
        "merge keys",
    ]


def test_a_number_of_seven_digits_is_told_its_limit() -> None:
    assert "has more than 6 digits" in read("1000000")[1][0].message


def test_refused_values_do_not_hide_their_neighbours() -> None:
    document, found = read("a: *x\nb: 0x1\nc: [1, !t 2, 2020-02-02]\n")
    assert [each.code for each in found] == ["KB405", "KB403", "KB405", "KB403"]
    assert document is not None and document.data == {"a": None, "b": None, "c": [1, 2, None]}


BROKEN = [
    ("a: 'x\n", 1, 4, "this quote is not closed"),
    ("a: 'x\n---\n'", 1, 4, "this quote is not closed"),
    ("a: [1", 1, 4, "this bracket is not closed"),
    ("a: [1 [", 1, 7, "a comma or `]` is missing before this"),
    ("a: {b: 1 [", 1, 10, "a comma or `}` is missing before this"),
    ("a:\n\t- b\n", 2, 1, "a tab cannot indent a line"),
    ("a: @b", 1, 4, "a value cannot begin with this sign"),
    ("a: b: c", 1, 5, "this `:` does not follow a key"),
    ("- 1\n-2", 2, 1, "no `:` follows this key"),
    ("- a\nb: c", 2, 1, "this does not fit the lines above"),
    ("a: - b", 1, 4, "a list cannot begin here"),
    ('a: "\\q"', 1, 6, "this escape is not known"),
    ("a: > x\n", 1, 6, "only a comment may follow here"),
    ("a: & b", 1, 5, "a name must follow `&` or `*`"),
    ("[a,\n---\n]", 2, 1, "the data has ended before this"),
    ("a: {", 1, 5, "the data ends here, but a bracket is still open"),
    ("a: [b,,c]", 1, 7, "a value is missing before this"),
    ("a: |x\n", 1, 5, "only a line end may follow `|` or `>`"),
    ("a: 1\n... b\n", 2, 5, "the data has ended before this"),
    ("a: !q!x b", 1, 4, "tags are not used in data files"),
    ('a: "\\UFFFFFFFF"', 1, 16, "this cannot be read as YAML"),
    ("a: |\n  \n    x\n", 3, 5, "this cannot be read as YAML"),
]


@pytest.mark.parametrize(("text", "line", "column", "message"), BROKEN)
def test_broken_text_is_answered_in_our_words(
    text: str, line: int, column: int, message: str
) -> None:
    document, found = read(text)
    assert document is None
    assert [(d.span.line, d.span.column, d.message) for d in found] == [(line, column, message)]


def test_every_saying_has_its_case() -> None:
    assert {each.message for each in _WORDINGS} <= {message for *_, message in BROKEN}


# What is hostile ----------------------------------------------------------------------------

BOMB = "a0: &a0 [x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)
)
MERGES = "m0: &m0 {k: v}\n" + "".join(
    f"m{n}: &m{n} {{<<: [*m{n - 1}, *m{n - 1}]}}\n" for n in range(1, 17)
)
HOSTILE = {
    "alias bomb": (BOMB, "KB405"),
    "merge doubling": (MERGES, "KB405"),
    "5,000 brackets": ("[" * 5_000, "KB406"),
    "120,000 brackets": ("[" * 120_000, "KB406"),
    "900 nested lists": ("[" * 900 + "]" * 900, "KB406"),
    "900 nested tables": ("{a: " * 900 + "1" + "}" * 900, "KB406"),
    "brackets line by line": ("[\n" * 5_000, "KB406"),
    "deep indentation": ("".join(" " * n + "a:\n" for n in range(300)), "KB406"),
    "deep list on a line": ("- " * 5_000, "KB406"),
    "deep explicit keys": ("? " * 5_000, "KB406"),
    "executable tag": ("a: !!python/object/apply:os.getcwd []", "KB405"),
    "unknown tag": ("!thing {a: 1}", "KB405"),
    "many tags": ("- !t x\n" * 10_000, "KB405"),
    "self alias": ("a: &a [*a]", "KB405"),
    "scalar merge": ("<<: 1", "KB405"),
    "duplicate keys": ("a: 1\n" * 10_000, "KB404"),
    "5,000 digits": ("a: " + "9" * 5_000, "KB403"),
    "120,000 digits": ("a: " + "9" * 120_000, "KB403"),
    "huge float": ("a: 1e999999", "KB403"),
    "infinity": ("a: .inf", "KB403"),
    "not a number": ("a: .nan", "KB403"),
    "date": ("a: 2001-12-14t21:59:43.10-05:00", "KB403"),
    "NUL bytes": ("a: \x00\x00", "KB004"),
    "terminal escape": ("a: \x1b[31m", "KB004"),
    "byte order mark inside": ("a: b\ufeff", "KB004"),
    "lone surrogate": ("a: \ud800", "KB004"),
    "huge key": ("k" * 100_000 + ": 1", "KB401"),
    "tab indentation": ("a:\n\tb: 1\n", "KB401"),
    "unclosed quote": ('a: "' + "x" * 100_000, "KB401"),
    "unclosed quote over lines": ("a: '" + "x\n " * 30_000, "KB401"),
    "escape out of range": ('a: "\\UFFFFFFFF"', "KB401"),
    "documents": ("a: 1\n---\n" * 1_000, "KB405"),
    "directive": ("%YAML 1.1\n---\na: 1", "KB405"),
    "many directives": ("%A b\n" * 20_000, "KB401"),
    "too many values": ("[" + "a," * 60_000 + "]", "KB406"),
    "too many tables": ("{a: b},".join(["["] + [""] * 15_000), "KB406"),
    "too large": ("# " + "x" * LIMIT, "KB003"),
    "too large when encoded": ("# " + "界" * (LIMIT // 2), "KB003"),
    "20 MB": ("a: b\n" * 4_000_000, "KB003"),
}


def rendered(text: str) -> tuple[list[Diagnostic], str]:
    _, found = read(text)
    return found, "\n".join(map(render_full, found))


@pytest.mark.parametrize(("text", "code"), HOSTILE.values(), ids=list(HOSTILE))
def test_hostile_text_is_answered_in_time(text: str, code: str) -> None:
    found, shown = in_time(5, lambda: rendered(text))
    assert code in {each.code for each in found}
    assert len(found) <= 50 and len(shown) < 50_000
    assert "\x1b" not in shown and "\x00" not in shown


@pytest.mark.parametrize(
    "text",
    ["a: b\n" * 26_000, "\n" * LIMIT, "# c\n" * 32_000, "a: |\n" + "  b\n" * 32_000, "'" * LIMIT],
    ids=["pairs", "blank", "comments", "block", "quotes"],
)
def test_the_largest_legal_text_is_read_in_time(text: str) -> None:
    in_time(5, lambda: read(text))


def test_the_limits_are_where_they_are_said_to_be() -> None:
    assert data("[" * 32 + "]" * 32)
    assert complaints("[" * 33 + "]" * 33) == [("KB406", 1, 33, "[")]
    assert data("a: 999999") == {"a": 999999}
    assert read("[" + "a," * 19_999 + "]")[1] == []
    assert [d.code for d in read("[" + "a," * 20_000 + "]")[1]] == ["KB406"]
    assert read("a: x" + " " * (LIMIT - 4))[1] == []
    assert [d.code for d in read("a: x" + " " * (LIMIT - 3))[1]] == ["KB003"]


NOISE = st.text(st.sampled_from("ab1 \n\t:-[]{},'\"|>&*!#%@?~.\\<éx\x00"), max_size=60)


@given(NOISE | st.text(max_size=60))
def test_any_text_gets_data_or_findings(text: str) -> None:
    document, found = read(text)
    assert document is not None or found
    for each in found:
        assert 0 <= each.span.start <= each.span.end <= len(text)
        assert render_full(each)


# Where things are ---------------------------------------------------------------------------

BOX = """\
# a box
name: Dale
terrains:
  - id: moor
    letter: x
  - {id: fen, letter: 'y'}
north:
  rows: |
    x y
     y x
  note: "two words"
"""


@pytest.mark.parametrize(
    ("loc", "value", "key"),
    [
        (("name",), "Dale", "name"),
        (("terrains", 0), "id: moor", "id: moor"),
        (("terrains", 0, "id"), "moor", "id"),
        (("terrains", 1), "{id: fen, letter: 'y'}", "{id: fen, letter: 'y'}"),
        (("terrains", 1, "letter"), "'y'", "letter"),
        (("terrains", 1, "missing"), "{id: fen, letter: 'y'}", "{id: fen, letter: 'y'}"),
        (("terrains", 2), "- id: moor", "terrains"),
        (("terrains", -1), "- id: moor", "terrains"),
        (("north", "missing", "deeper"), "rows: |", "north"),
        (("north", "a branch", "note"), '"two words"', "note"),
        (("missing",), "name: Dale", "name: Dale"),
        ((), "name: Dale", "name: Dale"),
    ],
)
def test_places_of_values_and_keys(loc: tuple[str | int, ...], value: str, key: str) -> None:
    document, _ = read(BOX)
    assert document is not None
    assert document.span_at(loc).text == value
    assert document.span_at(loc, key=True).text == key


def test_places_have_line_and_column() -> None:
    document, _ = read(BOX)
    assert document is not None
    span = document.span_at(("terrains", 1, "letter"))
    assert (span.line, span.column, span.end_column) == (6, 23, 26)


def test_lines_of_text_have_places_of_their_own() -> None:
    document, _ = read(BOX)
    assert document is not None
    rows = document.line_spans(("north", "rows"))
    assert [(s.line, s.column, s.text) for s in rows] == [(9, 5, "x y"), (10, 5, " y x")]
    [note] = document.line_spans(("north", "note"))
    assert (note.line, note.column, note.text) == (11, 10, "two words")
    assert document.line_spans(("terrains",)) == ()


@pytest.mark.parametrize("text", ["a: |\n\n    x\n\n   \n     y\n", "- |2\n    x\n", "a: |-\n x"])
def test_lines_of_blocks_are_found_whatever_their_indentation(text: str) -> None:
    document, _ = read(text)
    assert document is not None
    loc = ("a",) if isinstance(document.data, dict) else (0,)
    value = document.data[loc[0]]
    assert [span.text for span in document.line_spans(loc)] == value.splitlines()


@pytest.mark.parametrize("text", ["a: &x 1\nb: !t [c]\n", "{a: !t &x 1, b: &y\n [c]}"])
def test_a_value_is_marked_without_its_refused_anchor_or_tag(text: str) -> None:
    document, _ = read(text)
    assert document is not None
    assert [document.span_at((key,)).text for key in "ab"] == ["1", "[c]"]


def test_escaped_text_is_marked_as_a_whole() -> None:
    document, _ = read('a: "x\\ny"\n')
    assert document is not None
    assert [span.text for span in document.line_spans(("a",))] == ['"x\\ny"', '"x\\ny"']


# How light it is ----------------------------------------------------------------------------


def test_the_door_does_not_load_the_libraries() -> None:
    program = "import sys, kbrules.library.validation; print(*sys.modules)"
    seen = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert {"ruamel", "ruamel.yaml", "pydantic"} & set(seen.stdout.split()) == set()
    assert "kbrules.library.yaml" in seen.stdout.split()
