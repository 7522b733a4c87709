"""Imports that are carried out when something of the module is asked for, so that we start soon.

A command is listed, completed and explained without the engine, and loads of it what it uses. What
is imported in `with lazily():` at the top of a module is read, checked and written as any other
import, except that whole modules are imported: to take a name from one is to ask for something.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from types import ModuleType


@contextmanager
def lazily() -> Iterator[None]:
    """Put off the loading of the modules that are imported in the block until they are used."""
    finder = _LazyFinder()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _LazyFinder(MetaPathFinder):
    """Finds modules as usual, and has all but packages, which hold nothing, loaded later."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return what is known of a module before it is loaded; None if there is none."""
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader and spec.submodule_search_locations is None:
            spec.loader = LazyLoader(spec.loader)
        return spec
