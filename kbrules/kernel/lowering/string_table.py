"""Numbers for the verbs and rules of moves."""

from __future__ import annotations


class StringTable:
    """Each text once, in the order of their first use."""

    def __init__(self, terrains: int) -> None:
        self.verbs = ["end", "stop", "choose", "use"]
        self.rules = ["turn"]
        self.terrains = terrains

    def verb(self, text: str) -> int:
        """The number of a verb."""
        return _number(self.verbs, text)

    def rule(self, text: str) -> int:
        """The number of a rule; those after `TERRAIN_RULES` are terrains."""
        return _number(self.rules, text)

    @property
    def constants(self) -> dict[str, int]:
        """The numbers by their names in a kernel's text."""
        verbs = {f"VERB_{verb.upper()}": i for i, verb in enumerate(self.verbs[:4])}
        return {**verbs, "RULE_TURN": 0, "TERRAIN_RULES": len(self.rules)}


def _number(known: list[str], text: str) -> int:
    if text not in known:
        known.append(text)
    return known.index(text)
