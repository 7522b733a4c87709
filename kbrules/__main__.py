"""The command `kbrules`, also `python -m kbrules`: finds the command line and starts it."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from importlib import import_module
from typing import cast

from kbrules import __version__


def main() -> None:
    """Run the command line on `sys.argv`; ends the process with its exit code."""
    # What is loaded stays to the end: looking for garbage in it so often finds none.
    gc.set_threshold(50_000)
    if sys.argv[1:] == ["--version"]:  # no reason to wait for the whole command line
        print(f"kbrules {__version__}")
    else:
        _command_line()()


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
