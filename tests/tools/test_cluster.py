"""A cluster of Dask plays what one process plays, whatever becomes of its workers."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from cli.app import program
from kbrules.tools.processes import Parallel, RulesChanged
from kbrules.tools.simulate.question import QuestionTables
from kbrules.tools.simulate.results_file import PlayedSpan, Store
from kbrules.tools.simulate.run import prepare
from tests.tools.balance.green import CARDS, green
from tests.tools.balance.measured import tables_of, told as report_told
from tests.tools.simulate.small import fell, play_into, question, told

distributed = pytest.importorskip("distributed")

from kbrules.tools import processes as clusters  # noqa: E402
from kbrules.tools.processes import ClusterLost, cluster  # noqa: E402

DEALS = 60


def run(*words: str) -> Result:
    return CliRunner().invoke(program(["simulate", "balance"]), list(words))


def local_cluster(workers: int) -> Any:
    """Workers on this machine; every socket of theirs is on loopback."""
    return distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        silence_logs=60,
    )


@pytest.fixture(scope="module")
def running() -> Iterator[Any]:
    with local_cluster(2) as found:
        yield found


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> QuestionTables:
    folder = fell(tmp_path_factory.mktemp("games") / "fell")
    return QuestionTables(question(folder, ("rowers",), ("gulls",)))


@pytest.fixture(scope="module")
def expected(tables: QuestionTables) -> list[tuple[object, ...]]:
    with Store() as store:
        play_into(store, tables, DEALS)
        return told(store)


def played_by(
    executor: Executor, tables: QuestionTables, strike: Any = None
) -> tuple[list[tuple[object, ...]], int]:
    """The rows of a run, and how many deals it says are done; strike: called after the first."""
    pool = Parallel(2, prepare, tables.question, tables.digests, executor=executor)
    with Store() as store:
        add, struck = store.add, [strike]

        def added(played: PlayedSpan) -> None:
            add(played)
            if struck[0] is not None:
                struck.pop()()
                struck.append(None)

        store.add = added  # type: ignore[method-assign]
        play_into(store, tables, DEALS, pool)
        return told(store), store.done


def test_workers_of_a_cluster_play_the_same_games(
    running: Any, tables: QuestionTables, expected: list[tuple[object, ...]]
) -> None:
    with cluster(running.scheduler_address) as executor:
        assert executor.size == 2
        assert played_by(executor, tables) == (expected, DEALS)


def test_every_socket_is_on_loopback(running: Any) -> None:
    psutil = pytest.importorskip("psutil")
    with cluster(running.scheduler_address):
        here = psutil.Process()
        sockets = [
            socket
            for process in (here, *here.children(recursive=True))
            for socket in process.net_connections("inet")
        ]
    addresses = {socket.laddr.ip for socket in sockets}
    assert len(sockets) > 4 and addresses <= {"127.0.0.1", "::1"}


def test_threads_that_share_rules_play_the_same_games(
    tables: QuestionTables, expected: list[tuple[object, ...]]
) -> None:
    with ThreadPoolExecutor(3) as executor:
        assert played_by(executor, tables) == (expected, DEALS)


def test_a_worker_that_is_killed_costs_no_game_and_counts_none_twice(
    running: Any, tables: QuestionTables, expected: list[tuple[object, ...]]
) -> None:
    def strike() -> None:
        victims.append(next(iter(executor._client.run(os.getpid).values())))
        os.kill(victims[0], signal.SIGKILL)

    victims: list[int] = []
    with cluster(running.scheduler_address) as executor:
        assert played_by(executor, tables, strike) == (expected, DEALS)
    assert victims


def test_balance_is_measured_by_a_cluster(running: Any, tmp_path: Path) -> None:
    tables = tables_of(green(tmp_path, *CARDS), "dwellers", "greedy", "random")
    with cluster(running.scheduler_address) as executor:
        job = 2, prepare, tables.question, tables.digests
        pool: Any = Parallel(*job, executor=executor)
        assert report_told(tables, 8, pool=pool) == report_told(tables, 8)


def test_workers_with_other_rules_are_refused(running: Any, tables: QuestionTables) -> None:
    with cluster(running.scheduler_address) as executor:
        pool: Any = Parallel(2, prepare, tables.question, ("0ther",), executor=executor)
        with Store() as store, pytest.raises(RulesChanged):
            play_into(store, tables, DEALS, pool)


def test_a_cluster_that_is_shut_down_is_told_and_what_was_done_is_kept(
    tables: QuestionTables,
) -> None:
    with local_cluster(1) as temporary_results, Store() as store:
        with pytest.raises(ClusterLost), cluster(temporary_results.scheduler_address) as executor:
            pool = Parallel(1, prepare, tables.question, tables.digests, executor=executor)
            play_into(store, tables, 5, pool)
            temporary_results.close()
            play_into(store, tables, DEALS, pool)
        assert store.done == 5


def test_a_cluster_without_workers_is_given_up(
    tables: QuestionTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "NO_WORKER_SECONDS", 1.0)
    monkeypatch.setattr(clusters, "_POLL_SECONDS", 0.2)
    with (
        local_cluster(1) as temporary_results,
        cluster(temporary_results.scheduler_address) as executor,
    ):
        temporary_results.scale(0)
        with pytest.raises(ClusterLost) as lost, Store() as store:
            pool = Parallel(1, prepare, tables.question, tables.digests, executor=executor)
            play_into(store, tables, DEALS, pool)
        assert lost.value.code == "KB059" and "no worker" in str(lost.value)


@pytest.mark.parametrize("address", ["nowhere", "tcp://127.0.0.1:1", "rubbish://127.0.0.1:1"])
def test_what_is_no_cluster_is_told_in_time(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "CONNECT_SECONDS", 0.5)
    monkeypatch.chdir(tmp_path)
    found = run("simulate", "--games", "2", "--bots", "random", "--cluster", address)
    assert found.exit_code == 2 and "KB059" in found.stderr and "Traceback" not in found.stderr
    assert not [*tmp_path.iterdir()]


def test_the_command_has_a_cluster_play(
    running: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    asked = "simulate", "--games", "4", "--bots", "random", "--output-format", "json", "--no-file"
    there = run(*asked, "--cluster", running.scheduler_address)
    assert there.exit_code == 0, there.stderr
    assert there.stdout == run(*asked, "--jobs", "1").stdout
