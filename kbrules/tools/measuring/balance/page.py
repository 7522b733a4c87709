"""The report as a page: the answer, the picture, every figure in a table, and how to repeat it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from kbrules.text import visible
from kbrules.tools.measuring.balance.chart import chart
from kbrules.tools.measuring.balance.ranking import CardFigures, CardRanking
from kbrules.tools.measuring.balance.report import Report
from kbrules.tools.measuring.balance.sentences import sentence
from kbrules.tools.measuring.simulate.figures import Figure
from kbrules.tools.publishing.pictures.page import html_page, shipped

__all__ = ["balance_page", "balance_svg"]

_STYLE = """
main svg { max-width: 50rem; }
table { border-collapse: collapse; margin: .5rem 0; }
th, td { padding: .15rem .6rem; text-align: right; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; }
th, td { white-space: nowrap; }
div { overflow-x: auto; }
tr.asked { font-weight: bold; background: var(--soft); }
"""
_HEADS = ("card", "gold", "gap", "chance", "apart", "decides")
_MEANINGS = (
    "Gold is what a player is paid in a game. The gap is by how much the card asked about pays "
    "more, on the same tables; chance: how often luck alone would make one of all these gaps so "
    "wide. Apart: the best paid player of a game less the worst paid. Decides: in how many games "
    "somebody else would have most gold without what the card pays. In brackets the interval in "
    "which the truth lies with 95 %."
)


def balance_svg(report: Report) -> str:
    """The picture, with where it comes from at its foot."""
    return chart(report.standings, report.titles, list(report.provenance()))


def balance_page(report: Report) -> str:
    """A whole page that needs nothing else."""
    title = f"{visible(report.titles[report.asked.card])}: what the card is worth"
    body = [f"<h1>{escape(title)}</h1>"]
    body += [f"<p>{escape(sentence(s, report.titles, report.kind))}</p>" for s in report.standings]
    body.append(f"<main>{chart(report.standings, report.titles)}</main>")
    for found in report.standings:
        body += _table(report, found)
    body.append(f"<p>{escape(_MEANINGS)}</p>")
    body += [f'<p class="note">{escape(line)}</p>' for line in report.provenance()]
    return html_page(title, "\n".join(body), shipped("page.css") + _STYLE)


def _table(report: Report, found: CardRanking) -> Iterator[str]:
    best, worst = found.places
    of = f": place {best} to {worst} of {len(found.others) + 1}" if found.others else ""
    yield f"<h2>{escape(found.bot)}{of}</h2>"
    yield f"<div><table><thead><tr>{_cells('th', _HEADS)}</tr></thead><tbody>"
    for card in sorted((found.asked, *found.others), key=lambda card: -card.gold.value):
        is_asked = card is found.asked
        cells = [visible(report.titles[card.id]), _said(card.gold), *_gap(card, is_asked)]
        cells += [_said(card.spread), _share(card.decided)]
        yield f"<tr{' class=asked' if is_asked else ''}>{_cells('td', cells)}</tr>"
    yield "</tbody></table></div>"


def _cells(tag: str, texts: Sequence[str]) -> str:
    return "".join(f"<{tag}>{escape(text)}</{tag}>" for text in texts)


def _gap(card: CardFigures, is_asked: bool) -> tuple[str, str]:
    if is_asked:
        return "", ""
    return _said(card.gap, "+"), f"{card.chance:.3f}"


def _share(figure: Figure) -> str:
    value, low, high = (f"{100 * end:.0f}" for end in (figure.value, figure.low, figure.high))
    return f"{value} % ({low} to {high})"


def _said(figure: Figure, sign: str = "") -> str:
    return figure.text(1, sign, sure="")
