"""Models against data: what is said, and which words of the file it is said about."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, field_validator

from kbrules.diagnostics import Diagnostic
from kbrules.library.load import Loaded, load_all
from kbrules.library.models import Expansion
from kbrules.library.reading import data_root, place_of
from kbrules.library.store import Files
from kbrules.library.validation import SchemaShape, validate
from kbrules.library.yaml import read_yaml
from kbrules.project.project import Project
from kbrules.text import Source
from kbrules.tools.check import checked


class Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Card(Strict):
    id: Annotated[str, Field(pattern="^[a-z]+$", description="What rules call it.")]
    count: Annotated[int, Field(ge=2, le=5)]
    kind: Literal["hill", "lake"] = "hill"


class Tile(Strict):
    id: str
    gold: int
    text: str


class Flat(Strict):
    form: Literal["flat"]
    width: int


class Round(Strict):
    form: Literal["round"]
    radius: int


class Step(Strict):
    held: dict[str, int | dict[str, int]]


class Box(Strict):
    name: str
    players: Annotated[int, Field(ge=2, le=5)] = 2
    cards: tuple[Card, ...] = ()
    counts: dict[int, str] = {}
    short: dict[Annotated[str, Field(max_length=2)], int] = {}
    choice: int | Card = 1
    shape: Annotated[Flat | Round, Field(discriminator="form")] | None = None
    tags: frozenset[str] = frozenset()
    pair: tuple[int, str] = (1, "a")
    scale: Annotated[float, Field(ge=1)] = 1.0
    wrapped: bool = False
    either: Card | Tile | None = None
    many: Annotated[int, Field(ge=0, le=8)] = 0
    steps: tuple[str | Step, ...] = ()
    turn: int = Field(1, alias="to-move")

    @field_validator("tags")
    @classmethod
    def _no_bad_tags(cls, tags: frozenset[str]) -> frozenset[str]:
        if "bad" in tags:
            raise ValueError("`bad` is no tag of ours")
        return tags

    model_config = ConfigDict(arbitrary_types_allowed=True)


def check(text: str) -> tuple[Box | None, list[Diagnostic]]:
    document, found = read_yaml(Source("x.yaml", text))
    assert document is not None
    box, more = validate(document, Box)
    return box, found + more


def only(text: str) -> Diagnostic:
    box, found = check(text)
    assert box is None or [each.code for each in found] == ["KB404"]
    assert len(found) == 1
    return found[0]


def test_good_data_becomes_the_model() -> None:
    box, found = check(
        "name: Dale\ncards:\n  - {id: a, count: 3}\ncounts: {1: x}\ntags: [b, a]\n"
        "choice: {id: c, count: 2}\nshape: {form: round, radius: 4}\npair: [2, z]\nto-move: 3\n"
    )
    assert found == [] and box is not None
    assert box.cards == (Card(id="a", count=3),)
    assert box.counts == {1: "x"} and box.tags == {"a", "b"} and box.pair == (2, "z")
    assert box.choice == Card(id="c", count=2) and box.shape == Round(form="round", radius=4)
    assert box.turn == 3


NAME = "name: Dale\n"


PLAYERS = "`players` must be a whole number from 2 to 5, found"


@pytest.mark.parametrize(
    ("text", "place", "words", "message"),
    [
        ("players: two", (2, 10), "two", f"{PLAYERS} `two`"),
        ("players: 6", (2, 10), "6", f"{PLAYERS} `6`"),
        ("players: '3'", (2, 10), "'3'", f"{PLAYERS} `'3'`"),
        ("players: true", (2, 10), "true", f"{PLAYERS} `true`"),
        ("players:", (2, 9), "", f"{PLAYERS} nothing"),
        ("players: [2, 3]", (2, 10), "[2, 3]",
         f"{PLAYERS} a list of 2 entries"),
        ("players:\n  low: 2\n", (3, 3), "low: 2",
         f"{PLAYERS} keys with values"),
        ("wrapped: 1", (2, 10), "1", "`wrapped` must be `true` or `false`, found `1`"),
        ("scale: 0", (2, 8), "0", "`scale` must be a number of at least 1, found `0`"),
        ("cards:\n  - {id: a, count: 2}\n  - 3\n", (4, 5), "3",
         "entry 2 of `cards` must be keys with values, found `3`"),
        ("cards:\n  - id: A\n    count: 2\n", (3, 9), "A",
         "`id` must be text of the form `[a-z]+`, found `A`"),
        ("cards: [{id: a, count: 2, kind: see}]", (2, 33), "see",
         "`kind` must be `hill` or `lake`, found `see`"),
        ("cards: {}", (2, 8), "{}", "`cards` must be a list, found keys with values"),
        ("either: {id: a, gold: x, text: y}", (2, 23), "x",
         "`gold` must be a whole number, found `x`"),
        ("either: [a]", (2, 9), "[a]",
         "`either` must be keys with values, found a list of 1 entry"),
        ("many: 9", (2, 7), "9", "`many` must be a whole number from 0 to 8, found `9`"),
        ("counts: {x: y}", (2, 10), "x", "the key `x` of `counts` must be a whole number"),
        ("short: {abc: 1}", (2, 9), "abc",
         "the key `abc` of `short` must be text of at most 2 characters"),
        ("pair: [1]", (2, 7), "[1]", "`pair` must be a list of 2 entries, found a list of 1 entry"),
        ("pair: [1, a, b]", (2, 7), "[1, a, b]",
         "`pair` must be a list of 2 entries, found a list of 3 entries"),
        ("pair: [1, 2]", (2, 11), "2", "entry 2 of `pair` must be text, found `2`"),
        ("tags: [a, bad]", (2, 7), "[a, bad]", "`bad` is no tag of ours"),
        ("choice: few", (2, 9), "few",
         "`choice` must be a whole number or keys with values, found `few`"),
        ("choice: {id: a, count: x}", (2, 24), "x",
         "`count` must be a whole number from 2 to 5, found `x`"),
        ("shape: {form: flat, width: x}", (2, 28), "x",
         "`width` must be a whole number, found `x`"),
        ("shape: {form: oval}", (2, 15), "oval", "`form` must be `flat` or `round`, found `oval`"),
        ("players: |\n  two\n  three\n", (2, 10), "|\n  two\n  three",
         f"{PLAYERS} a text of several lines"),
    ],
)  # fmt: skip
def test_wrong_values(text: str, place: tuple[int, int], words: str, message: str) -> None:
    found = only(NAME + text)
    assert (found.code, found.message, found.span.text) == ("KB403", message, words)
    assert (found.span.line, found.span.column) == place


@pytest.mark.parametrize(
    ("text", "place", "words", "message", "help"),
    [
        ("playrs: 2", (2, 1), "playrs", "`playrs` is not a key of this file",
         "did you mean `players`?"),
        ("cards:\n  - {id: a, cuont: 2, count: 2}", (3, 13), "cuont",
         "`cuont` is not a key of entry 1 of `cards`", "did you mean `count`?"),
        ("cards:\n  - {id: a, count: 2, colour: x}", (3, 23), "colour",
         "`colour` is not a key of entry 1 of `cards`", "the keys here are `count`, `id`, `kind`"),
        ("turn: 2", (2, 1), "turn", "`turn` is not a key of this file", None),
        ("shape: {form: flat, width: 1, widht: 1}", (2, 31), "widht",
         "`widht` is not a key of `shape`", "did you mean `width`?"),
        ("choice: {id: a, count: 2, cont: 2}", (2, 27), "cont",
         "`cont` is not a key of `choice`", "did you mean `count`?"),
    ],
)  # fmt: skip
def test_unknown_keys(
    text: str, place: tuple[int, int], words: str, message: str, help: str | None
) -> None:
    found = only(NAME + text)
    assert (found.code, found.message, found.span.text) == ("KB402", message, words)
    assert (found.span.line, found.span.column) == place
    assert help is None or found.help == help


@pytest.mark.parametrize(
    ("text", "place", "words", "message", "help"),
    [
        ("players: 2\n", (1, 1), "players: 2", "this file lacks the key `name`",
         "its value is text"),
        ("name: D\ncards:\n  - {id: a, count: 2}\n  - id: b\n", (4, 5), "id: b",
         "entry 2 of `cards` lacks the key `count`", "its value is a whole number from 2 to 5"),
        ("name: D\nshape:\n  form: flat\n", (2, 1), "shape", "`shape` lacks the key `width`",
         "its value is a whole number"),
        ("name: D\nshape: {}\n", (2, 1), "shape", "`shape` lacks the key `form`",
         "its value is `flat` or `round`"),
        ("name: D\nchoice: {id: a}\n", (2, 1), "choice", "`choice` lacks the key `count`",
         "its value is a whole number from 2 to 5"),
    ],
)  # fmt: skip
def test_missing_keys(
    text: str, place: tuple[int, int], words: str, message: str, help: str
) -> None:
    found = only(text)
    assert (found.code, found.message, found.help) == ("KB412", message, help)
    assert (found.span.text, found.span.line, found.span.column) == (words, *place)


@pytest.mark.parametrize(("text", "found"), [("", "nothing"), ("- 1", "a list of 1 entry")])
def test_a_file_of_another_kind(text: str, found: str) -> None:
    assert only(text).message == f"the file must be keys with values, found {found}"


def test_the_description_of_a_field_becomes_the_help() -> None:
    assert only(NAME + "cards: [{id: 3, count: 2}]").help == "What rules call it"


@pytest.mark.parametrize(("written", "is_to_be_quoted"), [("1.0", True), ("v1", False)])
def test_a_number_that_would_do_as_text_needs_quotes(written: str, is_to_be_quoted: bool) -> None:
    text = f"format: 1\nid: dale\ntitle: Dale\nversion: {written}\n"
    document, _ = read_yaml(Source("expansion.yaml", text))
    assert document is not None
    (found,) = validate(document, Expansion)[1]
    assert (found.help == f'put it in quotes: `"{written}"`') is is_to_be_quoted


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "integer"}, "a whole number"),
        ({"type": "integer", "minimum": 0}, "a whole number of at least 0"),
        ({"type": "integer", "maximum": 9}, "a whole number of at most 9"),
        ({"type": "number", "minimum": -1, "maximum": 0}, "a number from -1 to 0"),
        ({"type": "array", "minItems": 2, "maxItems": 5}, "a list of 2 to 5 entries"),
        ({"type": "array", "minItems": 1}, "a list of at least 1 entry"),
        ({"type": "array", "minItems": 10, "maxItems": 10}, "a list of 10 entries"),
        ({"type": "string", "maxLength": 1}, "text of at most 1 character"),
        ({"type": "string", "examples": ["c4"], "pattern": "x"}, "text such as `c4`"),
        ({"const": True}, "`true`"),
        ({"enum": [1, 2]}, "`1` or `2`"),
        ({"enum": ["a", "b", "c"]}, "one of `a`, `b`, `c`"),
        ({"enum": list("abcdefghijkl")}, "one of `a`, `b`, `c`, `d`, `e`, `f`, `g`, `h`, `i`, "
         "`j`, `k`, `l`"),
        ({"enum": list("abcdefghijklm")}, "one of `a`, `b`, `c`, `d`, `e`, `f`, `g`, `h`, `i`, "
         "`j`, `k`, `l`, ..."),
        ({"type": "object", "minProperties": 1}, "keys with values of at least 1 key"),
        ({"type": "null"}, "of another kind"),
        ({}, "of another kind"),
    ],
)  # fmt: skip
def test_wants_in_words(schema: dict[str, object], words: str) -> None:
    assert SchemaShape(schema, (schema,)).phrase() == words


def test_all_is_said_at_once_in_order() -> None:
    _, found = check("nme: x\nplayers: 9\ncards: [{id: 1}]\n")
    assert [each.code for each in found] == ["KB402", "KB412", "KB403", "KB412", "KB403"]
    assert found == sorted(found)


def test_what_the_reader_refused_is_not_refused_again() -> None:
    box, found = check(NAME + "players: 0x3\ncards: [*x, {id: y, count: !t 3}]\nshape: *z\n")
    assert box is None
    assert [each.code for each in found] == ["KB403", "KB405", "KB405", "KB405"]


def test_a_key_given_twice_is_said_once() -> None:
    assert only(NAME + "players: 3\nplayers: 9\n").code == "KB404"


def test_findings_are_bounded() -> None:
    _, found = check(NAME + "cards: [" + "1, " * 9_000 + "]")
    assert 1 <= len(found) <= 100


def test_a_choice_inside_a_choice_gives_one_finding_for_each_mistake() -> None:
    for around in ("steps: [{held: %s}]", "steps: [end, {held: %s}]"):
        inner = only("name: a\n" + around % "{a: {b: x}}" + "\n")
        assert (inner.code, inner.span.text) == ("KB403", "x")
        outer = only("name: a\n" + around % "{a: x}" + "\n")
        assert (outer.code, outer.span.text) == ("KB403", "x") and "`a` must be" in outer.message


BOX = "format: 1\nid: dale\ntitle: The Dale\nneeds: [base]\n"
RULES = """\
option wide = no "A wide shore."

memory trodden: hexes of table "Where somebody stood."
memory visits: number of player "How often."

define shore "Hexes next to water.":
    adjacent(water) & (board if wide otherwise buildable)
define next_to(what: hexes) "Around something.":
    adjacent(what)
define towers "A kind of place.":
    castle
define width "How many there are.":
    count(shore)
"""
FILES = Files()


def read(folder: Path, marks: str, rules: str = RULES) -> Loaded:
    (folder / "expansion.yaml").write_text(f"{BOX}marks: {marks}\n")
    (folder / "dale.kb").write_text(rules)
    return load_all(["base"], [folder], files=FILES)


def test_defines_and_memories_are_marks_in_the_order_of_the_box(tmp_path: Path) -> None:
    loaded = read(tmp_path, "{trodden: {}, shore: {title: the shore}, towers: {}}")
    assert loaded.findings == () and loaded.ruleset is not None
    assert [*loaded.ruleset.marks] == ["trodden", "shore", "towers"]
    assert {expr.sort.value for expr in loaded.ruleset.marks.values()} == {"hexes"}


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("shoer", "KB201", "did you mean `shore`?"),
        ("trodde", "KB201", "did you mean `trodden`?"),
        ("nonsense", "KB201", ""),
        ("width", "KB203", "a mark takes hexes, but `width` is a number"),
        ("visits", "KB203", "a mark takes hexes, but `visits` is a number"),
        ("wide", "KB203", "a mark takes hexes, but `wide` is yes or no"),
        ("next_to", "KB204", "next_to"),
    ],
)
def test_what_is_no_set_of_hexes_is_told_at_its_name(
    tmp_path: Path, name: str, code: str, said: str
) -> None:
    loaded = read(tmp_path, f"{{shore: {{}}, {name}: {{}}}}")
    assert loaded.ruleset is None
    (found,) = loaded.findings
    assert (found.code, found.span.text) == (code, name)
    assert found.span.source.name.endswith("expansion.yaml")
    assert said in f"{found.message}; {found.help}"


def test_a_word_that_could_not_be_read_is_not_blamed_on_the_mark(tmp_path: Path) -> None:
    rules = RULES.replace("adjacent(water)", "adjacent(watr)")
    assert [f.span.text for f in read(tmp_path, "{shore: {}}", rules).findings] == ["watr"]
    (tmp_path / "more.kb").write_bytes(b"define crag: \xff\n")
    found = read(tmp_path, "{crag: {}}").findings
    assert [f.code for f in found] == ["KB002"]


def test_check_tells_an_author(tmp_path: Path) -> None:
    read(tmp_path, "{shoer: {}}")
    (told,) = checked(Project([tmp_path])).all
    assert (told.code, told.span.line, told.help) == ("KB201", 5, "did you mean `shore`?")


def told(path: Path) -> str:
    return place_of(Source(path.as_posix(), "one\ntwo\n").span(4, 5))


def test_a_shipped_file_has_a_short_name_wherever_one_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert told(data_root("rules") / "base" / "tiles.kb") == "rules/base/tiles.kb:2"


def test_any_other_file_keeps_its_name(tmp_path: Path) -> None:
    assert told(tmp_path / "rules" / "a.kb") == f"{tmp_path.as_posix()}/rules/a.kb:2"
    assert told(Path("rules/a.kb")) == "rules/a.kb:2"
    assert told(Path("a\nb.kb")) == "a\\nb.kb:2"
