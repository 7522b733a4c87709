"""The lints there are; naming their modules here is what loads them."""

from __future__ import annotations

from kbrules.tools.authoring.lint import (
    algebra,
    branches,
    constant,
    drawings,
    flow,
    norms,
    titles,
    translated,
    using,
    wording,
)
from kbrules.tools.authoring.lint.boards import fixed, maps
from kbrules.tools.authoring.lint.registry import LINTS
from kbrules.tools.authoring.lint.sampled import selection

__all__ = ["LINTS"]

_MODULES = (
    algebra,
    branches,
    constant,
    drawings,
    fixed,
    flow,
    maps,
    norms,
    titles,
    translated,
    selection,
    using,
    wording,
)
