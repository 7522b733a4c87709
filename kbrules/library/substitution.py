"""One declaration of a rule set replaced by another, without reading the others again."""

from __future__ import annotations

from dataclasses import replace

from kbrules.lang.checker.declarations import Checked, check
from kbrules.lang.checker.rules import check_rule
from kbrules.lang.syntax import tree
from kbrules.library.boxes.overrides import options_of
from kbrules.library.load import Loaded, memories_of, titles_of
from kbrules.library.rules.board_marks import marks_of
from kbrules.library.rules.compose import compose
from kbrules.library.rules.vocabulary import full_vocabulary
from kbrules.library.ruleset import Ruleset


def with_declaration_replaced(
    loaded: Loaded, old: tree.Declaration, new: tree.Declaration
) -> Ruleset | None:
    """The rule set with a declaration in the place of one that was read; None if it does not fit.

    Both have the same name and are of the same kind. KeyError if nothing was loaded, or if the
    old one was not among it.
    """
    ruleset, checked = loaded.ruleset, loaded.checked
    if ruleset is None or checked is None or all(each is not old for each in loaded.declarations):
        raise KeyError(old.name.text)
    if isinstance(old, tree.Rule) and isinstance(new, tree.Rule):
        changed = _with_rule(loaded, checked, old, new)
    else:
        changed = _anew(loaded, old, new)
    if changed is None:
        return None
    declarations = tuple(new if each is old else each for each in loaded.declarations)
    return _composed(replace(ruleset, declarations=declarations), changed)


def _with_rule(loaded: Loaded, checked: Checked, old: tree.Rule, new: tree.Rule) -> Checked | None:
    """A rule adds no word, so that all the others mean what they did."""
    scope = replace(checked.scope, findings=[])
    rule = check_rule(new, scope)
    if scope.findings:
        return None
    nodes = (each for each in loaded.declarations if isinstance(each, tree.Rule))
    pairs = zip(nodes, checked.rules, strict=True)
    return replace(checked, rules=tuple(rule if node is old else was for node, was in pairs))


def _anew(loaded: Loaded, old: tree.Declaration, new: tree.Declaration) -> Checked | None:
    declarations = [new if each is old else each for each in loaded.declarations]
    checked, findings = check(declarations, full_vocabulary(loaded.catalog))
    return None if findings else checked


def _composed(ruleset: Ruleset, checked: Checked) -> Ruleset | None:
    rules, findings = compose(checked.rules, ruleset.catalog, ruleset.parts)
    marks, unmarked = marks_of(ruleset.parts, checked.scope)
    options, misfits = options_of(checked.options, ruleset.parts)
    if findings or unmarked or misfits:
        return None
    return replace(
        ruleset,
        rules=rules,
        options=options,
        memories=memories_of(checked),
        marks=marks,
        titles=titles_of(checked),
    )
