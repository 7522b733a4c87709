"""Comments: kept, in order, in their own declaration; and shipped files are as they should be."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from kbrules.lang.formatting import comments_of, formatted
from kbrules.lang.syntax import tree
from kbrules.lang.syntax.parse import parse
from kbrules.text import Source, Span
from tests.lang.trees import Drawn, format_module, is_same, modules
from tests.source_tree import ROOT

FILES = sorted(file for folder in ("rules", "tests") for file in (ROOT / folder).rglob("*.kb"))

MESSY = """\
# The head of the file.


# More of it.

option a = yes "x"
# about b
option b = no "y"
memory c: hexes

rule x "X":  # behind the heading
    "words # are no comment"   # behind the wording
  # deeper or not
    gold 3 if any(mine)
# at the edge, but inside
    gold 4
    when build:
        gain 3 if (count(mine) # within
          # alone within
          + 3) > 4   # at its end
    example:
        | G#  Ga#
        # between rows
        |  C  C   # drawn
        gives 4  # told

    # the last inside

# before y
rule y "Y":
    "w"
    gold 1
# at the end
"""
NEAT = """\
# The head of the file.

# More of it.

option a = yes "x"
# about b
option b = no "y"

memory c: hexes

rule x "X":  # behind the heading
    "words # are no comment"  # behind the wording
    # deeper or not
    gold 3 if any(mine)
    # at the edge, but inside
    gold 4
    when build:
        # within
        # alone within
        # at its end
        gain 3 if count(mine) + 3 > 4
    example:
        | G#  Ga#
        # between rows
        |  C  C   # drawn
        gives 4  # told
        # the last inside

# before y
rule y "Y":
    "w"
    gold 1

# at the end
"""


def test_each_place_of_a_comment_has_one_look() -> None:
    assert formatted(Source("a.kb", MESSY)) == NEAT


def test_a_comment_too_long_for_its_line_goes_above() -> None:
    long = "#" + "x" * 90
    text = formatted(Source("a.kb", f'rule x:\n    "w"\n    gold 1 if any(mine) {long}\n'))
    assert text == f'rule x:\n    "w"\n    {long}\n    gold 1 if any(mine)\n'


def test_a_parenthesis_in_a_drawing_opens_nothing() -> None:
    text = 'rule x "X":\n    "w"\n    example:\n        | (\n        # between\n        | H\n'
    assert formatted(Source("a.kb", text)) == text


def test_a_comment_moves_with_the_line_below_it() -> None:
    heading = 'option a = yes "x":  # behind\n'
    question = '    # of the question\n    question "Why?"  # asked\n'
    source = '    # of the source\n    source "1.1"\n'
    end = "    # the last\n"
    text = formatted(Source("a.kb", heading + source + question + end))
    assert text == heading + question + source + end


def test_a_file_of_comments_alone_stays() -> None:
    assert formatted(Source("a.kb", "\n# a\n\n\n# b\n#c\n")) == "# a\n\n# b\n#c\n"
    assert formatted(Source("a.kb", "")) == ""


def test_what_cannot_be_read_is_not_written() -> None:
    with pytest.raises(ValueError, match="cannot be written"):
        formatted(Source("a.kb", "rule x\n    gold"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_shipped_files_are_formatted(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert formatted(Source(file.name, text)) == text, "run `kbrules fmt`"


@given(modules, st.data())
def test_no_comment_is_lost_or_leaves_its_declaration(
    drawn: Drawn[list[tree.Declaration]], data: st.DataObject
) -> None:
    source = Source("a.kb", _with_comments(format_module(drawn.it), data))
    once = formatted(source)
    before, findings = parse(source)
    after, _ = parse(Source("a.kb", once))
    assert not findings
    assert is_same(before, after), once
    assert formatted(Source("a.kb", once)) == once
    assert _by_declaration(once) == _by_declaration(source.text)


def _with_comments(text: str, data: st.DataObject) -> str:
    """Comments behind some lines and between them; each names the declaration it is in or above."""
    lines = text.splitlines()
    owners = [sum(_begins(line) for line in lines[: n + 1]) for n in range(len(lines))]
    found: list[str] = []
    for line, owner in zip(lines, owners, strict=True):
        if data.draw(st.integers(0, 3)) == 0:
            is_first = not line.strip() or _begins(line)
            indent = 0 if is_first else data.draw(st.integers(1, 3)) * 4
            found.append(f"{' ' * indent}# in {owner + (not line.strip())}")
        is_drawn = line.lstrip().startswith("|")
        if line.strip() and not is_drawn and data.draw(st.integers(0, 3)) == 0:
            line += f"{' ' * data.draw(st.integers(0, 3))}# in {owner}"
        found.append(line)
    return "\n".join(found) + "\n"


def _begins(line: str) -> bool:
    return bool(re.match(r"[a-z]", line))


def _by_declaration(text: str) -> list[tuple[int, int]]:
    """For each comment the declaration it names, and the one it stands in or above."""
    declarations, _ = parse(Source("a.kb", text))
    drawings = [span for each in declarations for span in _drawings(each)]
    starts = [each.span.start for each in declarations]
    found = []
    for comment in comments_of(Source("a.kb", text), drawings):
        named = int(comment.text.removeprefix("# in "))
        owner = sum(start < comment.start for start in starts)
        found.append((named, owner + (comment.indent == 0)))
    return sorted(found)


def _drawings(node: object) -> list[Span]:
    """Every drawing below a node."""
    if isinstance(node, tree.Example):
        return [node.drawing] if node.drawing is not None else []
    body = getattr(node, "body", ())
    return [span for each in body for span in _drawings(each)] if isinstance(body, tuple) else []
