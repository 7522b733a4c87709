"""`--with`: which boxes and folders are meant, alone and together."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import kbrules
from cli.app import app
from cli.boxes import boxes_and_folders, with_roots
from kbrules.engine.logs.replay import read_log, replay
from kbrules.library.boards.positions import draw_framed, legend_of
from kbrules.library.box import read_box, shipped_box, shipped_boxes, usual_boxes
from kbrules.library.load import load_all
from kbrules.scenario.examples import examples_of
from tests.cli.program import output_of

MORE = "nomads,crossroads,capitol,caves"
FIVE = ["base", *MORE.split(",")]
SEED = 3


def test_they_are_good_together() -> None:
    assert output_of("check", "--with", MORE).startswith("all good")


def test_what_is_tested_is_tested_with_them() -> None:
    out = output_of("test", "--with", MORE)
    passed, _, words = out.strip().splitlines()[-1].partition(" ")
    assert int(passed) >= len(examples_of(kbrules.load(*FIVE))) > 40
    assert words.startswith("passed")


def test_five_play_and_the_log_has_what_was_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["--with", MORE, "--players", "5", "--seed", str(SEED), "--bots", "random"]
    out = output_of("play", *words)
    ruleset = kbrules.load(*FIVE)
    table = kbrules.choose_table(ruleset, 5, SEED)
    board = kbrules.game_at(ruleset, table).board
    assert f"sections {table.layout}" in out and f"cards {', '.join(table.cards)};" in out
    assert draw_framed(board, {}, {}) in out
    log, found = read_log(tmp_path / "game.kblog")
    assert log is not None and found == []
    assert log.header.data["boxes"] == sorted(FIVE)
    assert log.header.data["tiles"] == table.tiles
    assert json.loads(json.dumps(table.cards)) == log.header.data["cards"]
    assert replay(ruleset, log).findings == ()


def test_a_table_shows_its_nomad_places_by_their_letter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ruleset = kbrules.load(*FIVE)
    seed = next(s for s in range(99) if len(kbrules.choose_table(ruleset, 2, s).tiles) >= 4)
    table = kbrules.choose_table(ruleset, 2, seed)
    out = output_of("play", "--with", MORE, "--seed", str(seed), "--bots", "random", "--no-log")
    titles = {tile.id: tile.title for tile in ruleset.catalog.tiles}
    shown = out.partition("round ")[0].replace("\n", "  ")
    for name, tile in table.tiles.items():
        assert f"  {name} {titles[tile]}  " in shown
    assert not set(legend_of(kbrules.game_at(ruleset, table).board).values()) & set(
        table.tiles.values()
    )


def test_the_order_in_which_they_are_named_does_not_matter() -> None:
    one = kbrules.load(*FIVE)
    for order in list(permutations(FIVE))[::23]:
        other = load_all(order).ruleset
        assert other is not None
        assert (other.digest, other.boxes) == (one.digest, one.boxes)
        assert other.catalog == one.catalog
        assert [*other.owners] == [*one.owners] and other.memories == one.memories
        assert other.options == one.options
        tables = [kbrules.choose_table(each, 4, 11) for each in (one, other)]
        assert tables[0] == tables[1]
    assert one.catalog.pieces[0].id == "settlement"


def test_fewer_boxes_are_fewer_things() -> None:
    assert kbrules.load("base", "caves").catalog == kbrules.load("base").catalog
    assert kbrules.load("base", "caves").parts.players == (2, 4)
    assert kbrules.load("base", "nomads").parts.players == (2, 5)
    assert kbrules.load("base", "crossroads").catalog.scoring == kbrules.load("base").catalog.cards


def test_a_side_of_the_island_is_drawn_or_asked_for_and_the_log_replays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["--with", "island", "--seed", "3", "--bots", "random", "--force"]
    for side in ("island_rope_bridge", "island_tree_house"):
        out = output_of("play", *words, "--grid", f"island={side}")
        assert f"; island: {side}\n" in out and out.count("\nisland:\n") == 2
        log, _ = read_log(tmp_path / "game.kblog")
        assert log is not None and log.layout.grids == (("island", side),)
        assert "\nisland:\n" in output_of("replay", "game.kblog")


@pytest.mark.parametrize(
    ("grid", "words"),
    [
        ("island", "grid=section"),
        ("island=tavern", "there is island=island_rope_bridge, island=island_tree_house"),
        ("moon=tavern", "there is no grid `moon`"),
    ],
)
def test_a_side_that_cannot_be_had_is_refused(grid: str, words: str) -> None:
    result = CliRunner().invoke(
        app, ["play", "--with", "island", "--grid", grid, "--bots", "random", "--no-log"]
    )
    assert result.exit_code == 2 and "KB009" in result.stderr and words in result.stderr


def test_the_boxes_that_need_no_other_are_always_there() -> None:
    """What the quick look finds is what the manifests say when they are read as a whole."""
    roots = []
    for name in shipped_boxes():
        box, _ = read_box(shipped_box(name))
        assert box is not None
        if not box.model.needs:
            roots.append(name)
    assert roots
    assert with_roots([]) == roots
    assert with_roots(["dale"]) == sorted(["dale", *roots])


@pytest.mark.parametrize("line", ["needs: [base]", "needs: [ base, dale ]"])
def test_a_box_that_needs_another_is_no_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    for name, needs in {"base": "needs: []", "dale": line}.items():
        (tmp_path / f"{name}.yaml").write_text(f"format: 1\nid: {name}\n{needs}\n")
    monkeypatch.setattr("kbrules.library.box.data_root", lambda _: tmp_path)
    assert with_roots([]) == ["base"]


def test_names_lists_folders_and_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    assert (
        boxes_and_folders(["base", "mine"])
        == boxes_and_folders(["base, mine,"])
        == (["base"], [Path("mine")])
    )
    assert boxes_and_folders(["all", "base"]) == (usual_boxes(), [])
    assert boxes_and_folders([]) == ([], [])
    with pytest.raises(typer.Exit):
        boxes_and_folders(["nobody"])
