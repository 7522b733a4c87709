"""The shape of what commands print with `--output-format json`; one schema is made of each."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class _Output(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal[1] = Field(default=1, description="The version of this format; 1 for now.")


class _OutputPart(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PageOutput(_OutputPart):
    """A page about a code or a word."""

    kind: str = Field(description="`code`, or what kind of word it is.")
    id: str = Field(description="The code, or the word.")
    title: str = Field(default="", description="What the code means, in a line.")
    severity: str = Field(default="", description="Of a code: `error` or `warning`.")
    text: str = Field(default="", description="The page as a terminal shows it; empty in a list.")


class ExplainOutput(_Output):
    """What `kbrules explain` tells: the pages asked for, or a list of all codes."""

    pages: tuple[PageOutput, ...]


class ShowOutput(_Output):
    """What `kbrules show` tells of a thing or a word, or the list of a kind."""

    kind: str = Field(description="The kind asked for, as `card`; empty for the list of kinds.")
    name: str = Field(description="The name asked for; empty for a list.")
    text: str = Field(description="The page as a terminal shows it; of a list a name in each line.")


class CardOutput(_OutputPart):
    """A card or tile that can be printed."""

    id: str
    title: str
    kind: str = Field(description="As in its rule: `card`, `task`, `location` ...")


class CardsOutput(_Output):
    """The cards of `kbrules cards`, and the files that were written."""

    cards: tuple[CardOutput, ...]
    files: tuple[str, ...]


class BoxOutput(_OutputPart):
    """A box that can be loaded by its name."""

    id: str
    title: str
    kind: str = Field(description="`expansion`, `edition` or `variant`.")
    version: str = Field(description="As the box says it; empty if it says none.")
    needs: tuple[str, ...]
    source: str = Field(description="`kbrules`, or the installed package and its version.")
    place: str = Field(description="The folder it lies in.")


class BoxesOutput(_Output):
    """The boxes of `kbrules boxes`, shipped and installed."""

    boxes: tuple[BoxOutput, ...]


class DocsOutput(_Output):
    """What `kbrules docs` wrote."""

    folder: str
    pages: int = Field(description="How many pages it has.")
    files: tuple[str, ...] = Field(description="All files, by their paths in the folder.")


class LineOutput(_OutputPart):
    """A line of the score sheet."""

    rule: str
    title: str
    gold: tuple[int, ...] = Field(description="What it pays each player, the first first.")


class GameOutput(_Output):
    """The game that `kbrules replay` or `kbrules play` came to."""

    players: int
    moves: int = Field(description="Decisions and draws.")
    over: bool = Field(description="Whether the game is over.")
    lines: tuple[LineOutput, ...]
    totals: tuple[int, ...] = Field(description="The gold of each player.")
    winners: tuple[str, ...] = Field(description="The players who have won: `a`, `b` ...")
    log: str = Field(default="", description="The file of its log; empty if none was kept.")
    findings: tuple[str, ...] = Field(
        default=(), description="What differs from the log, in lines."
    )


def as_json(output: _Output) -> str:
    """The text of an output."""
    return output.model_dump_json(indent=2)
