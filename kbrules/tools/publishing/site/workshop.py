"""How a page opens the place of its declaration in the workshop."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from kbrules.library.reading import real_path
from kbrules.tools.publishing.site.content import BoxContent, DeclarationEntry

_ADDRESS = re.compile(r"(?:https?://[\w.:@%\[\]-]+(?:/[^\s#<>\"]*)?|(?:[\w.%-]+/)*[\w.%-]*)")


def is_address(text: str) -> bool:
    """Whether a text is the address of a page: on the web, or by its path from the site."""
    return bool(text) and _ADDRESS.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class Workshop:
    """Where a workshop is, if anybody said: an address, or a path from the first page."""

    address: str = ""

    def values(self, entry: DeclarationEntry, content: BoxContent) -> dict[str, Any]:
        """What the page of a declaration shows: a link, or what is to be typed and opened."""
        file, _, line = entry.where.rpartition(":")
        place = f"#file={quote(file)}&line={line}"
        folder = real_path(content.folder).name if content.folder is not None else ""
        is_on_web = self.address.startswith(("http:", "https:"))
        return {
            "workshop": f"{self.address}{place}" if self.address else "",
            "workshop_is_beside": not is_on_web,
            "workshop_command": f"kbrules workshop {folder}".rstrip(),
            "workshop_place": place,
        }
