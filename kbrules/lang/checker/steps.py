"""A step as written, fitted to the pattern its verb was registered with."""

from __future__ import annotations

from dataclasses import replace

from kbrules.diagnostics import did_you_mean, suggest
from kbrules.lang.checker.expressions import infer_as
from kbrules.lang.checker.scope import Scope, hole
from kbrules.lang.syntax import tree
from kbrules.lang.syntax.foreign_words import instead_of
from kbrules.lang.syntax.split import STATEMENTS
from kbrules.lang.typed.core import Expr, Lit, Step
from kbrules.lang.typed.signature import StepParameter, StepSignature
from kbrules.lang.typed.sorts import SORT_NAMES, Sort
from kbrules.text import Span


def check_step(node: tree.Step, scope: Scope) -> Step | None:
    """The typed step, or None with the reason reported."""
    steps = scope.vocabulary.steps
    if node.verb.text not in steps:
        _report_unknown(node, scope)
        return None
    signature = _closest(node, steps[node.verb.text])
    filler = _ArgumentFiller(signature, scope)
    filler.take_operand(node)
    for phrase in node.arguments:
        filler.take_phrase(phrase)
    filler.complete(node)
    arguments = tuple(filler.values.get(parameter.name) for parameter in signature.parameters)
    return Step(signature.name, signature.verb, arguments, node.span)


_STEPS_ARE = "`kbrules show step` lists all steps"
_ELSEWHERE = {"replaces": "it belongs to the heading: `rule wide_lake replaces lake:`"}


def _report_unknown(node: tree.Step, scope: Scope) -> None:
    """Report a verb nobody knows; the rest is read as if the one nearest to it stood there."""
    steps = scope.vocabulary.steps
    suggestion = suggest(node.verb.text, {*steps, *STATEMENTS})
    advice = _ELSEWHERE.get(node.verb.text) or instead_of(node.verb.text) or _STEPS_ARE
    help_ = f"did you mean `{suggestion}`?" if suggestion else advice
    if suggestion or not scope.is_lenient:
        scope.report("KB201", node.verb.span, f"`{node.verb.text}` is not a step I know", help_)
    if suggestion is not None and suggestion in steps:
        guessed = scope.silent()
        check_step(replace(node, verb=tree.Word(suggestion, node.verb.span)), guessed)
        scope.findings.extend(each for each in guessed.findings if each.code == "KB201")


def _closest(node: tree.Step, signatures: tuple[StepSignature, ...]) -> StepSignature:
    """Among patterns of one verb, the one whose nouns are written here."""
    words = {p.preposition.text for p in node.arguments}
    if isinstance(node.operand, tree.Name):
        words.add(node.operand.text)
    for signature in signatures:
        nouns = {noun for parameter in signature.parameters for noun in parameter.nouns}
        if nouns & words:
            return signature
    return signatures[0]


class _ArgumentFiller:
    """The parameters of one step while its parts are read."""

    def __init__(self, signature: StepSignature, scope: Scope) -> None:
        self._signature = signature
        self._scope = scope
        self.values: dict[str, Expr] = {}
        self._nouns_seen: set[str] = set()
        self._refused = False

    def _parameters(self, kind: str) -> list[StepParameter]:
        return [parameter for parameter in self._signature.parameters if parameter.kind == kind]

    def _usage(self) -> str:
        pattern, example = self._signature.pattern, self._signature.example
        if pattern == pattern.lower() and "[" not in pattern:
            return f"write `{pattern}`"
        verb = self._signature.verb
        usage = f"`{verb}` takes `{pattern.removeprefix(verb).strip()}`"
        return f"{usage}, such as `{example}`" if example else usage

    def take_operand(self, node: tree.Step) -> None:
        """The part right after the verb: an expression, or a noun such as `tiles`."""
        operand = node.operand
        if operand is None:
            return
        if isinstance(operand, tree.Name) and self._take_word(operand.text, operand):
            return
        parameters = self._parameters("operand")
        if not parameters:
            message = f"`{self._signature.verb}` cannot be followed by `{operand.span.text}`"
            self._scope.report("KB205", operand.span, message, self._usage())
            self._refused = True
            return
        self._fill(parameters[0], operand)

    def take_phrase(self, phrase: tree.StepArgument) -> None:
        """A phrase such as `on ...`, or a single word such as `freely`."""
        word = phrase.preposition
        if phrase.value is None:
            if not self._take_word(word.text, tree.Name(word.text, word.span)):
                self._refuse(word)
            return
        parameter = next((s for s in self._parameters("phrase") if s.name == word.text), None)
        if parameter is None:
            self._refuse(word)
        elif parameter.name in self.values:
            message = f"`{word.text}` stands here twice"
            self._scope.report("KB205", word.span, message, "keep one of them")
        else:
            self._fill(parameter, phrase.value)

    def _refuse(self, word: tree.Word) -> None:
        if self._refused:  # most often what the first such word should have led in
            return
        self._refused = True
        message = f"`{self._signature.verb}` knows no `{word.text}`"
        help_ = did_you_mean(word.text, self._words(), self._usage())
        self._scope.report("KB205", word.span, message, help_)

    def _words(self) -> set[str]:
        """The words that may stand behind the verb, but for those of the language's own."""
        parameters = self._signature.parameters
        words = {
            parameter.name for parameter in parameters if parameter.kind in ("phrase", "adverb")
        }
        words |= {noun for parameter in parameters for noun in parameter.nouns}
        if any(parameter.kind == "piece" for parameter in parameters):
            constants = self._scope.vocabulary.constants
            words |= {name for name, each in constants.items() if each.sort is Sort.PIECE}
        return words

    def _take_word(self, text: str, node: tree.Name) -> bool:
        for parameter in self._signature.parameters:
            if parameter.kind == "noun" and text in parameter.nouns:
                self._nouns_seen.add(parameter.name)
                return True
            if parameter.kind == "adverb" and parameter.name == text:
                self.values[parameter.name] = Lit(Sort.TRUTH, node.span, True)
                return True
            if parameter.kind == "piece" and self._is_piece(text):
                self._fill(parameter, node)
                return True
        return False

    def _is_piece(self, text: str) -> bool:
        constant = self._scope.vocabulary.constants.get(text)
        is_bound = self._scope.variables.get(text) is Sort.PIECE
        is_unreadable = text in self._scope.vocabulary.unreadable_names
        return is_bound or is_unreadable or (constant is not None and constant.sort is Sort.PIECE)

    def _fill(self, parameter: StepParameter, node: tree.Expression) -> None:
        if parameter.sort is Sort.MEMORY:
            self.values[parameter.name] = self._memory(node)
            return
        scope = self._scope.bind(*parameter.binds)
        consumer = (
            f"`{parameter.name}`" if parameter.kind == "phrase" else f"`{self._signature.verb}`"
        )
        self.values[parameter.name] = infer_as(node, parameter.sort, scope, consumer)

    def _memory(self, node: tree.Expression) -> Lit:
        """The name of a declared memory, not its value."""
        memories = self._scope.names.memories
        if isinstance(node, tree.Name) and node.text in memories:
            wanted = self._signature.remembers
            if wanted is None or memories[node.text] in (wanted, Sort.HOLE):
                return Lit(Sort.MEMORY, node.span, node.text)
            return self._wrong_memory(node, memories[node.text])
        if isinstance(node, tree.Hole) or (
            isinstance(node, tree.Name) and self._scope.may_be_unreadable(node.text)
        ):
            return hole(node.span)
        message = f"`{node.span.text}` is not a memory"
        help_ = did_you_mean(node.span.text, memories, "declare it: `memory name: hexes of player`")
        return self._scope.report("KB201", node.span, message, help_)

    def _wrong_memory(self, node: tree.Name, held: Sort) -> Lit:
        """Report a memory that cannot hold what the step puts into it."""
        message = f"`{node.text}` holds {SORT_NAMES[held]}, but `{self._signature.verb}` needs one"
        wanted = self._signature.remembers
        help_ = f"declare another memory for it, as in `memory name: {wanted} of player`"
        return self._scope.report("KB203", node.span, f"{message} of {wanted}", help_)

    def complete(self, node: tree.Step) -> None:
        """Report what is still missing."""
        if self._refused:
            return
        for parameter in self._signature.parameters:
            if (
                parameter.kind == "noun"
                and not parameter.optional
                and parameter.name not in self._nouns_seen
            ):
                missing = f"`{parameter.nouns[0]}`"
            elif parameter.kind in ("operand", "phrase", "piece") and not parameter.optional:
                if parameter.name in self.values:
                    continue
                missing = (
                    f"`{parameter.name}`" if parameter.kind == "phrase" else "what to do it with"
                )
            else:
                continue
            message = f"`{self._signature.verb}` needs {missing}"
            self._scope.report("KB205", self._extent(node), message, self._usage())
            return

    def _extent(self, node: tree.Step) -> Span:
        """The step without its condition, on its first line."""
        end = node.guard.span.start if node.guard is not None else node.span.end
        text = node.span.source.span(node.span.start, end).text.split("\n")[0].rstrip()
        text = text.removesuffix(" if").rstrip()
        return node.span.source.span(node.span.start, node.span.start + len(text))
