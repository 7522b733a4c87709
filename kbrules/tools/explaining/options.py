"""The options of the boxes as text: the question of each, its readings and its default."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import PurePosixPath

from kbrules.diagnostics import did_you_mean, quoted
from kbrules.lang.syntax import tree
from kbrules.library.boxes.box import shipped_boxes
from kbrules.library.discovery import files_in
from kbrules.library.file_cache import FileCache
from kbrules.library.reading import RULES, data_root, place_of
from kbrules.library.ruleset import Ruleset

_LIST = "`kbrules show options` lists all by question"
_MAX_SIMILAR = 3  # options that are named in the place of one there is not
_MIN_LETTERS = 4  # letters of a word that tells one question from another


def value_text(value: bool | int) -> str:
    """A value as it is written in rules and at the command line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def option_heading(option: tree.Option) -> str:
    """The question that an option answers, or else its statement."""
    return option.question or option.wording or option.name.text


def readings(option: tree.Option, default: bool | int) -> list[tuple[str, str]]:
    """The values of an option and what each says, the default one among them."""
    if isinstance(default, bool):
        return [("yes", option.wording), ("no", "not so")]
    return [(value_text(default), option.wording)]


def option_lines(ruleset: Ruleset) -> dict[str, str]:
    """Each option with its default and what it says."""
    return {
        id: f"{value_text(ruleset.options[id])}: {option.wording}"
        for id, option in _options(ruleset).items()
    }


def option_list(ruleset: Ruleset) -> str:
    """All options by question, box by box."""
    lines_by_box: dict[str, list[str]] = {}
    for id, option in _options(ruleset).items():
        lines = _lines(option, ruleset.options[id])
        lines_by_box.setdefault(_box_of(ruleset, option), []).extend(["", *lines])
    return "\n\n".join("\n".join([box, *lines_by_box[box]]) for box in lines_by_box) or "none"


def _lines(option: tree.Option, default: bool | int) -> Iterator[str]:
    yield f"  {option_heading(option)}"
    yield f"    {option.name.text}={value_text(default)} by default"
    yield from (
        f"    {value}: {meaning}" for value, meaning in readings(option, default) if meaning
    )
    if option.source:
        yield f"    source: {option.source}"


def option_page(ruleset: Ruleset, name: str) -> str:
    """One option, with how to choose otherwise and where it stands; KeyError if there is none."""
    option = _options(ruleset)[name]
    value, span = ruleset.options[name], option.span
    default, other = value_text(value), value_text(not value if isinstance(value, bool) else value)
    notes = [option.question, f"source: {option.source}" if option.source else ""]
    return "\n".join([
        f"{name} (option, {default} by default)", option.wording, *filter(None, notes), "",
        place_of(span), f"kbrules play --ruling {name}={other}",
    ])  # fmt: skip


def option_error(ruleset: Ruleset, name: str, value: bool | int | None) -> tuple[str, str] | None:
    """What is wrong with a ruling, and what to do; None if nothing is. value: None for no value."""
    option = _options(ruleset).get(name)
    if option is None:
        return f"there is no option {quoted(name)}", _remedy(ruleset, name)
    is_truth = isinstance(ruleset.options[name], bool)
    if value is not None and isinstance(value, bool) is is_truth:
        return None
    expected = "yes or no" if is_truth else "a number"
    return f"the option {quoted(name)} is {expected}", option_heading(option)


def _remedy(ruleset: Ruleset, name: str) -> str:
    """The box that has the option, or the options that may be meant, by question."""
    for box, option in shipped_options():
        if option.name.text == name:
            return f"it is an option of the box {quoted(box)}: add `--with {box}`"
    options = _options(ruleset)
    suggestion = did_you_mean(name, options)
    first = f"{suggestion}\n" if suggestion else ""
    similar = "".join(
        f"{id}: {option_heading(options[id])}\n" for id in _similar_options(name, options)
    )
    return f"{first}{similar}{_LIST}"


def _similar_options(name: str, options: Mapping[str, tree.Option]) -> list[str]:
    """The options whose names or questions come near, the nearest first."""
    words = {word for word in name.lower().split("_") if len(word) >= _MIN_LETTERS}
    texts = {id: f"{id} {option_heading(option)}".lower() for id, option in options.items()}
    matching = [id for id, text in texts.items() if any(word in text for word in words)]
    return list(dict.fromkeys([*get_close_matches(name, options), *matching]))[:_MAX_SIMILAR]


def shipped_options() -> Iterator[tuple[str, tree.Option]]:
    """Every option of the shipped boxes, with its box."""
    files, root = FileCache(), data_root("rules")
    for box in shipped_boxes():
        for path in files_in(root / box, RULES):
            yield from ((box, option) for option in _options_in(files.rules(path).declarations))


def _options(ruleset: Ruleset) -> dict[str, tree.Option]:
    return {option.name.text: option for option in _options_in(ruleset.declarations)}


def _options_in(declarations: Iterable[tree.Declaration]) -> Iterator[tree.Option]:
    return (each for each in declarations if isinstance(each, tree.Option))


def _box_of(ruleset: Ruleset, option: tree.Option) -> str:
    """The box of an option, or the folder of an author."""
    path = PurePosixPath(option.span.source.name)
    for folder in ruleset.folders:
        if path.is_relative_to(PurePosixPath(folder)):
            return folder
    return path.parent.name
