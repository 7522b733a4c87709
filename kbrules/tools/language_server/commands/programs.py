"""Other commands of kbrules that an editor begins: a game in a terminal, and the workshop."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from pathlib import Path

from kbrules.library.reading import author_folder, is_shipped
from kbrules.tools.language_service.answers import Refused

PROGRAM = (sys.executable, "-m", "kbrules")
_PATIENCE = 30  # seconds until the workshop must have printed its address


def folder_of(path: Path) -> Path | None:
    """The expansion that a file lies in; None for shipped files and single ones."""
    home = None if is_shipped(path) else author_folder(path)
    return home.absolute() if home is not None else None


def play_command(path: Path) -> list[str]:
    """The words that begin a game by the rules of a file, in a terminal."""
    home = folder_of(path)
    return [*PROGRAM, "play", *([] if home is None else ["--with", str(home)])]


class Workshops:
    """The workshops that were opened, one for each folder; they end with the server."""

    def __init__(self) -> None:
        self._open: dict[Path, tuple[Process, str]] = {}

    async def address(self, path: Path) -> str:
        """Where the workshop of the expansion of a file is, which is begun if it is not there."""
        home = folder_of(path)
        if home is None:
            raise Refused("the workshop opens expansions, and this file lies in none")
        opened = self._open.get(home)
        if opened is not None and opened[0].returncode is None:
            return opened[1]
        words = (*PROGRAM, "workshop", str(home), "--no-browser")
        process = await asyncio.create_subprocess_exec(*words, stdout=PIPE)
        address = await self._printed_address(process)
        self._open[home] = process, address
        return address

    async def _printed_address(self, process: Process) -> str:
        """The address that a workshop prints. Raises Refused if it ends or says nothing."""
        assert process.stdout is not None
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                while line := await process.stdout.readline():
                    if (address := line.decode().strip()).startswith("http://"):
                        return address
        with suppress(ProcessLookupError):
            process.kill()
        raise Refused("the workshop could not be opened")

    def close(self) -> None:
        """End all of them."""
        for process, _ in self._open.values():
            with suppress(ProcessLookupError):
                process.terminate()
