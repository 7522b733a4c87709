"""What a page may ask for: the values of a request, checked, and the answer if it cannot be."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol, TypeVar

Params = Mapping[str, Any]
Answer = dict[str, Any]
Methods = dict[str, Callable[[Params], Answer]]

MAX_VALUE = 2_000_000
"""Characters of a text that a page may send."""

Value = TypeVar("Value")
_LOG = logging.getLogger(__name__)


class SessionPart(Protocol):
    """A part of the session, made for the folder where files are tried."""

    methods: Methods

    def __init__(self, root: Path) -> None: ...


class Refused(Exception):
    """A request that cannot be answered: a code, why, and what to do instead."""

    def __init__(self, message: str, remedy: str = "", code: str = "KB009") -> None:
        super().__init__(message)
        self.message, self.remedy, self.code = message, remedy, code

    def answer(self) -> dict[str, str]:
        """What is sent in the place of a result."""
        return {"code": self.code, "message": self.message, "remedy": self.remedy}


def value_of(params: Mapping[str, Any], name: str, kind: type[Value], default: Value) -> Value:
    """A value of a request. Raises Refused if it is of another kind."""
    value = params.get(name, default)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise Refused(f"`{name}` must be of the kind {kind.__name__}")
    if kind is int and not 0 <= value <= MAX_VALUE:  # type: ignore[operator]
        raise Refused(f"`{name}` must be from 0 to {MAX_VALUE}")
    return value


def text_of(params: Mapping[str, Any], name: str, default: str = "") -> str:
    """A text of a request. Raises Refused if it is none, or too long."""
    text = value_of(params, name, str, default)
    if len(text) > MAX_VALUE:
        raise Refused(f"`{name}` has {len(text)} characters", f"at most {MAX_VALUE} are taken")
    if not text.isascii() and any("\ud800" <= each <= "\udfff" for each in text):
        raise Refused(f"`{name}` has half a character")
    return text


def answer_request(methods: Methods, method: str, params: Params) -> Answer:
    """The answer: `result`, or `error` with a code, a message and a remedy. Raises nothing."""
    try:
        if method not in methods:
            raise Refused(f"there is no method `{method[:40]}`", ", ".join(methods))
        return {"result": methods[method](params)}
    except Refused as refused:
        return {"error": refused.answer()}
    except OSError as error:
        return {"error": Refused(f"{error.strerror}", "look at the folder", "KB008").answer()}
    except Exception as fault:  # ours: told, logged, and the page goes on
        _LOG.exception("the request %s failed", method)
        message = f"a fault of kbrules: {type(fault).__name__}"
        return {"error": Refused(message, "please report it", "KB901").answer()}
