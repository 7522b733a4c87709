"""Text with places where a line may break, and the one way it is laid out on lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 100  # columns of a line
STEP = 4  # blanks of a level
_FARTHEST = 60  # blanks before a line of which nothing is moved further to the right


@dataclass(frozen=True, slots=True)
class SoftLine:
    """A place where a line may break; if it does not, `text` stands there."""

    text: str


@dataclass(frozen=True, slots=True)
class IfBreak:
    """What stands there only when the soft lines of its group break."""

    text: str


@dataclass(frozen=True, slots=True)
class Indent:
    """Lines that begin within it stand one level further right."""

    body: Doc


@dataclass(frozen=True, slots=True)
class Group:
    """Something whose own soft lines break all together or not at all."""

    body: Doc


Doc = str | SoftLine | IfBreak | Indent | Group | tuple["Doc", ...]


def enclosed(opening: str, body: Doc, closing: str) -> Group:
    """Something in brackets that may stand on lines of its own."""
    return Group((opening, Indent((SoftLine(""), body)), SoftLine(""), closing))


def flat(layout: Doc) -> str:
    """The text on one line, however long."""
    match layout:
        case str():
            return layout
        case SoftLine(text):
            return text
        case IfBreak():
            return ""
        case Indent(body) | Group(body):
            return flat(body)
    return "".join(flat(part) for part in layout)


def render(layout: Doc, indent: int) -> str:
    """The text broken at soft lines to fit `WIDTH` columns, its first line `indent` in.

    From left to right a group stays on its line if it fits there together with what follows it
    up to the next gap. Far to the right nothing breaks any more: an indentation has its limits.
    """
    page = _Printer([_Task(indent, False, layout)], [" " * indent], indent)
    while page.todo:
        page.take(page.todo.pop())
    return "".join(page.parts)


@dataclass(frozen=True, slots=True)
class _Task:
    indent: int
    is_broken: bool
    layout: Doc


@dataclass(slots=True)
class _Printer:
    """What is still to be written, the next one last; what has been; and where that ends."""

    todo: list[_Task]
    parts: list[str]
    column: int

    def take(self, task: _Task) -> None:
        match task.layout:
            case str(text):
                self._write(text)
            case IfBreak(text):
                self._write(text if task.is_broken else "")
            case SoftLine(text):
                self._soft_line(task, text)
            case Indent(body):
                self.todo.append(_Task(task.indent + STEP, task.is_broken, body))
            case Group(body):
                self.todo.append(_Task(task.indent, self._breaks(task.indent, body), body))
            case parts:
                self.todo += [_Task(task.indent, task.is_broken, part) for part in parts[::-1]]

    def _write(self, text: str) -> None:
        self.parts.append(text)
        self.column += len(text)

    def _soft_line(self, task: _Task, text: str) -> None:
        if task.is_broken:
            self.parts.append("\n" + " " * task.indent)
            self.column = task.indent
        else:
            self._write(text)

    def _breaks(self, indent: int, body: Doc) -> bool:
        width_behind = _width_to_soft_line([task.layout for task in self.todo])
        return indent < _FARTHEST and self.column + len(flat(body)) + width_behind > WIDTH


def _width_to_soft_line(layouts: Sequence[Doc]) -> int:
    """How many columns are before the next soft line of some layouts, the next one last."""
    width, todo = 0, list(layouts)
    while todo:
        match todo.pop():
            case str(text) | IfBreak(text):
                width += len(text)
            case SoftLine():
                return width
            case Indent(body) | Group(body):
                todo.append(body)
            case parts:
                todo += parts[::-1]
    return width
