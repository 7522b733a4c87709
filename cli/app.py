"""The program `kbrules`: its commands, its first page, and what happens when we fail."""

from __future__ import annotations

import functools
import gc
import os
import re
import sys
import traceback
from collections.abc import Callable, Collection
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Annotated, NoReturn, ParamSpec, TextIO

import typer

import kbrules
from kbrules.hooks import lazily

with lazily():
    from kbrules import diagnostics, text as source_text
    from kbrules.tools import new as beginnings

    from . import new, terminal

INTERRUPTED = 130
_WRITERS = {"check", "fmt", "docs", "cards", "new", "lock", "texts"}
_FILES_KEPT, _NOTHING_KEPT = "each file is as it was, or written in whole", "nothing is kept"
FAILED = 2
_LEAST_MEMORY = 100_000_000  # bytes; with fewer, libraries in machine code abort the process
_ALLOCATIONS_BETWEEN_COLLECTIONS = 100_000  # loading leaves hardly any garbage
PAGE = """\
kbrules plays Kingdom Builder by rules that you can read, change and test.

See it work:
  kbrules play --bots greedy         bots play a game; the log and the scores are shown
  kbrules play                       you play against a bot
  kbrules show card                  the cards; with a name, its text and pictures

Make something of your own:
  kbrules new expansion dale         a small expansion that works, to be changed
  kbrules check dale                 everything that is wrong with it, all at once
  kbrules fmt dale                   its rule files in their one style
  kbrules test dale                  its scenarios and examples, played
  kbrules why game.kblog not f7      why a move is legal or not, or `red`: why these points
  kbrules balance dale               what its card pays, beside the official ones
  kbrules cards --with dale          its cards, to be printed and cut
  kbrules explain KB201              what a code means, with an example
  kbrules docs dale                  its cards, maps and examples as a site

Each command explains itself: kbrules check --help"""

P = ParamSpec("P")
_COMMANDS = {
    "play": ("play", "command", "Play a game against bots or people."),
    "replay": ("replay", "command", "Play a log again and compare."),
    "check": ("check", "command", "Find what is wrong with rules, boxes and scenarios."),
    "diff": ("diff", "command", "Compare what two versions of rules do."),
    "fmt": ("fmt", "command", "Write rule files in their one style."),
    "test": ("test", "command", "Run scenarios and the examples in rules."),
    "why": ("why", "command", "Say why a move is legal or not, or what a card pays."),
    "simulate": ("simulate", "command", "Play many games for one question."),
    "ladder": ("ladder", "command", "Rate bots that play each other."),
    "convert": ("convert", "command", "Write files of games as Parquet, or read them back."),
    "perft": ("perft", "command", "Count the sequences of moves from a position."),
    "conform": ("conform", "command", "Run cases of conformance by both engines."),
    "explain": ("explain", "command", "Say what a code means."),
    "docs": ("docs", "command", "Write boxes, your folder and the language as a site."),
    "balance": ("balance", "command", "Say where a card stands among the others, and how surely."),
    "show": ("show", "command", "Show a card, a map, a word of the language."),
    "cards": ("cards", "command", "Print your own cards."),
    "texts": ("boxes", "texts", "Tell how far texts in other languages are."),
    "lock": ("boxes", "lock", "Write down versions and digests of the boxes."),
    "boxes": ("boxes", "boxes", "List the boxes there are, and where they come from."),
    "workshop": ("workshop", "command", "Write rules on a page, and play them as they are."),
    "lsp": ("lsp", "command", "Serve an editor: findings as you type, completion and more."),
    "cache": ("boxes", "cache", "Show or clear what is kept to save time."),
}
"""Of each command: the module and the function that carry it out, and what it is for."""
_NEW = "new"


def first_page(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
) -> None:
    """Play Kingdom Builder by rules that you can read, change and test.

    \b
    Examples:
      kbrules                    a first page with things to try
      kbrules play               a game against a bot
      kbrules check dale         what is wrong with the expansion in the folder dale
      kbrules check --help       all that a command can do
    """
    if version:
        typer.echo(f"kbrules {kbrules.__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(_page_here(Path.cwd()))


def _page_here(folder: Path) -> str:
    """The first page, which begins with what there is to do in a folder."""
    steps = [f"  kbrules {step.command:<26} {step.why}" for step in beginnings.next_steps(folder)]
    if not steps:
        steps = [
            "  kbrules new expansion dale         nothing of yours lies here yet: begin with this"
        ]
    name = next((beginnings.typed_name(box) for box in beginnings.expansions_in(folder)), "dale")
    first, rest = PAGE.split("\n\n", 1)
    rest = re.sub(r"(?<!expansion )\bdale *", lambda found: _padded(name, len(found[0])), rest)
    return "\n\n".join([first, "In this folder:\n" + "\n".join(steps), rest])


def _padded(name: str, width: int) -> str:
    """A name in the place of another of a table, so that the columns stay."""
    return name.ljust(max(width, len(name) + 1))


def guarded(command: Callable[P, None], kept: str = _NOTHING_KEPT) -> Callable[P, None]:
    """The command, which ends with a word to the user whatever happens in it."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            _refuse_little_memory()
            command(*args, **kwargs)
        except KeyboardInterrupt:
            if not kwargs.get("watch"):  # which says itself that Ctrl-C ends it
                typer.echo(f"\ninterrupted: {kept}", err=True)
            raise typer.Exit(INTERRUPTED) from None
        except (typer.Exit, typer.Abort, typer.BadParameter, BrokenPipeError):
            raise
        except Exception as fault:
            raise typer.Exit(report_exception(fault)) from fault

    return run


def _refuse_little_memory() -> None:
    """Raise MemoryError if a limit of the process is so low that no command could work."""
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit != resource.RLIM_INFINITY and limit < _LEAST_MEMORY:
        raise MemoryError


def report_exception(fault: Exception) -> int:
    """Say what went wrong: something in the files, a reason with a code, or a fault of ours."""
    if os.environ.get("KBRULES_DEBUG") == "1":
        traceback.print_exception(fault)
    if isinstance(fault, diagnostics.RulesError):
        with suppress(OSError):
            terminal.print_findings(fault.diagnostics)
        return 1
    coded = fault.diagnostic if isinstance(fault, diagnostics.CodedError) else _system_reason(fault)
    with suppress(OSError):  # standard error may be what cannot be written
        terminal.print_findings([coded or _internal_error(fault)])
    return FAILED


def _system_reason(fault: Exception) -> diagnostics.Diagnostic | None:
    """Return what the system keeps from us as a finding; None if it is nothing of the system."""
    place = source_text.Span.none("command line")
    if isinstance(fault, MemoryError):
        help = "ask for less at once, close other programs, or raise the limit (`ulimit -v`)"
        return diagnostics.Diagnostic("KB061", place, "there is not enough memory", help)
    if not isinstance(fault, OSError) or not fault.errno:
        return None
    is_named = isinstance(fault.filename, str | Path)
    if isinstance(fault, FileNotFoundError) and not is_named:  # as `os.getcwd` says it
        help = "go to a folder that is there"
        return diagnostics.Diagnostic("KB062", place, "the current folder was deleted", help)
    what = f"`{terminal.printable(fault.filename)}`" if is_named else "a file or a standard stream"
    if isinstance(fault, PermissionError) and is_named:
        help = "make it and the folders above it yours to open, or go to a folder that is"
        return diagnostics.Diagnostic(
            "KB001", place, f"{what} cannot be reached: permission denied", help
        )
    message = f"{what} cannot be used: {fault.strerror or fault}"
    return diagnostics.Diagnostic("KB062", place, message, terminal.remedy(fault))


def _internal_error(fault: Exception) -> diagnostics.Diagnostic:
    frames = traceback.extract_tb(fault.__traceback__)
    place = f" in {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    message = f"kbrules stopped with {type(fault).__name__}{place}: {fault}"
    help = "this is our fault; please report it with what you did\nKBRULES_DEBUG=1 shows more"
    return diagnostics.Diagnostic("KB901", source_text.Span.none("kbrules"), message, help)


def program(wanted: Collection[str]) -> typer.Typer:
    """The program with some of its commands; to load them all takes longer than to run one."""
    made = typer.Typer(
        name="kbrules",
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    made.callback(invoke_without_command=True)(first_page)
    for name, (module, function, about) in _COMMANDS.items():
        if name in wanted:
            command = getattr(import_module(f".{module}", __package__), function)
            kept = _FILES_KEPT if name in _WRITERS else _NOTHING_KEPT
            made.command(name, short_help=about)(guarded(command, kept))
    if _NEW in wanted:
        group = typer.Typer(cls=new.NewGroup, rich_markup_mode=None)
        group.callback()(new.group)
        group.command("expansion")(guarded(new.expansion, _FILES_KEPT))
        group.command("section")(guarded(new.section, _FILES_KEPT))
        made.add_typer(group, name=_NEW)
    return made


def __getattr__(name: str) -> typer.Typer:
    """`app`, the program with all its commands, for whoever is not in a hurry."""
    if name != "app":
        raise AttributeError(name)
    found = globals()["app"] = program([*_COMMANDS, _NEW])
    return found


def main() -> NoReturn:
    """Run the program on `sys.argv` and end the process."""
    if sys.argv[1:2] == ["check"] and "--watch" not in sys.argv:
        gc.disable()  # it is over soon and leaves hardly any garbage
    gc.set_threshold(_ALLOCATIONS_BETWEEN_COLLECTIONS)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # strangers' code, and slow
    try:
        # A command that is named first is all there is to load; any other word may be a slip.
        named = [name for name in sys.argv[1:2] if name in (*_COMMANDS, _NEW)]
        program(named or [*_COMMANDS, _NEW])(prog_name="kbrules")
        status: str | int | None = 0
    except SystemExit as end:
        status = end.code
    except KeyboardInterrupt:
        status = INTERRUPTED
    except Exception as fault:
        status = report_exception(fault)
    finally:
        gc.freeze()  # the process ends: what is left in it need not be looked through once more
    sys.exit(_flush_output() or status)


def _flush_output() -> int:
    """Write what is left for the standard streams; return the exit code if output cannot be."""
    failed = 0
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        failed = 1  # as typer ends when a reader has gone
    except OSError as fault:
        failed = report_exception(fault)
    if failed:
        _drop(sys.stdout)
    try:
        sys.stderr.flush()
    except OSError:
        _drop(sys.stderr)
    return failed


def _drop(stream: TextIO) -> None:
    """Lead a stream nowhere: Python would try again at the end, and complain in its own words."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
