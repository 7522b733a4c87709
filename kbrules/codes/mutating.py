"""KB03x: faults planted in rules, and the tests that should notice them."""

from __future__ import annotations

from kbrules.codes.entry import Code, Example

_FLOODS = ("rules/near.kb", 'option floods = no "The lake may rise."\n')
_LISTED = """\
format: 1
survivors:
  - reason: No rule of this small game asks about floods so far.
    faults:
      - in: option floods
        was: option floods = no "The lake may rise."
        now: option floods = yes "The lake may rise."
"""
_OLD = """\
      - in: option floods
        was: option floods = 2 "How far the lake may rise."
        now: option floods = 3 "How far the lake may rise."
"""
_NONE = "format: 1\nsurvivors: []\n"
_TEST = """\
format: 1
title: The first build
board:
  drawing: |
    H H Ha
     H H H
"""
_FAILING = ("scenarios/first.scenario.yaml", _TEST + "steps: [build c1]\n")
_HOLDING = ("scenarios/first.scenario.yaml", _TEST + "steps: [build a1]\n")
_PROOF = "test . --mutate --no-search --mutate-only floods"
_ALL = (_FLOODS, ("mutants.yaml", _LISTED))

ENTRIES = (
    Code(
        "KB030",
        "survivor",
        "no test notices a fault",
        "A small fault was planted in a rule, and every scenario and example still held. So "
        "nothing holds the rule to what it says at this point. Add a scenario that fails with "
        "the fault; often one is shown. If the rule means the same with the fault, say so in "
        "`mutants.yaml`, with the reason.",
        wrong=Example("mutants", _NONE, (_FLOODS,)),
        right=Example("mutants", _LISTED, (_FLOODS,)),
    ),
    Code(
        "KB031",
        "needless-reason",
        "a fault is listed that does not survive",
        "The list of faults that may survive names one that a test notices now, or one that can "
        "no longer be planted since the rule was changed. Take it out of the list, so that the "
        "fault is noticed again if it ever survives.",
        wrong=Example("mutants", _LISTED + _OLD, (_FLOODS,)),
        right=Example("mutants", _LISTED, (_FLOODS,)),
    ),
    Code(
        "KB032",
        "fails-without-fault",
        "a test fails before a fault is planted",
        "Which faults the tests notice can only be said of tests that hold. Mend the test or the "
        "rule first; `kbrules test` shows what is wrong.",
        wrong=Example("arguments", _PROOF, (*_ALL, _FAILING)),
        right=Example("arguments", _PROOF, (*_ALL, _HOLDING)),
    ),
)
