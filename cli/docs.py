"""`kbrules docs`: the boxes, an author's folder and the language as a site."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NoReturn

import typer

from kbrules.hooks import lazily

from .boxes import box_at, boxes_and_folders
from .options import Lang, With
from .output import FULL, PageForm, ReportOptions, end_with, form_option
from .terminal import Progress, exit_unwritten, exit_with, exit_with_findings, printable

with lazily():
    from kbrules.tools.docs import box_pages, content as site_content, site


_COVERAGE_HELP = "`kbrules test --coverage-json FILE` writes one"


def command(
    folder: Annotated[
        Path | None,
        typer.Argument(help="An expansion, whose pages come first.", show_default=False),
    ] = None,
    with_: With = None,
    lang: Lang = "",
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The folder to write; made if need be.")
    ] = Path("site"),
    coverage: Annotated[
        Path | None, typer.Option("--coverage", help="What `kbrules test --coverage-json` wrote.")
    ] = None,
    workshop: Annotated[
        str | None,
        typer.Option(
            "--workshop", help="Where a workshop is: an address, or a path from the site."
        ),
    ] = None,
    output_format: Annotated[PageForm, form_option("docs")] = FULL,
    _jobs: Annotated[int | None, typer.Option("--jobs", "-j", hidden=True)] = None,
) -> None:
    """Write the boxes, your folder and the language as pages that open in any browser.

    Each card, tile, piece and map has a page: its wording, its rule in colour with every word
    leading to what it means, its examples on boards, its options and scenarios. So has each word
    and step of the language and each message. Nothing is loaded from anywhere, and the pages work
    without a server. Without a folder or --with, every box is shown. With --workshop the pages of
    declarations lead to their place in a workshop; else they say how to open one.

    The output is written whole or not at all. A folder that holds something else is refused; one
    that this command wrote is written anew. Ends with 2 if it could not be done.

    \b
    Examples:
      kbrules docs                        all boxes, in the folder site
      kbrules docs mine --output pages    the expansion in mine with the boxes it needs
      kbrules docs mine --with nomads     and one box more
      kbrules docs --coverage cover.json  and what scenarios reach of each rule
      kbrules docs mine --workshop ../workshop/    with links to `kbrules workshop mine --static`
    """
    if folder is not None and not folder.is_dir():
        exit_with("KB001", f"there is no folder `{folder}`", "give the folder of an expansion")
    if reason := site.refusal_reason(output):
        _refuse_output(output, reason)
    coverage_ = _read_coverage(coverage) if coverage is not None else None
    boxes, folders = boxes_and_folders(with_ or [])
    author_folders = [box_at(folder), *folders] if folder is not None else folders
    page = _parse_workshop(workshop)
    with Progress("making pages") as progress:
        content = site_content.collect_content(boxes, author_folders, lang, progress.show)
        if content.findings:
            exit_with_findings(content.findings)
        files = site.site_files(content, author_folders, coverage_, page, progress.show)
    _write(files, output, output_format)


def _read_coverage(file: Path) -> site_content.SiteCoverage:
    try:
        return site_content.read_coverage(file)
    except OSError as error:
        exit_with("KB040", f"`{file}` cannot be read: {error.strerror}", _COVERAGE_HELP)
    except ValueError as error:
        exit_with("KB040", f"`{file}` is no coverage: {error}", _COVERAGE_HELP)


def _parse_workshop(address: str | None) -> box_pages.Workshop:
    if address is not None and not box_pages.is_address(address):
        help = "give one of http or https, or a path such as `../workshop/`, without `#`"
        exit_with("KB041", f"`{printable(address)}` is no address of a page", help)
    return box_pages.Workshop(address or "")


def _write(files: dict[str, str], output: Path, form: PageForm) -> NoReturn:
    try:
        with Progress("writing pages") as progress:
            site.publish(files, output, progress.show)
    except site.ForeignFolder as error:
        _refuse_output(output, str(error))
    except OSError as error:
        exit_unwritten(f"`{output}`", error)
    end_with(site.site_report(files, output), ReportOptions(form))


def _refuse_output(output: Path, reason: str) -> NoReturn:
    help = "choose a new folder with --output, or one that this command wrote"
    exit_with("KB008", f"`{output}` cannot be written: {reason}", help)
