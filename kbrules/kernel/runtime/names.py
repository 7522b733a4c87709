"""The names in capitals of a kernel's text: places of its memory, sizes, what numbers stand for.

Each kernel has numbers of its own for them, which `MemoryLayout` tells; here any such name can be
imported, and is 0. A test holds that the names of the runtime are names of every kernel.
"""

from __future__ import annotations

Groups = tuple[int, int]
"""Where groups of hexes lie in the memory, and how many there are; or two numbers."""


def __getattr__(name: str) -> int:
    """What stands for the number of a name in capitals until a kernel has one."""
    if not name.isupper():
        raise AttributeError(f"module `{__name__}` has no attribute `{name}`")
    return 0
