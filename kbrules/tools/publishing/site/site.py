"""The whole site as texts by their paths: the same for the same boxes, wherever it is made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path

from kbrules.progress import OnProgress, silent, with_progress
from kbrules.tools.publishing.site.boxes import box_page, boxes_page, rulings_page
from kbrules.tools.publishing.site.components import component_pages
from kbrules.tools.publishing.site.content import KINDS, SiteContent
from kbrules.tools.publishing.site.coverage import SiteCoverage
from kbrules.tools.publishing.site.declarations import declaration_page
from kbrules.tools.publishing.site.evidence import collect_evidence
from kbrules.tools.publishing.site.guide import guide_pages
from kbrules.tools.publishing.site.landing import landing_page, landing_picture
from kbrules.tools.publishing.site.language import language_pages
from kbrules.tools.publishing.site.links import links_of
from kbrules.tools.publishing.site.messages import message_pages
from kbrules.tools.publishing.site.navigation import Navigation
from kbrules.tools.publishing.site.page import Page
from kbrules.tools.publishing.site.python_pages import python_pages
from kbrules.tools.publishing.site.search_index import search_index
from kbrules.tools.publishing.site.workshop import Workshop
from kbrules.tools.reports.templates import source

PACKAGE = "kbrules.tools.publishing.site"
_ASSETS = ("site.js", "search.js", "vendor/minisearch.js", "vendor/minisearch.LICENSE.txt")


def site_files(
    content: SiteContent,
    folders: Sequence[Path],
    coverage: SiteCoverage | None = None,
    workshop: Workshop | None = None,
    on_progress: OnProgress = silent,
) -> dict[str, str]:
    """The files of the site of some boxes, by their paths.

    on_progress: told how many declarations are described, and pages written.
    """
    given = coverage or SiteCoverage(), workshop or Workshop()
    pages = [*site_pages(content, folders, *given, on_progress), *message_pages()]
    navigation = Navigation(pages)
    described = with_progress(pages, "pages", on_progress)
    made = {page.path: navigation.html(page) for page in described}
    made["index.js"] = search_index(pages)
    made["site.css"] = source("page.css") + source("site/site.css")
    made |= landing_picture()
    for name in _ASSETS:
        made[name] = files(PACKAGE).joinpath(name).read_text(encoding="utf-8")
    return made


def site_pages(
    content: SiteContent,
    folders: Sequence[Path],
    coverage: SiteCoverage,
    workshop: Workshop,
    on_progress: OnProgress = silent,
) -> Iterator[Page]:
    """Every page but those of messages, the first one first."""
    done, wanted = 0, sum(len(box.entries) for box in content.boxes)
    on_progress(done, wanted, "declarations")
    evidence = collect_evidence(folders, coverage)
    links = {box.id: links_of(content.boxes, box) for box in content.boxes}
    yield landing_page(content.boxes, links)
    yield boxes_page(content.boxes)
    yield rulings_page(content.boxes, links)
    boxes = {box.id: box for box in content.boxes}
    for box in content.boxes:
        yield box_page(box, coverage, boxes)
        yield from component_pages(box, links[box.id])
        for entry in sorted(box.entries, key=lambda entry: [*KINDS].index(entry.kind)):
            yield declaration_page(entry, box, links[box.id], evidence, workshop)
            on_progress(done := done + 1, wanted, "declarations")
    yield from language_pages()
    yield from python_pages()
    yield from guide_pages(content.boxes[0].ruleset.catalog)
