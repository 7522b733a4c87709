"""The pictures of a written page: its own, and boards for the examples of rules without one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from markdown_it.token import Token
from markupsafe import Markup

from kbrules.game.board import Catalog
from kbrules.lang.syntax import tree
from kbrules.library.file_cache import parsed
from kbrules.text import Source
from kbrules.tools.publishing.pictures.board import with_id_prefix
from kbrules.tools.publishing.site.boards import example_board


@dataclass(frozen=True, slots=True)
class GuidePictures:
    """Draws the pictures of a page that lies in a folder, with the hexes of a catalog."""

    folder: Path
    catalog: Catalog
    _numbers: Iterator[int] = field(default_factory=lambda: count(1), repr=False)

    def drawn(self, tokens: Sequence[Token]) -> Iterator[Token]:
        """The tokens of the page with its pictures.

        A paragraph that is a picture of the folder is drawn. Below a block of rules without one
        stand the boards of its examples.
        """
        at = 0
        while at < len(tokens):
            file = self._picture_of(tokens[at : at + 3])
            if file is not None:
                svg = with_id_prefix(file.read_text(encoding="utf-8"), self._prefix())
                yield _figure([Markup(svg)])
                at += 3
                continue
            yield tokens[at]
            at += 1
            if _is_rules(tokens[at - 1]) and self._picture_of(tokens[at : at + 3]) is None:
                yield from self._boards(tokens[at - 1].content)

    def _picture_of(self, paragraph: Sequence[Token]) -> Path | None:
        """The file of the picture that a paragraph is, if the folder has it."""
        match paragraph:
            case [Token(type="paragraph_open"), Token(children=[Token(type="image") as image]), _]:
                file = self.folder / str(image.attrs["src"])
                return file if file.suffix == ".svg" and file.is_file() else None
            case _:
                return None

    def _boards(self, text: str) -> Iterator[Token]:
        """The boards of a block of rules, as far as its examples can be drawn."""
        drawn = [
            example_board(self.catalog, rule.name.text, part, self._prefix())
            for rule in parsed(Source("rules", text)).declarations
            if isinstance(rule, tree.Rule)
            for part in rule.body
            if isinstance(part, tree.Example)
        ]
        if boards := [board for board in drawn if board is not None]:
            yield _figure(boards)

    def _prefix(self) -> str:
        return f"g{next(self._numbers)}"


def _is_rules(token: Token) -> bool:
    return token.type == "fence" and token.info == "kb"


def _figure(drawn: Sequence[Markup]) -> Token:
    boards = "".join(f'<div class="board">{board}</div>\n' for board in drawn)
    return Token("html_block", "", 0, content=f'<figure class="example">\n{boards}</figure>\n')
