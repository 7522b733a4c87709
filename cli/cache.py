"""`kbrules cache`: what is kept on disk to save time, and how to be rid of it."""

from __future__ import annotations

from typing import Annotated

import typer

from .terminal.findings import exit_with, printable

MEGABYTE = 1_000_000


def command(
    clear: Annotated[bool, typer.Option("--clear", help="Remove all of it.")] = False,
) -> None:
    """Show what is kept on disk: kernels compiled to machine code. Nothing is lost without it.

    \b
    Examples:
      kbrules cache              where it lies, and how much it is
      kbrules cache --clear      remove it; what is needed is made anew
    """
    from kbrules.kernel.native.cached_files import cache_root, cached_kernels, clear_cache

    root = printable(cache_root())
    try:
        if clear:
            typer.echo(f"removed: {_kernels(clear_cache())} from {root}")
            return
        kept = cached_kernels()
    except OSError as error:
        help = "remove the folder by hand, or set XDG_CACHE_HOME to another one"
        exit_with("KB008", f"the cache in `{root}` cannot be used: {error.strerror}", help)
    size = sum(size for _, size in kept) / MEGABYTE
    typer.echo(f"{root}: {_kernels(len(kept))}, {size:.1f} MB")


def _kernels(number: int) -> str:
    return "1 kernel" if number == 1 else f"{number} kernels"
