"""Findings of every shape for the reports, among them hostile ones."""

from __future__ import annotations

from kbrules.diagnostics import Diagnostic, Edit, Label
from kbrules.text import Source, Span

TEXT = """\
# a comment \U0001f600
card rowers "Rowers":
    "Says \U0001f600\U0001f600 nothing."
    gold 1 per hex in mne & heeth

define  near   "Near.": adjcent(mine)
"""
HOSTILE = "a b/%41:c,\x1b[31m\n\ud800\ufffe<&>'\"\u202e\x00.kb"


def at(source: Source, word: str) -> Span:
    """The first place of a word."""
    start = source.text.index(word)
    return source.span(start, start + len(word))


def findings(name: str = "dale/rules/rowers.kb", text: str = TEXT) -> list[Diagnostic]:
    """Two findings in one declaration, one in another with a label, one without a text."""
    source = Source(name, text)
    first = at(source, "mne")
    return [
        Diagnostic("KB201", first, "`mne` is not a word I know", "did you mean `mine`?"),
        Diagnostic("KB201", at(source, "heeth"), "`heeth` is not a word I know"),
        Diagnostic("KB202", at(source, "near"), "taken", "", (Label(first, "first here"),)),
        Diagnostic("KB001", Span.none("no such.kb"), "`no such.kb` does not exist"),
    ]


def warning(name: str = "dale/rules/rowers.kb", text: str = TEXT) -> Diagnostic:
    """A warning of which is known how sure it is, and how it is mended."""
    source = Source(name, text)
    end = source.span(len(text), len(text))
    fix = Edit(at(source, "near"), "far"), Edit(end, "# \U0001f600\x1b\n")
    return Diagnostic("KB703", at(source, "near"), "unused", "", (), "sampled 200", fix)


def hostile() -> list[Diagnostic]:
    """Findings whose every text would upset a terminal, an XML reader or a workflow."""
    text = TEXT.replace("Says", f"Says {HOSTILE} ")
    source = Source(HOSTILE, text)
    span = source.span(5, len(text))
    labels = (Label(at(source, "near"), HOSTILE),)
    return [
        Diagnostic("KB201", span, HOSTILE, f"{HOSTILE}\n::error::x", labels),
        *findings(HOSTILE, text),
        warning(HOSTILE, text),
    ]
