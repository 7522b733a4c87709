"""Rules that are sayable and senseless: what no card survives, and what never comes to rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbrules.diagnostics import Diagnostic
from kbrules.messages import CODES
from kbrules.tools.check import FileChecker
from kbrules.tools.lint.run import LintSelection

BOX = "format: 1\nid: fog\ntitle: Fog\nneeds: [base]\n"
RULE = 'rule night "Night":\n    "Something is done."\n    {}\n'
LIMITS = frozenset({"KB725", "KB756", "KB757"})


def found(folder: Path, body: str, codes: frozenset[str] = LIMITS) -> list[Diagnostic]:
    (folder / "rules").mkdir(parents=True, exist_ok=True)
    (folder / "expansion.yaml").write_text(BOX)
    (folder / "rules" / "night.kb").write_text(RULE.format(body))
    return FileChecker().check([folder], lints=LintSelection(codes, 16)).all


@pytest.mark.parametrize("on", ["board", "buildable", "grass | canyon | desert | flower | forest"])
def test_a_ban_on_all_that_cards_show_is_told_with_the_word_that_is_meant(
    tmp_path: Path, on: str
) -> None:
    (finding,) = found(tmp_path, f"forbid build on {on} if count(mine) > 2")
    assert (finding.code, finding.severity, finding.span.line) == ("KB756", "warning", 3)
    assert "`deny build`" in finding.help


@pytest.mark.parametrize(
    "norm",
    [
        "deny build on board if count(mine) > 2",
        "forbid build on grass | canyon | desert | flower if count(mine) > 2",
        "forbid build on board & edge if count(mine) > 2",
        "forbid move on board if count(mine) > 2",
    ],
)
def test_other_norms_are_not(tmp_path: Path, norm: str) -> None:
    assert found(tmp_path, norm, frozenset({"KB756"})) == []


def test_what_nobody_can_prove_is_told_by_play(tmp_path: Path) -> None:
    (finding,) = found(tmp_path, "forbid build on within(adjacent(mine), 90) if count(mine) > 2")
    assert (finding.code, finding.claim) == ("KB757", "sampled 8")
    assert "`deny`" in finding.help


@pytest.mark.parametrize(
    "body",
    [
        "whenever any(board): gain 1",
        "whenever count(mine) > 2: gain 1",
        "whenever not finishing: gain 1",
    ],
)
def test_what_can_never_rest_is_an_error_at_the_condition(tmp_path: Path, body: str) -> None:
    (finding,) = found(tmp_path, body)
    assert (finding.code, finding.severity, finding.span.line) == ("KB213", "error", 3)
    assert finding.span.text in body and finding.span.text in finding.message


@pytest.mark.parametrize(
    "body", ["whenever any(board): end game", "whenever cards(deck) = 0: reshuffle discards"]
)
def test_what_may_rest_is_none(tmp_path: Path, body: str) -> None:
    assert found(tmp_path, body) == []


def test_what_did_not_rest_in_play_is_a_warning(tmp_path: Path) -> None:
    body = "whenever cards(deck) < 90: reshuffle discards"
    (finding,) = found(tmp_path, body)
    assert (finding.code, finding.severity) == ("KB725", "warning")
    assert CODES["KB725"].claim == "sampled"


def test_rounds_that_are_cut_are_told_by_play(tmp_path: Path) -> None:
    (finding,) = found(tmp_path, "when build:\n        repeat count(board) * 2 times: gain 1")
    assert (finding.code, finding.span.text) == ("KB757", "count(board) * 2")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("when build if any(here & theirs & edge): gain 1", "here & theirs & edge"),
        ("when build, move: gain count(here - mine)", ""),
        ("when build: gain count(adjacent(here) & theirs)", ""),
        ("when build by anyone if any(here & theirs): gain 1", ""),
        ("when take: gain count(here & theirs)", ""),
        ("when build: gain 1 if any(here & (theirs - edge))", "here & (theirs - edge)"),
        ("when build: gain 1 to actor", "actor"),
    ],
)
def test_what_others_alone_can_do_is_told_behind_own_events(
    tmp_path: Path, body: str, said: str
) -> None:
    findings = found(tmp_path, body, frozenset({"KB759"}))
    assert [(each.code, each.span.text) for each in findings] == [("KB759", said)] * bool(said)


def test_a_piece_called_like_a_shipped_tile_is_told_once_at_the_author_s_line(
    tmp_path: Path,
) -> None:
    (tmp_path / "expansion.yaml").write_text(f"{BOX}pieces: {{tower: {{letter: k, supply: 3}}}}\n")
    (tmp_path / "night.kb").write_text(RULE.format("action: place 1 tower on edge & empty"))
    (finding,) = FileChecker().check([tmp_path]).all
    assert (finding.code, finding.span.line, finding.span.text) == ("KB202", 5, "tower")
    assert finding.message == "`tower` is also in `tiles`"
    assert [label.span.source.name.rsplit("/", 1)[-1] for label in finding.labels] == ["base.yaml"]
