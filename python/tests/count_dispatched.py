"""A pytest plugin that counts how often networkx's own tests call each function of the backend.

`NETWORKX_TEST_BACKEND=brandes NETWORKX_FALLBACK_TO_NX=True pytest -p count_dispatched --pyargs
networkx.algorithms` prints the counts, and fails if a function was not called.
"""

from __future__ import annotations

import functools
from collections import Counter
from typing import Any

import pytest

from brandes import networkx_backend, networkx_info

CALLS: Counter[str] = Counter()
FUNCTIONS = sorted(networkx_info.get_info()["functions"])


def counted(name: str) -> Any:
    function = getattr(networkx_backend, name)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        CALLS[name] += 1
        return function(*args, **kwargs)

    return call


def pytest_configure() -> None:
    for name in FUNCTIONS:
        setattr(networkx_backend, name, counted(name))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    for name in FUNCTIONS:
        terminalreporter.write_line(f"{name}: {CALLS[name]} calls dispatched to brandes")


def pytest_sessionfinish(session: pytest.Session) -> None:
    if not all(CALLS[name] for name in FUNCTIONS):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
