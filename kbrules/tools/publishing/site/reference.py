"""The pages of the language: every word, operator, step and event, from its declaration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from kbrules.lang.signature import Signature
from kbrules.primitives.vocabulary import EVENTS, vocabulary
from kbrules.tools.editors.highlight import sentence
from kbrules.tools.publishing.site.frame import Page, section, table
from kbrules.tools.publishing.site.markup import Html, element, join
from kbrules.tools.publishing.site.names import EVENTS_PAGE, STEPS, WORDS

__all__ = ["found_words", "pages_of_language", "sentences"]

_TICKS = "`"


def pages_of_language() -> Iterator[Page]:
    """The pages of words, of steps, and of events."""
    known = vocabulary()
    words = join(
        _words("Words", known.words),
        _words("Words over `... for x in ...`", known.folds),
        _operators(),
    )
    yield Page(WORDS, "Words of the language", "reference", "", words)
    steps = (
        section(verb, *(_step(s.pattern, s.page, s.example) for s in found), id=verb)
        for verb, found in sorted(known.steps.items())
    )
    yield Page(STEPS, "Steps of the language", "reference", "", join(*steps))
    about = "What `when ...:` may wait for, and the names that what follows may use."
    events = (
        section(event.name, _names(name for name, _ in event.binds), sentences(event.page),
                id=event.name)
        for event in EVENTS.values()
    )  # fmt: skip
    yield Page(EVENTS_PAGE, "Events", "reference", "", join(sentences(about), *events))


def found_words() -> Iterator[tuple[str, str, str]]:
    """What a search finds in these pages: (title, kind, address)."""
    known = vocabulary()
    for name in sorted({*known.words, *known.folds}):
        yield name, "word", f"{WORDS}#{name}"
    for verb in sorted(known.steps):
        yield verb, "step", f"{STEPS}#{verb}"
    for event in EVENTS:
        yield event, "event", f"{EVENTS_PAGE}#{event}"


def _words(title: str, words: Mapping[str, tuple[Signature, ...]]) -> Html:
    """Words with their meanings; a name stands in the page once, whatever it is given."""
    fold = words is vocabulary().folds
    shown = (
        element(
            "div", element("h3", name),
            *(_step(f"{s}: {s.result}", s.page, s.example) for s in found),
            id=f"fold-{name}" if fold and name in vocabulary().words else name,
        )
        for name, found in sorted(words.items())
    )  # fmt: skip
    return section(title.replace(_TICKS, ""), *shown)


def _operators() -> Html:
    rows = (
        (element("code", s.name), ", ".join(p.sort for p in s.parameters), s.result, s.page)
        for found in vocabulary().operators.values()
        for s in found
    )
    return section("Operators", table(("written", "on", "gives", "meaning"), rows))


def _step(pattern: str, page: str, example: str) -> Html:
    shown = element("code", join(*_coloured(example)))
    return join(
        element("p", element("code", pattern)),
        sentences(page),
        element("pre", shown, class_="kb", tabindex="0") if example else None,
    )


def _coloured(text: str) -> Iterator[Html]:
    """An example, which is a piece of a sentence."""
    for kind, piece in sentence(text):
        yield element("span", piece, class_=kind) if piece.strip() else join(piece)


def _names(names: Iterable[str]) -> Html:
    return element("p", "Names: ", *(join(element("code", name), " ") for name in names))


def sentences(text: str) -> Html:
    """A paragraph in which what stands between backticks is code."""
    parts = text.split(_TICKS)
    return element("p", *(element("code", p) if n % 2 else p for n, p in enumerate(parts)))
