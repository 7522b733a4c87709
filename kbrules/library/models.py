"""The shapes of `expansion.yaml`, texts, locks and lists of faults. Data; slow to load."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator

from kbrules.game.board import MAX_SIDE, Icon, Texture

# Versions of boxes, and which of them a box needs.
#
# A version is one to four whole numbers with dots: `2`, `1.4`, `1.4.2`; what is missing is 0. A
# range is conditions with commas, all of which must be true: `>=1.2, <2` or `==1.4`.

_NUMBER = "(?:0|[1-9][0-9]{0,5})"
VERSION = rf"{_NUMBER}(?:\.{_NUMBER}){{0,3}}"
"""The pattern of a version."""
_CONDITION = rf"(?:>=|<|==) ?{VERSION}"
NEED = rf"[a-z][a-z0-9_]{{0,39}}(?: {_CONDITION}(?:, ?{_CONDITION}){{0,3}})?"
"""The pattern of what a box needs: an id, and perhaps a range."""
_PARTS = 4


@dataclass(frozen=True, slots=True)
class Need:
    """A box that another one needs: its id, and the range as it is written; empty for any."""

    id: str
    range: str

    @classmethod
    def read(cls, text: str) -> Need:
        """Return what a text that fits `NEED` says."""
        id, _, range = text.partition(" ")
        return cls(id, range.strip())

    def holds(self, version: str) -> bool:
        """Return whether a version is in the range; an empty one counts as 0."""
        conditions = filter(None, self.range.split(","))
        return all(_is_met(condition.strip(), version) for condition in conditions)


def _is_met(condition: str, version: str) -> bool:
    sign, bound = re.split(r"(?<=[<=]) ?(?=[0-9])", condition)
    own, limit = _numbers(version or "0"), _numbers(bound)
    return own >= limit if sign == ">=" else own < limit if sign == "<" else own == limit


def _numbers(version: str) -> tuple[int, ...]:
    numbers = [int(part) for part in version.split(".")]
    return (*numbers, *[0] * (_PARTS - len(numbers)))


# The kinds of values in the YAML data of a box, and the manner of its models.

ID_PATTERN = "[a-z][a-z0-9_]{0,39}"  # lengths lie in the patterns: of a key a schema keeps no other
_SMALL = "Small letters, digits and `_`, a letter first."


def one_line(text: str) -> str:
    """A text that stands in the middle of lines; ValueError if it has line ends or tabs."""
    if any(character in text for character in "\r\n\t"):
        raise ValueError("this is one line of text, without tabs")
    return text


Id = Annotated[str, Field(pattern=f"^{ID_PATTERN}$", description=_SMALL)]
SetupId = Annotated[str, Field(pattern="^[a-z][a-z0-9_-]{0,39}$", description=_SMALL)]
LaidSection = Annotated[
    str, Field(pattern=f"^{ID_PATTERN}( turned)?$", description="A section, perhaps `turned`.")
]
Version = Annotated[str, Field(pattern=f"^{VERSION}$")]
Needed = Annotated[
    str,
    Field(
        pattern=f"^{NEED}$",
        description="An id, perhaps with conditions `>=`, `<` and `==`, with commas.",
        examples=["orchard >=1.2, <2"],
    ),
]
Digit = Annotated[str, Field(pattern="^[1-9]$")]
Title = Annotated[str, Field(min_length=1, max_length=80), AfterValidator(one_line)]
Count = Annotated[int, Field(ge=0, le=999)]
Seats = Annotated[int, Field(ge=1, le=6)]
Option = Annotated[bool | int | Literal["yes", "no"], Field(description="`yes`, `no` or a number.")]
Tags = Annotated[tuple[Id, ...], Field(max_length=20)]
Colour = Annotated[str, Field(pattern="^([a-z]{3,30}|#[0-9a-f]{6})$")]


def _forbid_other_keys(schema: dict[str, Any]) -> None:
    """Make the schema refuse keys that fit no pattern, as the models do."""
    if "patternProperties" in schema:
        schema["additionalProperties"] = False
    for key in ("properties", "patternProperties"):
        for each in schema.get(key, {}).values():
            _forbid_other_keys(each)
    for each in (*schema.get("anyOf", ()), *([schema["items"]] if "items" in schema else ())):
        _forbid_other_keys(each)


class Data(BaseModel):
    """Strict data: no key but the known ones, no value but of the very type, never changed."""

    model_config = ConfigDict(
        strict=True, extra="forbid", frozen=True, json_schema_extra=_forbid_other_keys
    )


# The shape of `expansion.yaml`: what is in a box, and how much of it. Data, never rules.
#
# A description here becomes the hover text of an editor and the help line of a finding. Everything
# but `format`, `id` and `title` may be left out, so that a box of one card is four lines.


def _called(example: str) -> Any:
    """Return the field of a title that may be left out."""
    text = "What players call it; the id if left out."
    return Field("", description=text, examples=[example])


class PlayersModel(Data):
    """For how many the box plays."""

    least: Seats = Field(default=0, description="The smallest number of players.", examples=[2])
    most: Seats = Field(
        default=0,
        description="The largest number of players; a later box may raise it.",
        examples=[4],
    )


class TableModel(Data):
    """How many sections make a table."""

    rows: int = Field(ge=1, le=MAX_SIDE, description="Sections one below the other.", examples=[2])
    columns: int = Field(ge=1, le=MAX_SIDE, description="Sections side by side.", examples=[2])


class SizeModel(Data):
    """How many hexes make a section; all sections of a game are of one size."""

    rows: int = Field(ge=1, le=30, description="Rows of hexes in a section.", examples=[10])
    columns: int = Field(ge=1, le=30, description="Hexes in a row of a section.", examples=[10])


class GridModel(Data):
    """A grid of hexes beside the table, from which no step leads to another."""

    title: Title = _called("the far shore")
    tags: Tags = Field(
        (),
        description="Sets of hexes that all its hexes belong to; words of the rules.",
        examples=[["shore"]],
    )


class HexModel(Data):
    """A kind of hex: a terrain, or a place, which is a hex that is something."""

    letter: str = Field(
        pattern="^[A-Z]$", description="The capital letter that draws it.", examples=["H"]
    )
    title: Title = _called("heath")
    colour: Colour = Field(
        "", description="Its colour in pictures: a name or six digits.", examples=["#c86bb0"]
    )
    texture: Texture | Literal[""] = Field(
        "", description="What pictures draw upon its colour; else any.", examples=["tufts"]
    )
    icon: Icon | Literal[""] = Field(
        "", description="What pictures put around its letter; for places.", examples=["house"]
    )
    tags: Tags = Field(
        (), description="Sets of hexes it belongs to; words of the rules.", examples=[["dry"]]
    )


class PieceModel(Data):
    """A kind of piece."""

    letter: str = Field(
        pattern="^[a-z]$", description="The small letter that draws it.", examples=["h"]
    )
    supply: Count = Field(
        description="How many each player has; of a neutral piece, how many the table has.",
        examples=[30],
    )
    title: Title = _called("hut")
    tags: Tags = Field(
        (), description="Sets of pieces it belongs to; words of the rules.", examples=[["small"]]
    )
    neutral: bool = Field(False, description="Whether it belongs to nobody.", examples=[True])
    icon: Icon | Literal[""] = Field(
        "", description="What it shows in pictures instead of a letter.", examples=["shield"]
    )
    shape: Literal["one", "seven"] = Field(
        "one",
        description="The hexes it covers: one, or seven (a hex and all around it).",
        examples=["seven"],
    )


class TileModel(Data):
    """A kind of tile; the rule of the same name says what it does."""

    kind: Id = Field(
        description="The word that begins its rule, and by which rules speak of such tiles.",
        examples=["yard"],
    )
    place: Id = Field(
        "",
        description="The kind of place on which it lies; left out if it lies on none.",
        examples=["yard"],
    )
    each: int = Field(
        0,
        ge=0,
        le=20,
        description="How many lie on each place that is its; one if left out where `copies` are "
        "drawn.",
        examples=[2],
    )
    copies: int = Field(
        0,
        ge=0,
        le=99,
        description="How many go into a pool from which each place that a map leaves without a "
        "tile, because it is drawn by its letter, gets one by chance.",
        examples=[2],
    )
    title: Title = _called("Well")


class DeckModel(Data):
    """So many equal cards of the terrain deck."""

    terrains: Annotated[tuple[Id, ...], Field(min_length=1, max_length=4)] = Field(
        description="The terrains the card shows, most often one.", examples=[["heath"]]
    )
    count: Count = Field(description="How many such cards there are.", examples=[5])


class SetupModel(Data):
    """A table laid beforehand, by name."""

    title: Title = _called("A short game")
    sections: Annotated[tuple[tuple[LaidSection, ...], ...], Field(max_length=4)] = Field(
        (),
        description="Rows of sections as they lie on the table; `turned` means by half a turn. "
        "Left out, they are drawn at random.",
        examples=[[["north", "south turned"]]],
    )
    tiles: Annotated[tuple[tuple[Id, ...], ...], Field(max_length=4)] = Field(
        (),
        description="Rows like those of the sections: the tile of each sector, where one is drawn "
        "for it by `sector_tiles`. Left out, they are drawn.",
        examples=[[["well", "ferry"]]],
    )
    grids: dict[Id, Id] = Field(
        {},
        description="For grids beside the table the section that lies there; of others it is "
        "drawn at random.",
        examples=[{"shore": "cliffs"}],
    )
    cards: tuple[Id, ...] = Field(
        (),
        description="The cards in play. If none of them is a scoring card, those are drawn; if "
        "none is a task, the tasks are.",
        examples=[["rowers"]],
    )


class SectionModel(Data):
    """A printed piece of the board."""

    map: Literal["printed", "stand-in"] = Field(
        "printed",
        description="`stand-in` for a map that is not the printed one; all output says so.",
        examples=["stand-in"],
    )
    replaces: Literal["stand-in"] | None = Field(
        None,
        description="`stand-in` if this map takes the place of a stand-in of the same id in a box "
        "that this one needs.",
        examples=["stand-in"],
    )
    grid: Id | Literal[""] = Field(
        "",
        description="The grid on which it lies, of any shape and never turned; the table if left "
        "out.",
        examples=["shore"],
    )
    places: dict[Digit, Id] = Field(
        {},
        description="For each digit in the drawing, the tile whose place it is.",
        examples=[{"1": "well"}],
    )
    tasks: int = Field(
        0, ge=0, le=9, description="How many task cards come into play with it.", examples=[1]
    )
    rows: str = Field(
        max_length=4000,
        description="The drawing: one line per row, one letter per hex, `-` for a hole. Odd rows "
        "lie half a hex to the right; indenting them is for the eye only.",
        examples=["H H F\n H 1 F"],
    )


class MarkModel(Data):
    """A set of hexes that only the rules know of, and that players have to see."""

    title: Title = Field(
        "", description="What players call the hexes; the id if left out.", examples=["wells"]
    )
    icon: Icon | Literal[""] = Field(
        "", description="What pictures put in a corner of each of the hexes.", examples=["flag"]
    )


class InsteadModel(Data):
    """What a box says in place of what others say; two that say different things clash."""

    numbers: dict[Id, Count] = Field(
        default={}, description="Other values for numbers of the set-up.", examples=[{"hand": 2}]
    )
    table: TableModel | None = Field(
        default=None, description="Another size of the table.", examples=[{"rows": 3, "columns": 2}]
    )
    options: dict[Id, Option] = Field(
        default={},
        description="Other defaults for options of the rules.",
        examples=[{"short": "yes"}],
    )


class Expansion(Data):
    """A box: what it adds to the game, in numbers and drawings; its rules lie beside it."""

    model_config = ConfigDict(title="An expansion of kbrules")

    format: Literal[1] = Field(description="The version of this format.", examples=[1])
    id: Id = Field(description="The name of the box for programs and rules.", examples=["dale"])
    title: Title = Field(description="The name of the box for people.", examples=["The Dale"])
    kind: Literal["expansion", "edition", "variant"] = Field(
        "expansion",
        description="An `edition` (another make of the game) and a `variant` (a house rule) are "
        "in play only if they are named; an expansion also where all boxes are meant.",
        examples=["variant"],
    )
    version: Version = Field(
        "", description="The version of the box: one to four numbers with dots.", examples=["1.2"]
    )
    needs: tuple[Needed, ...] = Field(
        (),
        description="Boxes without which this one cannot be played, perhaps with the versions "
        "that will do: conditions `>=`, `<` and `==` with commas.",
        examples=[["base", "orchard >=1.2, <2"]],
    )
    players: PlayersModel = Field(
        PlayersModel(),
        description="The numbers of players; of several boxes the widest range counts.",
        examples=[{"most": 5}],
    )
    start_player: Literal["stays", "passes"] = Field(
        "stays",
        description="Whether every round begins with the first player, or with the player after "
        "the one who began the last round; `passes` of any box counts.",
        examples=["passes"],
    )
    table: TableModel | None = Field(
        None, description="How many sections make a table.", examples=[{"rows": 2, "columns": 2}]
    )
    section: SizeModel | None = Field(
        None,
        description="How many hexes make a section; 10 rows of 10 if no box says so.",
        examples=[{"rows": 10, "columns": 10}],
    )
    grids: dict[Id, GridModel] = Field(
        {},
        description="Grids beside the table; on each lies one of the sections that name it.",
        examples=[{"shore": {"title": "the far shore", "tags": ["shore"]}}],
    )
    numbers: dict[Id, Count] = Field(
        {}, description="Numbers of the set-up; words of the rules.", examples=[{"hand": 1}]
    )
    instead: InsteadModel = Field(
        InsteadModel(),
        description="What holds in place of what other boxes say, whichever is loaded first.",
        examples=[{"numbers": {"hand": 2}}],
    )
    terrains: dict[Id, HexModel] = Field(
        {},
        description="Kinds of ground. The first of all is what a dot draws.",
        examples=[{"heath": {"letter": "H", "tags": ["dry"]}}],
    )
    places: dict[Id, HexModel] = Field(
        {},
        description="Kinds of hexes that are something else than ground.",
        examples=[{"yard": {"letter": "Y"}}],
    )
    pieces: dict[Id, PieceModel] = Field(
        {}, description="Kinds of pieces.", examples=[{"hut": {"letter": "h", "supply": 30}}]
    )
    tiles: dict[Id, TileModel] = Field(
        {},
        description="Kinds of tiles. Each needs a rule of its name.",
        examples=[{"well": {"kind": "yard", "place": "yard", "each": 2}}],
    )
    deck: tuple[DeckModel, ...] = Field(
        (), description="The terrain cards.", examples=[[{"terrains": ["heath"], "count": 5}]]
    )
    cards: tuple[Id, ...] = Field(
        (), description="The scoring cards. Each needs a rule of its name.", examples=[["rowers"]]
    )
    tasks: tuple[Id, ...] = Field(
        (),
        description="The task cards, which come into play with sections. Each needs a rule of "
        "its name.",
        examples=[["bridge"]],
    )
    sector_tiles: dict[Id, tuple[Id, ...]] = Field(
        {},
        description="For a kind of place, tiles of which each sector is given one by chance, none "
        "twice: the tile of all such places of the sector that a map leaves without one.",
        examples=[{"yard": ["well", "ferry"]}],
    )
    section_sets: dict[Id, tuple[Id, ...]] = Field(
        {},
        description="Sections that lie on one table, such as the same side of double ones. Where "
        "any box has a set, a table laid at random is made of one set, drawn by chance, and of no "
        "other sections.",
        examples=[{"front": ["north", "south"]}],
    )
    setups: dict[SetupId, SetupModel] = Field(
        {},
        description="Tables laid beforehand, such as one for the first game.",
        examples=[{"short": {"cards": ["rowers"]}}],
    )
    marks: dict[Id, MarkModel] = Field(
        {},
        description="Sets of hexes that are named below a board. Each is a word of the rules that "
        "means hexes, such as a `define` without parameters or a memory of hexes; it is asked for "
        "the player whose turn it is.",
        examples=[{"shore": {"title": "the shore"}}],
    )
    sections: dict[Id, SectionModel] = Field(
        {},
        description="The pieces of the board, drawn.",
        examples=[{"north": {"rows": "H H F\n H F F"}}],
    )

    @property
    def needed(self) -> tuple[Need, ...]:
        """The boxes that it needs, with their ranges."""
        return tuple(map(Need.read, self.needs))

    @field_validator("format", mode="before")
    @classmethod
    def _is_a_number(cls, value: object) -> object:
        if value is True:  # which equals 1, to Python
            raise ValueError("`format` must be `1`, found `true`")
        return value


# The shape of `kbrules.lock`.

Name = Annotated[str, Field(pattern="^[^\\x00-\\x1f]{1,200}$")]
Long = Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
Short = Annotated[str, Field(pattern="^[0-9a-f]{8}$")]


class LockedFileModel(Data):
    """A file of a box."""

    digest: Long = Field(description="The digest of its text.")
    parts: dict[Name, Short] = Field({}, description="Digests of its declarations or keys.")


class LockedBoxModel(Data):
    """A box as it was."""

    version: Version = Field("", description="Its version, if it says one.")
    language: Literal[1] = Field(description="The number of the language and of the formats.")
    digest: Long = Field(description="The digest of all its files.")
    files: dict[Name, LockedFileModel] = Field(description="Its files, by name in its folder.")


class LockFileModel(Data):
    """The boxes of a rule set; `kbrules lock` writes it, `kbrules check --locked` compares."""

    format: Literal[1] = Field(
        description="The version of this format; `kbrules lock` writes the file anew."
    )
    boxes: dict[Id, LockedBoxModel] = Field(description="The boxes by id.")
    shared: dict[Name, LockedFileModel] = Field({}, description="Files that belong to no box.")


# The shape of `texts/de.yaml`: what the things and rules of a box are called in a language.

Said = Annotated[str, Field(min_length=1, max_length=1000), AfterValidator(one_line)]


class RuleTexts(Data):
    """What a rule, a card or a tile is called, and what it says."""

    title: Title = Field("", description="Its title.", examples=["Ruderer"])
    wording: Said = Field(
        "", description="Its wording.", examples=["Ein Gold für jede deiner Hütten."]
    )


def _titles(things: str, example: dict[str, str]) -> Any:
    """Return the field of the titles of some things by their ids."""
    return Field({}, description=f"Titles of {things} by id.", examples=[example])


class TextsFile(Data):
    """The texts of a box in the language that the name of the file says; all may be left out."""

    format: Literal[1] = Field(description="The version of this format.", examples=[1])
    title: Title = Field("", description="The title of the box.", examples=["Das Tal"])
    terrains: dict[Id, Title] = _titles("terrains", {"heath": "Heide"})
    places: dict[Id, Title] = _titles("places", {"yard": "Hof"})
    pieces: dict[Id, Title] = _titles("pieces", {"hut": "Hütte"})
    grids: dict[Id, Title] = _titles("grids", {"shore": "das ferne Ufer"})
    marks: dict[Id, Title] = _titles("marks", {"wells": "Brunnen"})
    setups: dict[SetupId, Title] = _titles("set-ups", {"short": "Ein kurzes Spiel"})
    memories: dict[Id, Title] = _titles("memories", {"apples": "Äpfel"})
    rules: dict[Id, RuleTexts] = Field(
        {},
        description="Titles and wordings of rules, cards and tiles by id.",
        examples=[{"rowers": {"title": "Ruderer"}}],
    )
    stamps: dict[str, Short] = Field(
        {},
        description="For each text, as `rules.rowers`, the digest of what it translates; "
        "`kbrules texts --stamp` writes them.",
        examples=[{"rules.rowers": "0f3a9c12"}],
    )


Sentence = Annotated[str, Field(max_length=2000)]


class FaultModel(Data):
    """One small change of a declaration, as `kbrules test --mutate` shows it."""

    in_: Annotated[str, Field(min_length=3, max_length=100)] = Field(
        alias="in",
        description="The declaration: its kind and its name.",
        examples=["card rowers"],
    )
    was: Sentence = Field(
        description="The sentence as it stands in the rule.",
        examples=["gold 1 per hex in mine & adjacent(lake)"],
    )
    now: Sentence = Field(
        "",
        description="What the fault makes of it; left out if the fault leaves the sentence out.",
        examples=["gold 1 per hex in mine"],
    )


class GroupModel(Data):
    """Faults that may survive for one and the same reason."""

    reason: Annotated[str, Field(min_length=10, max_length=400)] = Field(
        description="Why no test notices them, and why that is right.",
        examples=["Whoever touches a lake has a piece: the first condition follows."],
    )
    faults: Annotated[tuple[FaultModel, ...], Field(min_length=1)] = Field(
        description="The faults."
    )


class MutantsFile(Data):
    """The faults in rules that no test notices, each with a reason."""

    model_config = ConfigDict(title="kbrules survivors of mutation")

    format: Literal[1] = Field(description="The version of this format; 1 for now.")
    survivors: tuple[GroupModel, ...] = Field(description="The faults, grouped by reason.")
