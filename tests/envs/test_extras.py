"""Environments whose libraries are not installed say which extra brings them."""

from __future__ import annotations

import sys
from importlib.util import find_spec, module_from_spec

import pytest

from kbrules.tools.processes import MissingExtra


@pytest.mark.parametrize(
    ("name", "library", "extra"),
    [
        ("gymnasium", "gymnasium", "envs"),
        ("pettingzoo", "pettingzoo", "envs"),
        ("openspiel", "pyspiel", "openspiel"),
    ],
)
def test_a_library_that_is_missing_is_named(
    name: str, library: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = find_spec(f"kbrules.envs.{name}")
    assert spec is not None and spec.loader is not None
    for known in [library, *(name for name in sys.modules if name.startswith(f"{library}."))]:
        monkeypatch.setitem(sys.modules, known, None)
    with pytest.raises(
        MissingExtra, match=f"the extra `{extra}` of kbrules: .*`{library}"
    ) as missing:
        spec.loader.exec_module(module_from_spec(spec))
    assert missing.value.code == "KB045" and missing.value.help == f"pip install 'kbrules[{extra}]'"
