"""Open texts over the files on disk, and what was last asked about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from kbrules.diagnostics import Diagnostic
from kbrules.library import load, store, yaml
from kbrules.library.reading import MANIFEST, RULES, real_path, shown_name
from kbrules.project.files import SourceFile
from kbrules.project.project import Context, Project
from kbrules.scenario import reader, report, running
from kbrules.scenario.collection import Collection
from kbrules.text import Source, Span
from kbrules.tools.check import checked
from kbrules.tools.language_service import answers
from kbrules.tools.lint.run import LintSettings

Findings = Mapping[Path, tuple[Diagnostic, ...]]
_SUFFIXES = frozenset({RULES, ".yaml", ".toml"})  # of files, never of folders
_LOADED = 8  # contexts of which what was loaded last is kept


class Cancelled(Exception):
    """What was asked for is not wanted any more."""


class Workspace:
    """The project as it is typed now. Its roots may have several boxes below them, or none.

    Each change makes another project, and a question is about the one that there is when it is
    asked. So several threads may ask at the same time, and nobody waits for another. Answers name
    a file by the path it was opened by, others by their real path. Nothing here raises for any
    text.
    """

    def __init__(self, roots: Sequence[Path] = (), project: Project | None = None) -> None:
        self.project = project or Project(roots, base=next(iter(roots), None))
        self._open: dict[Path, Path] = {}
        self._latest: dict[Context, load.Loaded] = {}
        self._version = 0
        self._lints: dict[Path, tuple[int, Findings]] = {}
        self._ran: dict[
            Path, tuple[int, tuple[answers.ExampleResult, ...], Sequence[Diagnostic]]
        ] = {}

    # Texts

    def open_text(self, path: Path, text: str) -> None:
        """From now on a file has this text; also for each later change."""
        self._open[real_path(path)] = path
        self._become(self.project.edited({path: text}))

    def close_text(self, path: Path) -> None:
        """From now on a file has the text that it has on disk."""
        self._open.pop(real_path(path), None)
        self._become(self.project.edited({path: None}))

    def changed_on_disk(self, paths: Iterable[Path]) -> None:
        """Files were written, created, deleted or renamed there."""
        if any(path.name == MANIFEST or path.suffix not in _SUFFIXES for path in paths):
            self._latest.clear()  # what a box that comes back was is not what it is
        self._become(self.project.refreshed())

    def _become(self, project: Project) -> None:
        if project is not self.project:
            self.project = project
            self._version += 1

    def trial(self) -> Workspace:
        """A workspace of the same texts in which others can be tried."""
        made = Workspace(project=self.project)
        made._open = {**self._open}
        return made

    @property
    def files(self) -> store.Files:
        """The files as they were read."""
        return self.project.texts

    def text(self, path: Path) -> str:
        """The text of a file, with line feeds as line ends; empty if it cannot be read."""
        return self.source(path).text

    def source(self, path: Path) -> Source:
        """The same as a source, in which offsets have lines and columns."""
        source, findings = self.files.source(path)
        if source is not None:
            return source
        sources = (each.span.source for each in findings)
        return next((each for each in sources if each.text), Source(shown_name(path), ""))

    def path_of(self, span: Span) -> Path:
        """The file that a span lies in."""
        return self.path_named(Path(span.source.name))

    def path_named(self, path: Path) -> Path:
        """The path by which answers name a file."""
        real = real_path(path)
        return self._open.get(real, real)

    def place(self, span: Span) -> answers.Place:
        """Where the author wrote a span, in any file."""
        return answers.place_in(self.path_of(span), span)

    # What is known of a file

    def rules(self, path: Path) -> store.RuleFile:
        """A rule file as it was parsed, with the declarations of its tables."""
        return self.files.rules(path)

    def document(self, path: Path) -> yaml.Document | None:
        """A YAML file as data with places; None if it is none."""
        source, _ = self.files.source(path)
        if source is None:
            return None
        return self.files.memoized(("yaml", path), [source], lambda: yaml.read_yaml(source))[0]

    def loaded(self, path: Path) -> load.Loaded:
        """Everything that the box of a file, and what it needs, says together."""
        context = self.project.context(path)
        loaded = self.project.loaded(context)
        self._latest.pop(context, None)
        self._latest[context] = loaded
        if len(self._latest) > _LOADED:
            del self._latest[next(iter(self._latest))]
        return loaded

    def last_loaded(self, path: Path) -> load.Loaded:
        """The same as it was when it was last looked at, for answers that must not wait."""
        latest = self._latest.get(self.project.context(path))
        return self.loaded(path) if latest is None else latest

    def home(self, path: Path) -> Path | None:
        """The folder of the author's box that a file is in."""
        return self.project.file(path).home

    def related(self, path: Path) -> list[Path]:
        """The files that may mention what a file declares, or declare what it mentions.

        These are all files of its box, of the boxes that it needs, and of those that need it; with
        a shipped box the scenarios of the workspace that lie in no box.
        """
        return [self.path_named(each.path) for each in self.project.related(path)]

    def files_of_roots(self) -> list[Path]:
        """The rule files, boxes and scenarios below the roots, and those that are open."""
        below = {each.real: each.path for each in self.project.files()}
        others = {real: path for real, path in self._open.items() if real not in below}
        return [*(self._open.get(real, path) for real, path in below.items()), *others.values()]

    def holds(self, path: Path) -> bool:
        """Whether a file lies below a root of the workspace, or is open."""
        real = real_path(path)
        roots = map(real_path, self.project.roots)
        return real in self._open or any(map(real.is_relative_to, roots))

    # What is wrong

    def finding(self, each: Diagnostic) -> answers.Finding:
        """A finding as a plain value."""
        labels = (
            answers.Label(self.place(label.span), label.text)
            for label in each.labels
            if label.span.source.text
        )
        fix = (answers.TextEdit(self.place(edit.span), edit.text) for edit in each.fix)
        return answers.Finding(
            self.place(each.span), each.code, each.severity, each.message, each.help, each.claim,
            tuple(labels), tuple(fix),
        )  # fmt: skip

    def syntax(self, path: Path) -> tuple[Diagnostic, ...]:
        """What is wrong with a file by itself."""
        match self.project.file(path).kind:
            case "rules":
                return self.files.syntax(path)
            case "box":
                return tuple(self.files.box(path)[1])
            case "scenario":
                return tuple(self._in_scenarios(path))
            case "texts":
                return tuple(self.files.texts(path)[1])
        return ()

    def _in_scenarios(self, path: Path) -> list[Diagnostic]:
        source, found = self.files.source(path)
        if source is None:
            return found
        name = "scenarios", path
        return self.files.memoized(name, [source], lambda: reader.parse_scenarios(source))[1]

    def findings(self, *paths: Path) -> Findings:
        """What is wrong with all files of the boxes of files, and of the boxes that need these.

        Each file of them has an entry, so that what was said of it before can be withdrawn. The
        same as `kbrules check` without its warnings.
        """
        files, problems = self._around(paths)
        settings = LintSettings().problems(each.path for each in files)
        return self._found(files, [*problems, *settings])

    def names(self, *paths: Path) -> Findings:
        """The same of all files but scenarios: these are laid out, which takes as long again."""
        files, _ = self._around(paths)
        return self._found([each for each in files if each.kind != "scenario"], ())

    def _around(self, paths: Iterable[Path]) -> tuple[list[SourceFile], list[Diagnostic]]:
        """The files whose findings some files have a part in, and what keeps others from being
        read."""
        around = [self.project.around(path) for path in paths]
        files = {each.real: each for of in around for each in of.files if each.kind is not None}
        return [*files.values()], [*dict.fromkeys(each for of in around for each in of.problems)]

    def _found(self, files: Sequence[SourceFile], more: Iterable[Diagnostic]) -> Findings:
        found: dict[Path, list[Diagnostic]] = {self.path_named(each.path): [] for each in files}
        for each in (*self.project.errors(files), *more):
            found.setdefault(self.path_of(each.span), []).append(each)
        for context in self.project.by_context(files):
            self._latest[context] = self.project.loaded(context)
        return _frozen(found)

    def current_findings(self, path: Path) -> tuple[Diagnostic, ...]:
        """What is known to be wrong with a file as it is, warnings too if they were looked for."""
        found = self.findings(path).get(path, ())
        version, lints = self._lints.get(path, (-1, {}))
        return (*found, *(lints.get(path, ()) if version == self._version else ()))

    def lints(self, path: Path, cancelled: Callable[[], bool] = lambda: False) -> Findings:
        """The warnings of `kbrules check` for the box of a file; none while there is an error.

        Of a shipped box only the file itself is looked at, for all of it would take a minute.
        `cancelled` is asked often. Raises Cancelled if it says so.
        """

        def check_cancelled() -> None:
            if cancelled():
                raise Cancelled

        check_cancelled()
        version, file = self._version, self.project.file(path)
        files = [each for each in self.project.around(path).files if each.home == file.home]
        files = [file] if file.home is None else files
        result = checked(self.project, LintSettings(check_cancelled=check_cancelled), files)
        found: dict[Path, list[Diagnostic]] = {self.path_named(each.path): [] for each in files}
        for each in result.findings:
            if each.severity == "warning":
                found.setdefault(self.path_of(each.span), []).append(each)
        self._lints[path] = version, _frozen(found)
        return self._lints[path][1]

    # Examples and scenarios

    def collection(self, path: Path) -> Collection:
        """The examples or scenarios of a file that can be run, and why others cannot."""
        file = self.project.file(path)
        return self.project.cases([file]) if file.kind in ("rules", "scenario") else Collection()

    def examples(self, path: Path) -> tuple[answers.ExampleResult, ...]:
        """What came of each example or scenario of a file; none while its box has an error."""
        version, (known, found, _) = self._version, self._ran.get(path, (-1, (), ()))
        if known == version:
            return found
        ran = [(case, case.run()) for case in self.collection(path).cases]
        found = tuple(self.result(*each) for each in ran)
        failures = [e for _, outcome in ran if not outcome.passed for e in outcome.diagnostics]
        self._ran[path] = version, found, failures
        return found

    def result(
        self, case: running.Case, outcome: report.ScenarioOutcome | None = None
    ) -> answers.ExampleResult:
        """What came of an example or scenario, as a plain value."""
        outcome = outcome or case.run()
        found = outcome.diagnostics
        sentences = (each.message + (f" ({each.help})" if each.help else "") for each in found)
        return answers.ExampleResult(
            case.id, case.title, self.place(case.span), outcome.passed,
            "" if outcome.passed else "\n".join(sentences),
            "\n\n".join(each.picture for each in found if each.picture),
            tuple(map(self.finding, found)),
        )  # fmt: skip

    def failures(self, path: Path) -> Sequence[Diagnostic]:
        """What was found where examples did not hold; none if the texts changed since they ran."""
        version, _, found = self._ran.get(path, (-1, (), ()))
        return found if version == self._version else ()


def _frozen(found: Mapping[Path, list[Diagnostic]]) -> Findings:
    return {path: tuple(sorted(of)) for path, of in found.items()}
