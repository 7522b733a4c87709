"""`kbrules boxes`, `lock`, `texts` and `cache`; and what `--with` means."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kbrules.hooks import lazily

from . import terminal
from .options import With
from .output import FULL, PageForm, ReportOptions, end_with, form_option, show, write

with lazily():
    from kbrules import diagnostics, text as source_text
    from kbrules.kernel.native import cached_files
    from kbrules.library import (
        box as library_boxes,
        discovery,
        locks,
        reading,
        store,
    )
    from kbrules.project import findings as project_findings, project as projects
    from kbrules.tools import lock as locking, show as showing, texts as translations

if TYPE_CHECKING:
    from kbrules.engine.logs.replay import Log
    from kbrules.library.ruleset import Ruleset


# `kbrules boxes`, and what `--with` means.
#
# That is names of boxes, shipped or installed, `all` the usual shipped ones, or folders of
# authors.

ALL = "all"
MOST_NAMED = 5  # boxes of a folder that has several
# To read whole manifests only to find where to begin would take longer than all the rest.
_NEEDS = re.compile(r"^needs: *\[ *[\"'\w]", re.MULTILINE)

NamedBoxes = tuple[list[str], list[Path]]  # boxes by name, folders


def boxes(output_format: Annotated[PageForm, form_option("boxes")] = FULL) -> None:
    """List the boxes that can be loaded by name: those that come with kbrules and installed ones.

    A package has a box if it names it in the group `kbrules.expansions` of its entry points.
    Ends with 1 if the box of a package cannot be used.

    \b
    Examples:
      kbrules boxes                         all boxes, and where they come from
      kbrules boxes --output-format json    the same for programs
    """
    report, problems = showing.boxes_report()
    show(report, ReportOptions(output_format))
    terminal.print_findings(problems)
    raise typer.Exit(report.exit_code)


def boxes_and_folders(words: Sequence[str]) -> NamedBoxes:
    """The boxes and folders that the values of `--with` name; ends the command if one is neither.

    A name may be a list with commas. A folder of the name of an installed box is what is meant.
    """
    shipped = library_boxes.shipped_boxes()
    names: list[str] = []
    folders: list[Path] = []
    for word in filter(None, (part.strip() for each in words for part in each.split(","))):
        if word == ALL:
            names += library_boxes.usual_boxes()
        elif word in shipped:
            names.append(word)
        elif Path(word).is_dir():
            folders.append(box_at(Path(word)))
        else:
            names.append(_installed(word, shipped))
    return sorted(set(names)), folders


def box_at(folder: Path) -> Path:
    """The folder of the box that a folder is, or of the only one below it; ends the command if
    there are several."""
    found = discovery.boxes_at(folder)
    if len(found) > 1:
        message = f"{diagnostics.quoted(str(folder))} contains several boxes"
        known = ", ".join(diagnostics.quoted(str(each)) for each in found[:MOST_NAMED])
        terminal.exit_with("KB009", message, f"name one of them: {known}")
    return found[0] if found else folder


def _installed(word: str, shipped: Sequence[str]) -> str:
    """Return the name of an installed box; end the command if there is none that can be used."""
    boxes = library_boxes.installed_boxes()
    box = boxes.get(word)
    if box is None:
        found = (id for id, each in boxes.items() if each.folder and id not in shipped)
        known = [*shipped, *found]
        near = diagnostics.did_you_mean(word, [ALL, *known])
        listed = ", ".join(map(diagnostics.quoted, known))
        help = f"{near} the boxes are {listed}; anything else must be a folder".lstrip()
        message = f"{diagnostics.quoted(word)} is neither a box nor a folder"
        terminal.exit_with("KB009", message, help)
    if box.problem is not None:
        terminal.exit_with_findings([box.problem])
    return word


def with_folder_here(folders: list[Path]) -> list[Path]:
    """Folders with the author's folder that we are in, if there is one that is not among them."""
    here = terminal.folder_here()
    known = {reading.real_path(folder) for folder in folders}
    return folders if here is None or reading.real_path(here) in known else [here, *folders]


def with_roots(names: Iterable[str], folders: Iterable[Path] = ()) -> list[str]:
    """Boxes with those that need no other, unless a folder is a game of its own.

    What the boxes need in turn is found when loading.
    """
    found = (library_boxes.read_box(folder / reading.MANIFEST)[0] for folder in folders)
    if any(box and not box.model.needs and box.model.table is not None for box in found):
        return sorted(names)
    manifests = {name: library_boxes.shipped_box(name) for name in library_boxes.shipped_boxes()}
    roots = [
        name
        for name, path in manifests.items()
        if not _NEEDS.search(path.read_text(encoding="utf-8"))
    ]
    return sorted({*names, *roots})


def load_or_exit(names: Sequence[str], folders: Sequence[Path], language: str = "") -> Ruleset:
    """The rule set of boxes and folders; ends the command with every finding if it is not good.

    language: that of titles and wordings; empty for that of the boxes themselves.
    """
    with terminal.Progress("reading") as progress:
        files = store.Files(language, progress.show)
        project = projects.Project((), names, folders, files=files)
        loaded = project.loaded(project.further)
    if loaded.ruleset is None or loaded.findings:
        terminal.exit_with_findings(loaded.findings)
    return loaded.ruleset


class BoxWords(list[str]):
    """The values of `--with`, and of `--lang` beside it: the language of titles and wordings."""

    def __init__(self, words: Iterable[str] | None, language: str = "") -> None:
        super().__init__(words or ())
        self.language = language


def _language(words: Sequence[str]) -> str:
    return words.language if isinstance(words, BoxWords) else ""


def load_named(words: Sequence[str]) -> Ruleset:
    """The rule set of what `--with` names, with the boxes that need no other."""
    names, folders = boxes_and_folders(words)
    return load_or_exit(with_roots(names, folders), folders, _language(words))


def load_for_log(log: Log, words: Sequence[str]) -> Ruleset:
    """The boxes that `--with` names, or else those of a log, with the folders of `--with`."""
    names, folders = boxes_and_folders(words)
    boxes = names or library_boxes.boxes_by_name(log.header.data["boxes"], folders)
    return load_or_exit(boxes, folders, _language(words))


def load_words(words: Sequence[str]) -> Ruleset:
    """The rule set of what `--with` names, and no more than that needs."""
    return load_or_exit(*boxes_and_folders(words), _language(words))


# `kbrules lock`: write down which boxes there are, in which versions and with which texts.

LockFile = Annotated[
    Path | None,
    typer.Option("--into", metavar="FILE", help="The file; kbrules.lock in the folder of yours."),
]


LockForm = Annotated[PageForm, form_option("lock")]


def lock(with_: With = None, into: LockFile = None, output_format: LockForm = FULL) -> None:
    """Write kbrules.lock: the boxes, their versions, and digests of their rules and data.

    The boxes are that of the folder you are in, or those below it, and those that `--with` names,
    with all they need. If `--with` names a folder, those below are not added. The file is the same
    on every machine; keep it next to your games. `kbrules check --locked` reports whether, and in
    what, the boxes differ from it. Exit status: 2 if nothing could be written.

    \b
    Examples:
      kbrules lock                        the expansion or project you are in, with what it needs
      kbrules lock --with all             every default box, too
      kbrules check --locked              are the boxes still those?
    """
    names, folders = boxes_and_folders(with_ or [])
    here = terminal.folder_here()
    homes = [here] if here is not None else [] if folders else locking.boxes_below(Path())
    with terminal.Progress("reading") as progress:
        files = store.Files(on_progress=progress.show)
        project = projects.Project(homes, names, folders, files=files)
        contents, findings = locking.contents_of_project(project, homes)
    if findings:
        terminal.exit_with_findings(findings)
    file = into or (here or Path()) / locks.LOCK
    write(file, locks.lock_text(contents))
    end_with(locking.lock_report(contents, file), ReportOptions(output_format))


# `kbrules texts`: how far the texts of boxes in other languages are, and their stamps.

Stamp = Annotated[
    bool, typer.Option("--stamp", help="Note that the texts fit what the boxes say now.")
]


TextsForm = Annotated[PageForm, form_option("texts")]


def texts(with_: With = None, stamp: Stamp = False, output_format: TextsForm = FULL) -> None:
    """Tell which titles and wordings are translated, and which not, or not any more.

    The texts of a box lie in its folder `texts`, such as `texts/de.yaml`. A stamp notes for each
    text what it translates; if the box says something else since, `kbrules check` warns. Looked
    at are the boxes that `--with` names, and the expansion you are in. Ends with 1 if a text is
    missing or has changed.

    \b
    Examples:
      kbrules texts                  those of the expansion you are in
      kbrules texts --with all       those of the boxes that come with kbrules
      kbrules texts --stamp          all texts are as they should be: note that
    """
    names, folders = boxes_and_folders(with_ or [])
    with terminal.Progress("comparing texts") as progress:
        files = store.Files(on_progress=progress.show)
        project = projects.Project((), names, with_folder_here(folders), files=files)
        loaded = project.loaded(project.further)
        found = [*loaded.findings, *project_findings.text_errors(files, loaded, lambda _: True)]
        states = [] if found else list(translations.texts_states(files, loaded))
    if found:
        terminal.exit_with_findings(found)
    if not states:
        terminal.exit_with(
            "KB007", "there are no texts", "write `texts/de.yaml` beside `expansion.yaml`"
        )
    report = translations.texts_report(states, [_stamp(each) for each in states] if stamp else ())
    end_with(report, ReportOptions(output_format))


def _stamp(state: translations.TextsState) -> bool:
    """Stamp a file; return whether that changed it."""
    try:
        return translations.stamp_texts(state)
    except OSError as error:
        terminal.exit_unwritten(f"`{state.path}`", error)
    except ValueError:
        message = f"no stamps can be written into `{terminal.printable(state.path)}`"
        help = "write its keys one below the other, at the left edge"
        terminal.exit_with("KB008", message, help)


# `kbrules cache`: what is kept on disk to save time, and how to be rid of it.

MEGABYTE = 1_000_000


def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Remove all of it.")] = False,
) -> None:
    """Show what is kept on disk: kernels compiled to machine code. Nothing is lost without it.

    \b
    Examples:
      kbrules cache              where it lies, and how much it is
      kbrules cache --clear      remove it; what is needed is made anew
    """
    root = terminal.printable(cached_files.cache_root())
    try:
        if clear:
            typer.echo(
                f"removed: {source_text.counted(cached_files.clear_cache(), 'kernel')} from {root}"
            )
            return
        kept = cached_files.cached_kernels()
    except OSError as error:
        help = "remove the folder by hand, or set XDG_CACHE_HOME to another one"
        terminal.exit_with("KB008", f"the cache in `{root}` cannot be used: {error.strerror}", help)
    size = sum(size for _, size in kept) / MEGABYTE
    typer.echo(f"{root}: {source_text.counted(len(kept), 'kernel')}, {size:.1f} MB")
