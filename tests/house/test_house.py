"""House rules from day one: an author's folder beside the base box, through the public door."""

from __future__ import annotations

from pathlib import Path

import pytest

import kbrules
from kbrules.text import Source
from kbrules.tools.narration import marks_text
from tests.collecting import collect
from tests.source_tree import DALE


@pytest.fixture(scope="module")
def ruleset() -> kbrules.Ruleset:
    return kbrules.load(folders=[DALE])


def test_the_folder_adds_things_of_every_kind(ruleset: kbrules.Ruleset) -> None:
    catalog = ruleset.catalog
    assert "heath" in {kind.id for kind in catalog.hexes}
    assert "rowers" in catalog.cards
    assert "mill" in {tile.id for tile in catalog.tiles}
    assert "dale" in ruleset.parts.sections
    assert ruleset.options["heath_pays"] is False
    assert sum(card.count for card in catalog.deck) == 30
    assert ruleset.parts.players == (2, 5)


def test_a_rule_that_replaces_takes_the_place_of_the_other(ruleset: kbrules.Ruleset) -> None:
    assert ruleset.rule("losing") is None
    assert ruleset.rule("keeping") is not None


def test_two_folders_that_replace_the_same_rule_are_a_conflict() -> None:
    text = 'rule other replaces losing:\n    "Otherwise."\n    when lose: gain 0\n'
    _, findings = kbrules.check_all(folders=[DALE], texts=[Source("other.kb", text)])
    assert [finding.code for finding in findings] == ["KB301"]


def test_two_folders_that_define_the_same_id_are_told(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    manifest = (DALE / "expansion.yaml").read_text().replace("id: dale", "id: vale")
    (tmp_path / "expansion.yaml").write_text(manifest)
    _, findings = kbrules.check_all(folders=[DALE, tmp_path])
    assert {finding.code for finding in findings} == {"KB411"}
    assert any("heath" in finding.message for finding in findings)


def test_the_marks_of_a_board_follow_the_game(ruleset: kbrules.Ruleset) -> None:
    game = kbrules.new_game(ruleset, 2, 1, "dale")
    fords = game.board.kinds[ruleset.catalog.hex_index("ford")]
    state, random, shown = game.start(), kbrules.Random(1, "test"), set()
    while not state.is_over:
        stocked = [hex for hex, stock in zip(game.board.places, state.stock, strict=True) if stock]
        near = 0
        for hex in stocked:
            near |= game.board.grid.neighbours(1 << hex & fords)
        head, *words = marks_text(game, state).replace("landing places", "landing").split()
        assert (head, words) == ("landing:", game.board.names(near) or ["-"])
        shown.add(near)
        state = game.apply(state, game.legal_moves(state).sample(random))
    assert len(shown) > 1


@pytest.mark.parametrize("players", [2, 5])
@pytest.mark.parametrize("setup", ["dale", "random"])
def test_it_plays_to_the_end(ruleset: kbrules.Ruleset, players: int, setup: str) -> None:
    for seed in range(4):
        game = kbrules.new_game(ruleset, players, seed, setup, {"heath_pays": True})
        state, random = game.start(), kbrules.Random(seed, "test")
        while not state.is_over:
            state = game.apply(state, game.legal_moves(state).sample(random))
        lines = game.score(state).lines[0]
        heath = game.board.kinds[game.ruleset.catalog.hex_index("heath")]
        paid = next(line.gold for line in lines if line.rule == "heath_gold")
        assert paid == (state.seats[0].all & heath).bit_count()


def test_the_order_of_folders_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "expansion.yaml").write_text(
        "format: 1\nid: aside\ntitle: Aside\nneeds: [base]\ncards: [loners]\n"
    )
    (tmp_path / "aside.kb").write_text(
        'card loners "Loners":\n    "One gold for each piece without a neighbour."\n'
        "    gold 1 per hex in mine - adjacent(mine)\n"
        "    example:\n        | .a .  .a .a\n        gives 1\n"
    )
    one = kbrules.load(folders=[DALE, tmp_path])
    other = kbrules.load(folders=[tmp_path, DALE])
    assert one.digest == other.digest
    assert one.catalog == other.catalog
    assert [rule.id for rule in one.rules] == [rule.id for rule in other.rules]


@pytest.mark.parametrize("name", ["dale", "market", "goals"])
def test_its_scenarios_and_examples_pass(name: str) -> None:
    items = collect([DALE.with_name(name)])
    assert len(items) >= 4
    for item in items:
        outcome = item.run()
        assert outcome.passed, f"{item.id}\n{outcome.text}"


@pytest.mark.parametrize(
    ("rule", "keys", "said"),
    [
        ("card", "tasks: [walkers]", ["`walkers` is a task in its box, but a card here"]),
        ("task", "cards: [walkers]", ["`walkers` is a card in its box, but a task here"]),
        ("task", "cards: []", ["the task `walkers` is in no box"]),
        ("task", "tasks: [walkers]", []),
        ("card", "cards: [walkers]", []),
    ],
)
def test_a_task_is_no_scoring_card(tmp_path: Path, rule: str, keys: str, said: list[str]) -> None:
    (tmp_path / "expansion.yaml").write_text(
        f"format: 1\nid: aside\ntitle: Aside\nneeds: [base]\n{keys}\n"
    )
    text = f'{rule} walkers "Walkers":\n    "One gold."\n    gold count(mine)\n'
    (tmp_path / "aside.kb").write_text(text)
    _, findings = kbrules.check_all(folders=[tmp_path])
    assert [finding.message for finding in findings] == said
    assert {finding.code for finding in findings} == ({"KB410"} if said else set())
    assert not said or f"`{rule}s:`" in findings[0].help or "same word" in findings[0].help


def test_a_task_without_a_rule_is_told(tmp_path: Path) -> None:
    (tmp_path / "expansion.yaml").write_text(
        "format: 1\nid: aside\ntitle: Aside\nneeds: [base]\ntasks: [walkers]\n"
    )
    _, (finding,) = kbrules.check_all(folders=[tmp_path])
    assert (finding.code, finding.span.text) == ("KB409", "walkers")
    assert "`task walkers:`" in finding.help


def test_a_replacing_rule_of_another_name_is_told_where_it_is(tmp_path: Path) -> None:
    (tmp_path / "expansion.yaml").write_text("format: 1\nid: aside\ntitle: Aside\nneeds: [base]\n")
    text = 'card walkers "Walkers" replaces hermits:\n    "One gold."\n    gold count(mine)\n'
    (tmp_path / "aside.kb").write_text(text)
    _, findings = kbrules.check_all(folders=[tmp_path])
    (renamed,) = (finding for finding in findings if finding.code == "KB409")
    assert renamed.span.text == "hermits" and renamed.span.source.name.endswith("aside.kb")
    assert "`card hermits ... replaces hermits:`" in renamed.help


def test_a_game_and_its_states_at_the_prompt_are_one_line(ruleset: kbrules.Ruleset) -> None:
    game = kbrules.new_game(ruleset, 2, 1, "dale")
    state = game.start()
    assert repr(game) == "<Game of 2 with rowers, hermits, lords, bridge>"
    assert repr(state) == f"<State {state.stage[0]} {state.stage[1]}, player 0, {state.hash()[:8]}>"
