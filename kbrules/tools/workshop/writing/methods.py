"""What the page asks of the files: texts, findings, examples, drawings."""

from __future__ import annotations

from pathlib import Path

from kbrules.library.boxes.box import known_boxes
from kbrules.library.reading import real_path
from kbrules.text import Source
from kbrules.tools.editors.token_patterns import CLOSING, OPENING, token_patterns
from kbrules.tools.fmt import formatted_text
from kbrules.tools.workshop.requests import Answer, Methods, Params, Refused, text_of, value_of
from kbrules.tools.workshop.writing.checking import Checking, by_file
from kbrules.tools.workshop.writing.drawing import move_piece, put_sign
from kbrules.tools.workshop.writing.examples import Examples
from kbrules.tools.workshop.writing.language import Language
from kbrules.tools.workshop.writing.offsets import from_browser, place_of
from kbrules.tools.workshop.writing.working_copy import WorkingCopy, kind_of


class Writing:
    """One author's folder, as the editor sees it."""

    def __init__(self, copy: WorkingCopy) -> None:
        self._copy = copy
        self._language = Language(copy)
        self._checking = Checking(copy, self._language.files)
        self._examples = Examples(copy, self._language.files)
        self.methods: Methods = {
            "open": self._open, "changes": self._changes, "text": self._text, "edit": self._edit,
            "save": self._save, "format": self._format, "tokens": self._tokens,
            "examples": self._near, "draw": self._draw, "write": self._write, "hover": self._hover,
            "complete": self._complete, "actions": self._actions, "syntax": self._syntax,
        }  # fmt: skip

    def _open(self, _: Params) -> Answer:
        names = self._copy.names
        rules = [name for name in names if kind_of(name) == "rules"]
        return {
            "title": real_path(self._copy.folder).name,
            "files": [{"path": name, "kind": kind_of(name)} for name in names],
            "start": (rules or names or [""])[0],
            "boxes": known_boxes(),
        }

    def _changes(self, params: Params) -> Answer:
        """The files taken from disk, those changed since the tab read them, and all there are."""
        names = self._copy.reload()
        self._language.changed(names)
        stale = self._copy.stale(text_of(params, "tab"))
        return {"taken": names, "files": stale, "names": self._copy.names}

    def _text(self, params: Params) -> Answer:
        name = text_of(params, "path")
        text = self._copy.read(name, text_of(params, "tab"))
        own = {"changed": self._copy.is_changed(name), "shipped": self._copy.is_shipped(name)}
        return {"text": text, **own}

    def _edit(self, params: Params) -> Answer:
        if "text" in params:
            self._write(params)
        return {"findings": self._checking.findings()}

    def _write(self, params: Params) -> Answer:
        """Try another text, and look for nothing."""
        name = text_of(params, "path")
        self._copy.write(name, text_of(params, "text"), text_of(params, "tab"))
        self._language.changed([name])
        return {}

    def _syntax(self, params: Params) -> Answer:
        """What is wrong with a text by itself: at once, where `edit` looks at all files."""
        self._write(params)
        name = text_of(params, "path")
        return {"findings": by_file(self._copy, self._language.syntax(name))[name]}

    def _complete(self, params: Params) -> Answer:
        return self._language.complete(text_of(params, "path"), value_of(params, "at", int, 0))

    def _actions(self, params: Params) -> Answer:
        found = self._language.actions(text_of(params, "path"), value_of(params, "at", int, 0))
        return {"actions": found}

    def _hover(self, params: Params) -> Answer:
        return self._language.hover(text_of(params, "path"), value_of(params, "at", int, 0))

    def _save(self, params: Params) -> Answer:
        self._copy.save(text_of(params, "path"))
        return {}

    def _format(self, params: Params) -> Answer:
        name = text_of(params, "path")
        if kind_of(name) != "rules":
            raise Refused(f"`{name}` is no rule file", "only those have one style")
        file = formatted_text(Source(name, self._copy.text(name)), Path(name))
        if file.findings:
            raise Refused("what cannot be read has no style yet", "mend what is marked first")
        return {"text": file.after}

    def _near(self, params: Params) -> Answer:
        name = text_of(params, "path")
        at = from_browser(self._copy.text(name), value_of(params, "at", int, 0))
        return self._examples.near(name, at)

    def _draw(self, params: Params) -> Answer:
        name = text_of(params, "path")
        drawing, catalog = self._examples.drawn(name, value_of(params, "example", int, 0))
        hex, origin = text_of(params, "hex"), text_of(params, "origin")
        if origin:
            changes = move_piece(drawing, origin, hex)
        else:
            changes = [put_sign(drawing, hex, text_of(params, "sign"), catalog)]
        source = drawing.spans[0].source
        places = [place_of(source.span(each.start, each.end)) for each in changes]
        return {
            "edits": [
                {"from": start, "to": end, "text": each.text}
                for (start, end), each in zip(places, changes, strict=True)
            ]
        }

    def _tokens(self, _: Params) -> Answer:
        table = token_patterns()
        return {
            "outside": [[each.pattern, *each.kinds] for each in table.outside],
            "inside": [[each.pattern, *each.kinds] for each in table.inside],
            "opening": OPENING,
            "closing": CLOSING,
        }
