"""`kbrules show`: what is in the boxes, and what the language has words for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .boxes import loaded, wanted
from .findings import refuse

__all__ = ["command"]

Turned = Annotated[bool, typer.Option("--turned", help="A section turned by half.")]
Svg = Annotated[
    Path | None, typer.Option("--svg", help="Write a section or board there, as a picture.")
]
With = Annotated[
    list[str] | None,
    typer.Option("--with", help="A box, `all`, or the folder of an expansion; again or a,b."),
]


def command(
    kind: Annotated[
        str | None,
        typer.Argument(help="card, location, section, board, option, word, step or another kind."),
    ] = None,
    name: Annotated[
        str | None, typer.Argument(help="Which one; without it, all are listed.")
    ] = None,
    turned: Turned = False,
    svg: Svg = None,
    with_: With = None,
) -> None:
    """Show a card, a location, a section, a board, a word or a step of the language.

    \b
    Examples:
      kbrules show card                  the cards there are
      kbrules show option                the disputed rulings, and what holds of each
      kbrules show word adjacent         what a word of the language means
      kbrules show step build            how a step is written
      kbrules show section ID --turned   a section as it lies turned
      kbrules show board first-game      the table of a set-up
      kbrules show board "ID ID turned/ID ID" --svg board.svg
      kbrules show location mill --with mine
    """
    from kbrules.tools.show import Unknown, drawn, kinds_shown, shown

    if kind is None:
        typer.echo("\n".join(kinds_shown()))
        return
    boxes, folders = wanted(with_ or [])
    try:
        ruleset = loaded(boxes, folders)
        if svg is None:
            typer.echo(shown(ruleset, kind, name or "", turned))
        else:
            _write(svg, drawn(ruleset, kind, name or "", turned))
    except Unknown as unknown:
        refuse("KB413", str(unknown), unknown.help)


def _write(path: Path, text: str) -> None:
    from kbrules.engine.log import save

    try:
        save(path, [text])
    except OSError as error:
        refuse("KB008", f"`{path}` cannot be written: {error.strerror}")
