"""The games of a question about a card, deal by deal, and the file that keeps them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import asdict, astuple, dataclass, field, replace
from pathlib import Path
from time import perf_counter
from types import MappingProxyType

from kbrules import __version__
from kbrules.diagnostics import CodedError, RulesError, quoted, suggest
from kbrules.engine.game import Game
from kbrules.engine.matches import Outcome, outcome
from kbrules.engine.setup import choose_table, game_at
from kbrules.game.board import CARDS_IN_PLAY, Catalog
from kbrules.game.random import Random
from kbrules.hooks import OnProgress, silent
from kbrules.library.box import read_box, shipped_box, shipped_boxes, shipped_in
from kbrules.library.load import load
from kbrules.library.locks import LockedBox, brief
from kbrules.library.reading import RULES, author_folder, real_path, shown_name
from kbrules.library.ruleset import Ruleset
from kbrules.tools.bots import RANDOM
from kbrules.tools.processes import Parallel, RulesChanged
from kbrules.tools.simulate import results_file
from kbrules.tools.simulate.run import REFERENCE_METHOD, PlayMethod, random_outcomes

# Finds the card of a question: by name or title, by its file, or by its folder.


class CardNotFound(CodedError):
    """No card is meant, or more than one; `help` says what could be."""

    def __init__(self, code: str, message: str, help: str) -> None:
        super().__init__(message, help)
        self.code = code


def folder_of(name: str) -> Path | None:
    """The author's folder in which a card lies that is named by a path; None if it is no path.

    Raises CardNotFound for a path at which no card can lie.
    """
    path = Path(name)
    if not path.is_dir() and path.suffix != RULES:
        return None
    if not path.exists():
        raise CardNotFound("KB001", f"{quoted(name)} does not exist", "look for a slip in the path")
    folder = author_folder(path / "rules" if path.is_dir() else path)
    if folder is None:
        help = "it must lie in the folder of an expansion: `kbrules new expansion NAME` makes one"
        raise CardNotFound("KB006", f"{quoted(shown_name(path))} belongs to no expansion", help)
    return folder


def boxes_with(name: str) -> list[str]:
    """The shipped boxes in which a card of that id or title may lie."""
    plain_name = _plain(name)
    boxes = ((id, read_box(shipped_box(id))[0]) for id in shipped_boxes())
    return [
        id
        for id, box in boxes
        if box is not None and plain_name in map(_plain, (*box.model.cards, *box.model.tasks))
    ]


def card_in(ruleset: Ruleset, name: str) -> str:
    """The id of the card that is meant by id, title or path. Raises CardNotFound."""
    catalog = ruleset.catalog
    titles = {card: rule.title for card in catalog.cards if (rule := ruleset.rule(card))}
    path = Path(name)
    if path.is_dir() or path.suffix == RULES:
        return _single_card(path, [card for card in titles if _lies_in(ruleset, card, path)])
    plain_name = _plain(name)
    for card, title in titles.items():
        if plain_name in (_plain(card), _plain(title)):
            return card
    help = _elsewhere(name, ruleset) or _card_hint(plain_name, catalog.cards)
    raise CardNotFound("KB413", f"there is no card {quoted(name)}", help)


def _plain(name: str) -> str:
    return name.strip().lower().replace(" ", "_")


def _lies_in(ruleset: Ruleset, card: str, path: Path) -> bool:
    rule = ruleset.rule(card)
    assert rule is not None, "a card of the catalog has a rule"
    file, folder_or_file = real_path(Path(rule.span.source.name)), real_path(path)
    return file == folder_or_file or folder_or_file in file.parents


def _single_card(path: Path, cards: list[str]) -> str:
    if len(cards) == 1:
        return cards[0]
    if not cards:
        raise CardNotFound("KB413", f"there is no card in {quoted(shown_name(path))}", "")
    folder = author_folder(path / "rules" if path.is_dir() else path)
    named = f"`kbrules balance {cards[0]} --with {folder}`"
    message = f"there are several cards in {quoted(shown_name(path))}: {_joined(cards)}"
    raise CardNotFound("KB009", message, f"name one of them: {named}")


def _elsewhere(name: str, ruleset: Ruleset) -> str:
    """The box in which it is, if only that is missing."""
    is_shipped = {*ruleset.boxes} & {*shipped_boxes()}
    boxes = boxes_with(name) if is_shipped else []
    return f"it is in {quoted(boxes[0])}: add `--with {boxes[0]}`" if boxes else ""


def _card_hint(name: str, known: Collection[str]) -> str:
    near = suggest(name, known)
    if not known:
        return "no box that is in play has any card; name others with `--with`"
    return f"did you mean {quoted(near)}?" if near else f"the cards are {_joined(sorted(known))}"


def _joined(names: Iterable[str]) -> str:
    return ", ".join(map(quoted, names))


# The tables on which a card is measured beside the others: the same board and luck for all.
#
# With each seed the other cards are dealt to as many tables as they need. The candidate, the card
# that is measured, takes the place of the first card of the first table: the same seats, board,
# deck and further cards.


@dataclass(frozen=True, slots=True)
class BalanceQuestion:
    """What is asked: which card, by what rules, at tables of how many, with which bots.

    boxes: ids of shipped ones. folders: authors' own. seed: of the first deal.
    """

    card: str
    boxes: tuple[str, ...]
    folders: tuple[str, ...] = ()
    players: int = 2
    bots: tuple[str, ...] = ("greedy",)
    seed: int = 0
    options: Mapping[str, bool | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class DealtGame:
    """One game of a deal, and the cards whose gold is counted there; each counts once a deal."""

    game: Game
    counted: tuple[str, ...]


def others_of(ruleset: Ruleset, card: str) -> tuple[str, ...]:
    """The cards to measure a card by: the shipped ones of its kind, or all if none is shipped."""
    catalog = ruleset.catalog
    kind = catalog.tasks if card in catalog.tasks else catalog.scoring
    same_kind = [each for each in sorted(kind) if each != card]
    return tuple(filter(lambda each: is_shipped(ruleset, each), same_kind)) or tuple(same_kind)


def is_shipped(ruleset: Ruleset, card: str) -> bool:
    """Whether a card came in one of the shipped boxes."""
    rule = ruleset.rule(card)
    return rule is not None and bool(shipped_in(Path(rule.span.source.name)))


def dealt_games(
    ruleset: Ruleset, question: BalanceQuestion, others: Sequence[str], seed: int
) -> Iterator[DealtGame]:
    """The games of a seed, that of the candidate first.

    SetupError if the boxes lay no table for so many.
    """
    catalog = ruleset.catalog
    table = choose_table(ruleset, question.players, seed, options=question.options)
    is_task = question.card in catalog.tasks
    other_cards = [card for card in table.cards if (card in catalog.tasks) is not is_task]
    counted: set[str] = set()
    for cards in cards_of_tables(question.card, others, _cards_on_table(catalog, is_task), seed):
        game = game_at(
            ruleset, replace(table, cards=tuple(_ordered(catalog, [*cards, *other_cards])))
        )
        yield DealtGame(game, _first_seen(cards[:1] if not counted else cards, counted))


def _cards_on_table(catalog: Catalog, is_task: bool) -> int:
    """How many cards of a kind lie on a table; of tasks always one."""
    return 1 if is_task else max(1, catalog.numbers.get(CARDS_IN_PLAY, 1))


def _ordered(catalog: Catalog, cards: Sequence[str]) -> list[str]:
    """Scoring cards, then tasks."""
    return sorted(cards, key=lambda card: card in catalog.tasks)


def _first_seen(cards: Collection[str], counted: set[str]) -> tuple[str, ...]:
    new = tuple(card for card in cards if card not in counted)
    counted.update(new)
    return new


def cards_of_tables(
    card: str, others: Sequence[str], room: int, seed: int
) -> list[tuple[str, ...]]:
    """The cards of each table: the one with `card`, then those that have all the others once.

    The others are shuffled by the stream `balance`; the last table is filled up from the first.
    """
    order = Random(seed, "balance").sample(others, len(others))
    rows = [order[at : at + room] for at in range(0, len(order), room)]
    if len(rows) > 1:
        rows[-1] += order[: room - len(rows[-1])]
    other_cards = rows[0][1:] if rows else []
    return [(card, *other_cards), *map(tuple, rows)]


# The games of a question, played deal by deal.


@dataclass(frozen=True, slots=True)
class CardPayments:
    """What a card paid each player of a game, and whether another had won without it.

    beside: the cards that lay there with it.
    """

    card: str
    gold: tuple[int, ...]
    decisive: bool
    other_cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SeedPayments:
    """All that was paid in the games of one seed between bots of one kind.

    games: how many there were. stand_ins: the invented maps that lay there.
    """

    bot: str
    seed: int
    paid: tuple[CardPayments, ...]
    games: int
    stand_ins: tuple[str, ...]


def results_of_seeds(
    ruleset: Ruleset,
    question: BalanceQuestion,
    seeds: Iterable[int],
    method: PlayMethod = REFERENCE_METHOD,
    fallbacks: list[int] | None = None,
) -> Iterator[SeedPayments]:
    """The results of some seeds, one for each bot; what they are depends on nothing else.

    method: how the games are played; what comes of them is the same. fallbacks: takes the seeds of
    games that need more room than the engine has, and are played by the reference.
    """
    others, fallbacks = (
        others_of(ruleset, question.card),
        [] if fallbacks is None else fallbacks,
    )
    for seed in seeds:
        games = list(dealt_games(ruleset, question, others, seed))
        for bot in question.bots:
            paid = [
                each
                for game in games
                for each in _card_payments(game, seed, bot, method, fallbacks)
            ]
            yield SeedPayments(bot, seed, tuple(paid), len(games), games[0].game.board.stand_ins)


def _card_payments(
    dealt: DealtGame, seed: int, bot: str, method: PlayMethod, fallbacks: list[int]
) -> Iterator[CardPayments]:
    game = dealt.game
    game_outcome = _outcome(game, seed, bot, method, fallbacks)
    for card in dealt.counted:
        gold = _gold(game, game_outcome, card)
        decisive = _leaders(game_outcome.totals) != _leaders(
            _totals_without(game_outcome.totals, gold)
        )
        yield CardPayments(card, gold, decisive, tuple(each for each in game.cards if each != card))


def _outcome(game: Game, seed: int, bot: str, method: PlayMethod, fallbacks: list[int]) -> Outcome:
    """The outcome of a game; one that is left to chance alone is played in a quicker way."""
    if bot == RANDOM:
        return next(random_outcomes(game, [seed], method.engine, fallbacks))
    return outcome(game, seed, [method.bot(bot)] * game.players)


def _gold(game: Game, game_outcome: Outcome, card: str) -> tuple[int, ...]:
    """What a card paid at the end and in play, for each player."""
    return tuple(paid.get(card, 0) for paid in game_outcome.paid(game.scoring.ids))


def _leaders(totals: Sequence[int]) -> list[int]:
    """Whoever has most."""
    return [player for player, total in enumerate(totals) if total == max(totals)]


def _totals_without(totals: Sequence[int], gold: Sequence[int]) -> list[int]:
    return [total - paid for total, paid in zip(totals, gold, strict=True)]


# The pool for the seeds of a question: this process, and others with it if it takes long.
#
# What comes of a seed does not depend on who plays it.


_PART_SECONDS = (
    0.25  # seconds that a part should take: to hand one out costs a few thousandths of one
)
_STARTED = "processes started"
_PARALLEL_SECONDS = 4.0  # seconds of play from which on it pays to have others read the rules, too


@dataclass(frozen=True, slots=True)
class PlayedSeeds:
    """The results of some seeds in a row, and how long it took in seconds.

    by_reference: games that needed more room than the engine has, and were played by the reference.
    """

    seeds: range
    results: tuple[SeedPayments, ...]
    seconds: float
    by_reference: int = 0


class SeedPool:
    """Plays seeds; calls for others when it sees that it takes long.

    jobs: processes, at most. method: how games are played. executor: see `Parallel`. on_progress:
    told how many of the others play, for it takes them a while to start. To be left as a context,
    so that nobody goes on without us.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        question: BalanceQuestion,
        jobs: int,
        method: PlayMethod = REFERENCE_METHOD,
        executor: Executor | None = None,
        on_progress: OnProgress = silent,
    ) -> None:
        self._ruleset, self._method, self._executor = ruleset, method, executor
        self._question, self._on_progress = question, on_progress
        self._jobs = self._started = jobs
        self._pool: Parallel[range, PlayedSeeds] | None = None

    def __enter__(self) -> SeedPool:
        return self

    def __exit__(self, *fault: object) -> None:
        if self._pool is not None:
            self._pool.close()

    def run(self, seeds: range) -> Iterator[PlayedSeeds]:
        """What comes of the seeds, a few at a time; in any order once there are others."""
        start = perf_counter()
        for at, seed in enumerate(seeds, 1):
            yield _timed_results(self._ruleset, self._question, range(seed, seed + 1), self._method)
            seconds_per_seed = max((perf_counter() - start) / at, 1e-9)
            left = seeds[at:]
            has_others = self._jobs > 1 or self._executor is not None
            if has_others and (
                self._pool is not None or seconds_per_seed * len(left) > _PARALLEL_SECONDS
            ):
                count = max(1, round(_PART_SECONDS / seconds_per_seed))
                parts = (left[at : at + count] for at in range(0, len(left), count))
                pool = self._started_pool()
                for played in pool.run(parts):
                    self._count_started()
                    yield played
                return

    def _started_pool(self) -> Parallel[range, PlayedSeeds]:
        if self._pool is None:
            arguments = self._question, self._ruleset.digest, self._method
            self._pool = Parallel(self._jobs, _prepare, *arguments, executor=self._executor)
            self._started = 0
            self._on_progress(0, self._jobs, _STARTED)
        return self._pool

    @property
    def is_starting(self) -> bool:
        """Whether there are others of whom nothing has come yet: the rate is not theirs so far."""
        return self._started < self._jobs

    def _count_started(self) -> None:
        """Take note of something that has come from others."""
        if self.is_starting:
            self._started += 1
            self._on_progress(self._started, self._jobs, _STARTED)


def _prepare(
    question: BalanceQuestion, digest: str, method: PlayMethod
) -> Callable[[range], PlayedSeeds]:
    try:
        ruleset = load(*question.boxes, folders=question.folders)
    except RulesError:
        raise RulesChanged from None
    if ruleset.digest != digest:
        raise RulesChanged
    return lambda seeds: _timed_results(ruleset, question, seeds, method)


def _timed_results(
    ruleset: Ruleset, question: BalanceQuestion, seeds: range, method: PlayMethod
) -> PlayedSeeds:
    start = perf_counter()
    fallbacks: list[int] = []
    results = tuple(results_of_seeds(ruleset, question, seeds, method, fallbacks))
    return PlayedSeeds(seeds, results, perf_counter() - start, len(fallbacks))


# The file of a balance: what each card was paid in the games of finished deals.


PURPOSE = "purpose"
UNFINISHED = "games that were broken off"

_PaymentRows = list[tuple[str, tuple[int, ...], bool, tuple[str, ...]]]
_RESULTS = (
    "CREATE TABLE results (deal INTEGER, bot TEXT, games INTEGER NOT NULL, "
    "stand_ins TEXT NOT NULL, paid TEXT NOT NULL, PRIMARY KEY (deal, bot)) WITHOUT ROWID"
)
_FIRST_DEALS = (
    "SELECT deal, bot, games, stand_ins, paid FROM results WHERE deal < ? ORDER BY deal, bot"
)


Contents = Mapping[str, LockedBox]
NO_CONTENTS: Contents = MappingProxyType({})


class Results(results_file.ResultsFile):
    """The results of one question; deals are counted from 0, the first has the question's seed."""

    command = "kbrules balance"
    file_format = "kbrules balance 1"

    @classmethod
    def own_tables(cls, columns: Sequence[str]) -> tuple[str, ...]:
        """Return the statement that makes its table."""
        return (_RESULTS,)

    def __init__(
        self,
        path: str | Path,
        question: BalanceQuestion,
        digest: str,
        contents: Contents = NO_CONTENTS,
        purpose: str = "",
    ) -> None:
        """Make a new file ready for a question, or see that the file is about this very one.

        digest: of the rules. contents: of the boxes. purpose: of a file that nobody named; one that
        somebody names has none from then on. OtherQuestion if it is about another: also when
        rules or kbrules have changed since. Unusable if there is something else in the file, or
        no way to it.
        """
        super().__init__(path)
        self._seed = question.seed
        facts = facts_of(question, digest, contents)
        try:
            self._create_or_check({**facts, PURPOSE: purpose} if purpose else facts)
            if not purpose and self.purpose:
                with self._writing():
                    self._db.execute("DELETE FROM facts WHERE name = ?", [PURPOSE])
        except BaseException:
            self._db.close()
            raise

    @property
    def purpose(self) -> str:
        """What it was made for, if nobody named it."""
        return self.facts.get(PURPOSE, "")

    def add(self, played: PlayedSeeds) -> None:
        """Keep what was played, all of it or nothing; Unusable if any of it is there already."""
        span = results_file.DealSpan(played.seeds.start - self._seed, len(played.seeds))
        with self._writing_span(span, played.seconds):
            self._db.executemany(
                "INSERT INTO results VALUES (?, ?, ?, ?, ?)", map(self._row, played.results)
            )

    def _row(self, result: SeedPayments) -> tuple[int | str, ...]:
        texts = json.dumps(result.stand_ins), json.dumps([astuple(each) for each in result.paid])
        return result.seed - self._seed, result.bot, result.games, *texts

    def first(self, deals: int) -> Iterator[SeedPayments]:
        """The results of so many deals from the first on, whoever played them and when."""
        for deal, bot, games, stand_ins, paid in self.rows(_FIRST_DEALS, [deals]):
            each = (
                CardPayments(*card) for card in self.read("what cards paid", paid, _PaymentRows)
            )
            maps = self.read("its maps", stand_ins, list[str])
            yield SeedPayments(bot, deal + self._seed, tuple(each), games, tuple(maps))

    @property
    def games(self) -> int:
        """How many games are told in all."""
        return int(next(self.rows("SELECT coalesce(sum(games), 0) FROM results"))[0])


class StoredResults(Results):
    """A file of results that is only read, whatever question it answers."""

    def __init__(self, path: Path) -> None:
        """UnusableFile if there is something else in the file, or nothing."""
        results_file.ResultsFile.__init__(self, path)
        try:
            if self._is_new:
                raise results_file.UnusableFile(f"`{self.path}` holds no games")
            self.question = self.fact("question", BalanceQuestion)
            self.digests = self.fact("rules", list[str])
        except BaseException:
            self._db.close()
            raise
        self._seed = self.question.seed


@contextmanager
def temporary_results(
    path: str | Path, question: BalanceQuestion, digest: str, contents: Contents = NO_CONTENTS
) -> Iterator[Results]:
    """The same in a file that stays if the games in it were broken off, or somebody named it."""
    is_finished = False
    try:
        with Results(path, question, digest, contents, UNFINISHED) as results:
            is_ours = results.purpose == UNFINISHED
            try:
                yield results
                is_finished = True
            finally:
                is_finished = is_ours and (is_finished or not results.games)
    finally:
        if is_finished:
            Path(path).unlink(missing_ok=True)


def results_made_for(purpose: str, path: Path, question: BalanceQuestion, digest: str) -> Results:
    """The results in a file made for a purpose, which gives way to one about another question.

    They are kept in memory if there is any other file of that name.
    """
    if os.path.lexists(path) and _purpose_of(path) != purpose:
        return Results(results_file.MEMORY, question, digest)
    try:
        return Results(path, question, digest, purpose=purpose)
    except results_file.OtherQuestion:
        path.unlink()
        return Results(path, question, digest, purpose=purpose)


def _purpose_of(path: Path) -> str:
    """What a file was made for; nothing if somebody named it, or it holds something else."""
    if not path.is_file():  # SQLite would make it
        return ""
    try:
        with _Unread(path) as file:
            return file.purpose
    except results_file.UnusableFile:
        return ""


class _Unread(Results):
    """A file of results, whatever question it answers, of which only the facts are read."""

    def __init__(self, path: Path) -> None:
        results_file.ResultsFile.__init__(self, path)


def facts_of(question: BalanceQuestion, digest: str, contents: Contents) -> dict[str, str]:
    """What the file of a question says of itself."""
    return {
        "question": json.dumps(asdict(question), sort_keys=True),
        "rules": json.dumps([digest]),
        results_file.CONTENTS: json.dumps([brief(contents)]),
        "version": __version__,
    }
