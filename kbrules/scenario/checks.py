"""What a scenario expects, compared with what is so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kbrules.diagnostics import Diagnostic
from kbrules.game.moves import CHANCE
from kbrules.game.state import State
from kbrules.library.document import Loc
from kbrules.scenario.holdings import Holdings
from kbrules.scenario.offered import Offered
from kbrules.scenario.names import PLAYERS
from kbrules.scenario.setting import Setting

if TYPE_CHECKING:
    from kbrules.scenario.expected import ExpectModel

__all__ = ["Checks"]
