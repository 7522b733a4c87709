"""`kbrules show`: what is in the boxes, and what the language has words for."""

from __future__ import annotations

from typing import Annotated

import typer

from .boxes import loaded, wanted
from .findings import refuse

__all__ = ["command"]


def command(
    kind: Annotated[
        str | None,
        typer.Argument(help="card, location, section, board, option, word, step or another kind."),
    ] = None,
    name: Annotated[
        str | None, typer.Argument(help="Which one; without it, all are listed.")
    ] = None,
    turned: Annotated[bool, typer.Option("--turned", help="A section turned by half.")] = False,
    with_: Annotated[
        list[str] | None,
        typer.Option("--with", help="A box, `all`, or the folder of an expansion; again or a,b."),
    ] = None,
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
      kbrules show board "ID ID turned/ID ID"
      kbrules show location mill --with mine
    """
    from kbrules.tools.show import Unknown, kinds_shown, shown

    if kind is None:
        typer.echo("\n".join(kinds_shown()))
        return
    boxes, folders = wanted(with_ or [])
    try:
        typer.echo(shown(loaded(boxes, folders), kind, name or "", turned))
    except Unknown as unknown:
        refuse("KB413", str(unknown), unknown.help)
