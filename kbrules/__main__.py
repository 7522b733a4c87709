"""The command `kbrules`, also `python -m kbrules`: finds the command line and starts it."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import cast

from kbrules import __version__


def main() -> None:
    """Run the command line on `sys.argv`; ends the process with its exit code."""
    _open_closed_streams()
    # What is loaded stays to the end: looking for garbage in it so often finds none.
    gc.set_threshold(50_000)
    if not _print_version():
        _command_line()()


def _open_closed_streams() -> None:
    """Give a process that was started without some standard streams empty ones.

    Else the next file that is opened would take the number of the stream, and what is meant for
    the terminal would be written into it.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # the lowest free number is the one that is missing
            stream = open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)


def _print_version() -> bool:
    """Print the version if only that is asked for, without waiting for the whole command line.

    False also if it cannot be printed: the command line says why.
    """
    if sys.argv[1:] != ["--version"]:
        return False
    try:
        print(f"kbrules {__version__}", flush=True)
    except OSError:
        return False
    return True


def _command_line() -> Callable[[], None]:
    # A wheel carries the command line inside the package, a checkout beside it. Only the absence
    # of that one package sends us next door: any other failed import is a fault to be seen.
    try:
        module = import_module("kbrules._cli.app")
    except ModuleNotFoundError as missing:
        if missing.name != "kbrules._cli":
            raise
        module = import_module("cli.app")
    return cast("Callable[[], None]", module.main)


if __name__ == "__main__":
    main()
