"""Commands: why here, the board, tests, measuring, a game, the workshop."""

from __future__ import annotations

import shutil
import urllib.request
from pathlib import Path
from xml.etree import ElementTree

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from kbrules.tools.language_server.commands import CommandName
from kbrules.tools.language_server.examining import measured
from kbrules.tools.simulate.results_file import Store
from tests.tools.language_server.editor import Editor, editor

OTHER = """
card dale_others "Others of Dale":
    "One gold for each of your pieces."
    gold 1 per hex in mine
    example:
        | .a .a
        gives 2
"""


@pytest.fixture
def rules(desk: Editor, dale: Path) -> Path:
    """The rule file, opened."""
    path = dale / "rules" / "dale.kb"
    desk.open(path)
    return path


def line(path: Path, text: str) -> int:
    return next(n for n, each in enumerate(path.read_text().splitlines()) if text in each)


def test_each_command_is_announced_and_named_in_the_table() -> None:
    assert all(name.startswith("kbrules.") for name in CommandName)


def test_why_here_answers_by_clauses(desk: Editor, rules: Path) -> None:
    found = desk.command("kbrules.why", rules.as_uri(), line(rules, "above and below"), "a1")
    text = getattr(found, "text", None) or found["text"]
    assert "a1" in text and "touching" in text


def test_why_here_asks_for_a_hex(desk: Editor, rules: Path) -> None:
    offered: list[str] = []

    def choose(titles: list[str]) -> str | None:
        offered.extend(titles)
        return titles[0]

    desk.choose = choose
    found = fields_of(desk.command("kbrules.why", rules.as_uri(), line(rules, "above and below")))
    assert found["hex"] == offered[0] and 1 < len(offered) <= 12
    assert found["hex"] in found["text"]
    desk.choose = lambda titles: None
    with pytest.raises(JsonRpcException) as refused:
        desk.command("kbrules.why", rules.as_uri(), 3)
    assert refused.value.code == types.LSPErrorCodes.RequestCancelled.value


def fields_of(answer: object) -> dict[str, object]:
    """An answer as a dictionary, however the client reads it."""
    return answer if isinstance(answer, dict) else answer._asdict()  # type: ignore[attr-defined]


def test_the_board_is_a_picture_that_is_shown(desk: Editor, rules: Path) -> None:
    desk.client.shown_documents.clear()
    found = fields_of(desk.command("kbrules.board", rules.as_uri(), line(rules, "gives 3")))
    file = Path(str(found["uri"]).removeprefix("file://"))
    assert ElementTree.parse(file).getroot().tag.endswith("svg")
    again = fields_of(desk.command("kbrules.board", rules.as_uri(), line(rules, "gives 3")))
    assert again["uri"] == found["uri"]
    shows = desk.client.capabilities.window.show_document
    assert bool(desk.client.shown_documents) is bool(shows and shows.support)


def test_tests_are_run_of_a_file_and_of_a_line(desk: Editor, rules: Path) -> None:
    found = fields_of(desk.command("kbrules.test", rules.as_uri()))
    assert (found["passed"], found["failed"]) == (2, 0)
    desk.write(rules, rules.read_text().replace("gives 3", "gives 4"))
    found = fields_of(desk.command("kbrules.test", rules.as_uri(), line(rules, "gives 3")))
    assert (found["passed"], found["failed"]) == (0, 1)
    desk.until(lambda: desk.found(rules))


def test_where_nothing_stands_a_reason_is_given(desk: Editor, dale: Path) -> None:
    for name in ("kbrules.why", "kbrules.board"):
        with pytest.raises(JsonRpcException) as refused:
            desk.command(name, (dale / "expansion.yaml").as_uri(), 0, "a1")
        assert refused.value.code == types.LSPErrorCodes.RequestFailed.value
        assert "no example" in str(refused.value)


@pytest.mark.parametrize("command", ["why", "board", "test"])
def test_what_has_a_mistake_is_named_and_not_run(
    desk: Editor, rules: Path, dale: Path, command: str
) -> None:
    box = dale / "expansion.yaml"
    more = ["a1"] if command == "why" else []
    for file, wrong, problem in (
        (rules, rules.read_text() + "card (\n", "rules/dale.kb:"),
        (box, box.read_text() + "cards: [\n", "expansion.yaml:"),
    ):
        desk.open(file, wrong)
        with pytest.raises(JsonRpcException) as refused:
            desk.command(f"kbrules.{command}", rules.as_uri(), None, *more)
        assert problem in str(refused.value)
        desk.close(file)
    with pytest.raises(JsonRpcException, match="does not exist"):
        desk.command(f"kbrules.{command}", (dale / "no.kb").as_uri(), None, *more)


def test_a_file_without_examples_has_none_that_fail(desk: Editor, dale: Path) -> None:
    plain = dale / "rules" / "plain.kb"
    plain.write_text("define by_mine: adjacent(mine)\n")
    found = fields_of(desk.command("kbrules.test", plain.as_uri()))
    assert (found["passed"], found["failed"]) == (0, 0)


def test_a_game_is_a_command_line(desk: Editor, rules: Path, dale: Path) -> None:
    found = fields_of(desk.command("kbrules.play", rules.as_uri()))
    assert [*found["command"]][-3:] == ["play", "--with", str(dale)]  # type: ignore[misc]
    assert found["folder"] == str(dale)


def test_the_workshop_and_pictures_end_with_the_server(tmp_path: Path, pattern: Path) -> None:
    shutil.copytree(pattern, tmp_path / "dale")
    rules = tmp_path / "dale/rules/dale.kb"
    with editor(tmp_path / "log") as desk:
        desk.begin([tmp_path])
        address = str(fields_of(desk.command("kbrules.workshop", rules.as_uri()))["address"])
        assert urllib.request.urlopen(address, timeout=20).status == 200
        assert fields_of(desk.command("kbrules.workshop", rules.as_uri()))["address"] == address
        board = fields_of(desk.command("kbrules.board", rules.as_uri(), line(rules, "gives 3")))
        picture = Path(str(board["uri"]).removeprefix("file://"))
        assert picture.is_file()
    desk.until(lambda: not _answers(address))
    assert not picture.parent.exists()


def _answers(address: str) -> bool:
    try:
        urllib.request.urlopen(address, timeout=20).close()
    except OSError:
        return False
    return True


def test_a_card_is_measured_with_progress(tmp_path: Path, pattern: Path) -> None:
    shutil.copytree(pattern, tmp_path / "dale")
    rules = tmp_path / "dale/rules/dale.kb"
    with editor(tmp_path / "log") as desk:
        desk.begin([tmp_path])
        rules.write_text(rules.read_text() + OTHER)
        box = tmp_path / "dale/expansion.yaml"
        box.write_text(box.read_text().replace("[dale_keeper]", "[dale_keeper, dale_others]"))
        here = line(rules, "gives 3")
        found = fields_of(desk.command("kbrules.balance", rules.as_uri(), here, 2))
        assert "Keeper of Dale" in str(found["text"])
        ((begin, *reports, end),) = desk.client.progress_reports.values()
        assert isinstance(begin, types.WorkDoneProgressBegin) and begin.cancellable
        assert isinstance(end, types.WorkDoneProgressEnd)
        shares = [each.percentage for each in reports]
        assert shares == sorted(shares) and shares[-1] == 100
        desk.open(rules)
        lenses = desk.ask("text_document_code_lens", types.CodeLensParams(desk.id(rules)))
        paid = "to a greedy player on average (2 games)"
        assert any(paid in each.command.title for each in lenses)
        assert "Keeper of Dale" in desk.client.messages[-1].message
        _write_scenario(desk, rules)
        assert (tmp_path / "log").read_text() == ""


def test_files_of_games_that_somebody_named_are_left_alone(tmp_path: Path, pattern: Path) -> None:
    shutil.copytree(pattern, tmp_path / "dale")
    rules = tmp_path / "dale/rules/dale.kb"
    for name in ("balance", "editor"):
        (tmp_path / f"dale/dale_keeper.{name}.sqlite").write_text("mine")
    before = {each: each.read_bytes() for each in (tmp_path / "dale").glob("*.sqlite")}
    assert len(before) == 2
    first = measured(rules, "dale_keeper", 2, lambda *_: None)
    (made,) = {*(tmp_path / "dale").glob("*.sqlite")} - {*before}
    assert "Keeper of Dale" in first and made.name.startswith("balance-")
    assert {each: each.read_bytes() for each in before} == before
    assert measured(rules, "dale_keeper", 2, lambda *_: None) == first
    with Store(made) as store:
        assert store.done == 2


def _write_scenario(desk: Editor, rules: Path) -> None:
    """The scenario of the highest payment is offered, written by the client, and holds."""
    place = {"line": line(rules, "gives 3"), "character": 0}
    params = {"range": {"start": place, "end": place}, "context": {"diagnostics": []}}
    of = {"textDocument": {"uri": rules.as_uri()}}
    (action,) = map(fields_of, desk.raw("textDocument/codeAction", {**of, **params}))
    command = fields_of(action["command"])
    assert "edit" not in action
    assert command["title"].startswith("Write a scenario in which `dale_keeper` pays")
    answer = fields_of(desk.command(command["command"], *command["arguments"]))
    made, edit = desk.edits[-1].document_changes
    assert isinstance(made, types.CreateFile) and made.uri == edit.text_document.uri
    (written,) = edit.edits
    file = Path(made.uri.removeprefix("file://"))
    assert written.new_text == answer["text"] and made.uri == answer["uri"]
    file.write_text(written.new_text)
    assert fields_of(desk.command("kbrules.test", file.as_uri()))["passed"] == 1


def test_measuring_can_be_cancelled(tmp_path: Path, pattern: Path) -> None:
    shutil.copytree(pattern, tmp_path / "dale")
    rules = tmp_path / "dale/rules/dale.kb"
    with editor(tmp_path / "log") as desk:
        desk.begin([tmp_path])
        for cancel in (_cancel_progress, _cancel_request):
            params = types.ExecuteCommandParams("kbrules.balance", [rules.as_uri(), "dale_keeper"])
            answer = desk.begun(desk.client.workspace_execute_command_async(params))
            reports = desk.client.progress_reports
            desk.until(lambda: any(len(each) > 1 for each in reports.values()))  # noqa: B023
            cancel(desk)
            with pytest.raises(JsonRpcException) as refused:
                answer.result(60)
            assert refused.value.code == types.LSPErrorCodes.RequestCancelled.value
            desk.until(lambda: _is_over(desk))
            reports.clear()
        desk.send("cancel_request", types.CancelParams("nobody asked"))
        assert fields_of(desk.command("kbrules.play", rules.as_uri()))["folder"]
        assert (tmp_path / "log").read_text() == ""


def _cancel_progress(desk: Editor) -> None:
    (token,) = desk.client.progress_reports
    desk.send("window_work_done_progress_cancel", types.WorkDoneProgressCancelParams(token))


def _cancel_request(desk: Editor) -> None:
    (id,) = desk.client.protocol._request_futures
    desk.send("cancel_request", types.CancelParams(id))


def _is_over(desk: Editor) -> bool:
    (reports,) = desk.client.progress_reports.values()
    return isinstance(reports[-1], types.WorkDoneProgressEnd)
