"""Whether pictures in dots and sheets for a printer can be made here."""

from __future__ import annotations

import pytest

from kbrules.tools.pictures.drawings import png_of
from kbrules.tools.processes import MissingExtra

__all__ = ["needs_cairo"]


def _why_not() -> str:
    try:
        png_of('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>', 1)
    except MissingExtra as missing:
        return str(missing)
    return ""


needs_cairo = pytest.mark.skipif(bool(_why_not()), reason=_why_not() or "it can")
