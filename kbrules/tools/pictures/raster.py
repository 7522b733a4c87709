"""From SVG to what is no text: PNG for a screen, PDF for a printer. Needs the extra `pictures`."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from typing import Any

from kbrules.tools.processes import MissingExtra

_EXTRA = "pictures"


def _cairosvg() -> Any:
    """The library that draws. Its C library may be missing too, and that is an OSError."""
    try:
        import cairosvg
        import cairosvg.surface
    except ImportError as error:
        raise MissingExtra(_EXTRA, f"there is no `{error.name}`") from None
    except OSError:
        raise MissingExtra(_EXTRA, "the system has no library `cairo`") from None
    return cairosvg


def png_of(svg: str, width: int) -> bytes:
    """A picture so many pixels wide, on white. Raises `MissingExtra`."""
    data: bytes = _cairosvg().svg2png(
        bytestring=svg.encode(), output_width=width, background_color="white"
    )
    return data


def pixels_of(svg: str, width: int) -> Any:
    """A picture so many pixels wide, on white: an array of height, width and 3 bytes of colour.

    Raises `MissingExtra`.
    """
    cairosvg = _cairosvg()
    import numpy

    tree = cairosvg.parser.Tree(bytestring=svg.encode())
    surface = cairosvg.surface.PNGSurface(
        tree, None, 96, output_width=width, background_color="white"
    )
    image = surface.cairo
    rows = numpy.frombuffer(image.get_data(), numpy.uint8).reshape(image.get_height(), -1, 4)
    return rows[:, : image.get_width(), 2::-1].copy()


def pdf_of(pages: Iterable[str]) -> bytes:
    """A document with a page for each picture, of the very size it says it has.

    Raises `MissingExtra`.
    """
    cairosvg = _cairosvg()
    from cairocffi import PDFSurface

    file = BytesIO()
    paper = PDFSurface(file, 1, 1)

    class DocumentPage(cairosvg.surface.PDFSurface):  # type: ignore[misc, name-defined]
        """A picture drawn on a page of the one document instead of one of its own."""

        def _create_surface(self, width: float, height: float) -> tuple[Any, float, float]:
            paper.set_size(width, height)
            return paper, width, height

    for page in pages:
        DocumentPage(cairosvg.parser.Tree(bytestring=page.encode()), None, 96)
        paper.show_page()
    paper.finish()
    return file.getvalue()
