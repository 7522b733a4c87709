"""Old names of public attributes, for one minor version."""

from __future__ import annotations

import warnings
from typing import Any

__all__ = ["renamed"]


def renamed(old: str, new: str) -> property:
    """An attribute that warns with DeprecationWarning and answers what its new name answers."""

    def read(self: Any) -> Any:
        warnings.warn(f"`{old}` is deprecated: use `{new}`", DeprecationWarning, stacklevel=2)
        return getattr(self, new)

    return property(read, doc=f"Deprecated: use `{new}`.")
