"""Pictures that an editor shows, as files for as long as the server runs."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from zlib import crc32

_LONGEST = 60  # characters of a title that the name of a file begins with


class Pictures:
    """The pictures of one server, in one folder, which is made for the first and ends with it."""

    def __init__(self) -> None:
        self._folder: TemporaryDirectory[str] | None = None

    def keep(self, path: Path, title: str, svg: str) -> Path:
        """Where the picture of an example of a file is; a later one of it lies there as well."""
        if self._folder is None:
            self._folder = TemporaryDirectory(prefix="kbrules-")
        words = "".join(each if each.isalnum() else "-" for each in title[:_LONGEST])
        number = crc32(f"{path} {title}".encode("utf-8", "surrogatepass"))
        file = Path(self._folder.name) / f"{words}-{number:08x}.svg"
        file.write_text(svg, encoding="utf-8")
        return file

    def close(self) -> None:
        """Remove all of them."""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
