"""What tests share: graphs, and how a peer that is missing is dealt with."""

from __future__ import annotations

import os
from collections.abc import Iterator
from types import ModuleType

import pytest

#: Set where every test has to run: what would be skipped fails there.
ALL = "BRANDES_TEST_ALL"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Iterator[None]:
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get(ALL):
        report.outcome = "failed"
    return report


@pytest.fixture
def networkx() -> ModuleType:
    """networkx as it is without the backend."""
    return pytest.importorskip("networkx")
