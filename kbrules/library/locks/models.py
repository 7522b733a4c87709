"""The shape of `kbrules.lock`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from kbrules.library.fields import Data, Id, Version

Name = Annotated[str, Field(pattern="^[^\\x00-\\x1f]{1,200}$")]
Long = Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
Short = Annotated[str, Field(pattern="^[0-9a-f]{8}$")]


class LockedFileModel(Data):
    """A file of a box."""

    digest: Long = Field(description="The digest of its text.")
    parts: dict[Name, Short] = Field({}, description="Digests of its declarations or keys.")


class LockedBoxModel(Data):
    """A box as it was."""

    version: Version = Field("", description="Its version, if it says one.")
    language: Literal[1] = Field(description="The number of the language and of the formats.")
    digest: Long = Field(description="The digest of all its files.")
    files: dict[Name, LockedFileModel] = Field(description="Its files, by name in its folder.")


class LockFileModel(Data):
    """The boxes of a rule set; `kbrules lock` writes it, `kbrules check --locked` compares."""

    format: Literal[1] = Field(
        description="The version of this format; `kbrules lock` writes the file anew."
    )
    boxes: dict[Id, LockedBoxModel] = Field(description="The boxes by id.")
    shared: dict[Name, LockedFileModel] = Field({}, description="Files that belong to no box.")
