"""The boxes that can be loaded by name, with where they come from."""

from __future__ import annotations

from kbrules.diagnostics import Diagnostic
from kbrules.library.boxes.box import Box, read_box, shipped_box, shipped_boxes
from kbrules.library.boxes.installed import installed_boxes
from kbrules.library.resources import MANIFEST
from kbrules.tools.reports.output_models import BoxOutput

__all__ = ["box_list"]

OURS = "kbrules"


def box_list() -> tuple[list[BoxOutput], list[Diagnostic]]:
    """The shipped boxes, then those of installed packages; and what is wrong with the latter."""
    shipped = [read_box(shipped_box(id))[0] for id in shipped_boxes()]
    rows = [_row(box, OURS) for box in shipped if box is not None]
    found: list[Diagnostic] = []
    for known in installed_boxes().values():
        if known.problem is not None:
            found.append(known.problem)
        if known.folder is not None:
            box, wrong = read_box(known.folder / MANIFEST)
            found += wrong
            source = f"{known.package} {known.package_version}".strip()
            rows += [_row(box, source)] if box is not None else []
    return rows, found


def _row(box: Box, source: str) -> BoxOutput:
    model = box.model
    return BoxOutput(
        id=model.id,
        title=model.title,
        kind=model.kind,
        version=model.version,
        needs=model.needs,
        source=source,
        place=box.folder.as_posix(),
    )
