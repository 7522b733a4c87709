"""The boxes that can be loaded by name, with where they come from."""

from __future__ import annotations

from kbrules.diagnostics import Diagnostic
from kbrules.library.boxes.box import Box, installed_boxes, read_box, shipped_box, shipped_boxes
from kbrules.library.reading import MANIFEST
from kbrules.tools.reports.output_models import BoxOutput

SHIPPED_SOURCE = "kbrules"


def box_list() -> tuple[list[BoxOutput], list[Diagnostic]]:
    """The shipped boxes, then those of installed packages; and what is wrong with the latter."""
    shipped = [read_box(shipped_box(id))[0] for id in shipped_boxes()]
    rows = [_row(box, SHIPPED_SOURCE) for box in shipped if box is not None]
    findings: list[Diagnostic] = []
    for installed in installed_boxes().values():
        if installed.problem is not None:
            findings.append(installed.problem)
        if installed.folder is not None:
            box, box_findings = read_box(installed.folder / MANIFEST)
            findings += box_findings
            source = f"{installed.package} {installed.package_version}".strip()
            rows += [_row(box, source)] if box is not None else []
    return rows, findings


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
