"""`kbrules cards`: an author's cards at the size of playing cards, to be printed and cut."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from kbrules.hooks import lazily

from . import completion, terminal
from .boxes import boxes_and_folders, load_or_exit
from .options import Lang, With
from .output import FULL, STDOUT, PageForm, ReportOptions, end_with, form_option, write
from .show import check_kinds

with lazily():
    from kbrules import hooks
    from kbrules.library import reading
    from kbrules.tools.pictures import cards as card_pictures, drawings


_DOTS_PER_INCH = 300


class Paper(StrEnum):
    """The papers that are known."""

    a4 = "a4"
    letter = "letter"


Names = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="NAME",
        help="Cards, tasks and tiles by name; by default all of your own.",
        show_default=False,
        autocompletion=completion.cards,
    ),
]
Svg = Annotated[Path | None, typer.Option("--svg", help="A folder: a picture of each card.")]
Png = Annotated[
    Path | None,
    typer.Option("--png", help="The same in dots, 300 to an inch; needs kbrules[pictures]."),
]
Examples = Annotated[
    list[str] | None,
    typer.Option("--example", help="Which example a card shows: card=title or number; again."),
]
Pdf = Annotated[
    Path | None,
    typer.Option("--pdf", help="Write sheets of nine cards there; needs kbrules[pictures]."),
]


def command(
    names: Names = None,
    svg: Svg = None,
    pdf: Pdf = None,
    png: Png = None,
    example: Examples = None,
    output_format: Annotated[PageForm, form_option("cards")] = FULL,
    paper: Annotated[Paper, typer.Option("--paper", help="What the sheets are.")] = Paper.a4,
    with_: With = None,
    lang: Lang = "",
) -> None:
    """Print your own cards: 63 by 88 mm, with wording, the picture of the first example, and box.

    Cards are those of the expansion whose folder you are in, or of what `--with` names. Print the
    sheets at their true size (100 %, not `fit to page`) and cut along the marks. Ends with 0 if
    all is well, 1 if a wording had to be set very small, 2 if nothing could be made. The sheets
    are set in the one plain font of the machine: signs that it lacks, such as emoji, become empty
    boxes there; in the pictures of --svg a browser finds them.

    \b
    Examples:
      kbrules cards                           which cards there are
      kbrules cards --pdf cards.pdf           the cards of the expansion you are in, on A4
      kbrules cards --with mine --pdf cards.pdf --paper letter
      kbrules cards mill rowers --with mine --svg cards
      kbrules cards --png cards --example rowers=2
    """
    for kind, folder in (("svg", svg), ("png", png)):
        if folder is not None and (folder == STDOUT or folder.suffix in (".svg", ".pdf", ".png")):
            help = f"name a folder: `--{kind} cards`"
            terminal.exit_with("KB009", f"--{kind} writes a file for each card", help)
    check_kinds(pdf=pdf)
    boxes, folders = boxes_and_folders(with_ or [])
    here = [] if boxes else filter(None, [terminal.folder_here()])
    faces = _faces(names or [], boxes, folders or list(here), example or [], lang)
    if not faces:
        help = "go to the folder of your expansion, or name it: `--with FOLDER`"
        terminal.exit_with("KB007", "there are no cards of your own here", help)
    with terminal.Progress("drawing cards") as progress:
        files = _write_each(svg, faces, "svg", card_pictures.card_svg, progress)
        files += _write_each(png, faces, "png", _card_png, progress)
        if pdf is not None:
            pages = hooks.with_progress(
                list(card_pictures.sheets(faces, paper)), "sheets", progress.show
            )
            write(pdf, drawings.pdf_of(pages))
            files.append(pdf)
    if files and output_format == FULL:
        _show_count(faces)
    end_with(card_pictures.cards_report(faces, files), ReportOptions(output_format))


def _faces(
    names: list[str], boxes: list[str], folders: list[Path], examples: list[str], language: str
) -> list[card_pictures.CardFace]:
    if not names and not boxes and not folders:
        return []
    ruleset = load_or_exit(boxes, folders, language)
    chosen = dict(map(_example, examples))
    try:
        if names:
            return card_pictures.faces_named(ruleset, names, chosen, language)
        return card_pictures.faces_in(ruleset, [] if folders else boxes, folders, chosen, language)
    except card_pictures.NoSuchCard as missing:
        missing.help = _folder_hint(names) or missing.help
        raise


def _folder_hint(names: Sequence[str]) -> str:
    """How the folder of a box is named that was given as a card; empty if none was."""
    folder = next((name for name in names if (Path(name) / reading.MANIFEST).is_file()), None)
    return (
        f"a folder is named by `--with`: `kbrules cards --with {terminal.printable(folder)}`"
        if folder
        else ""
    )


def _example(text: str) -> tuple[str, str]:
    """What `--example card=title` asks for; ends the command if it is nothing of the kind."""
    card, sign, which = (part.strip() for part in text.partition("="))
    if not card or not sign or not which:
        terminal.exit_with("KB009", f"`{text}` is not card=title or number", "`--example rowers=2`")
    return card, which


def _write_each(
    folder: Path | None,
    faces: Sequence[card_pictures.CardFace],
    kind: str,
    draw: Callable[[card_pictures.CardFace], str | bytes],
    progress: terminal.Progress,
) -> list[Path]:
    """Write a picture of each card into a folder, if one is named; the files."""
    if folder is None:
        return []
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        terminal.exit_unwritten(f"`{folder}`", error)
    files = [folder / f"{face.id}.{kind}" for face in faces]
    for file, face in zip(files, hooks.with_progress(faces, "cards", progress.show), strict=True):
        write(file, draw(face))
    return files


def _card_png(face: card_pictures.CardFace) -> bytes:
    return drawings.png_of(
        card_pictures.card_svg(face), round(card_pictures.WIDTH / 25.4 * _DOTS_PER_INCH)
    )


def _show_count(faces: Sequence[card_pictures.CardFace]) -> NoReturn:
    """How many cards were made, and whose wording can hardly be read."""
    noun = "card" if len(faces) == 1 else "cards"
    typer.echo(f"{len(faces)} {noun}", err=True)
    findings = card_pictures.small_wordings(faces)
    terminal.print_findings(findings)
    raise typer.Exit(terminal.DIFFERS if findings else 0)
