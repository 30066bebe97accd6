"""Makes skipped tests fail on request."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

#: If this environment variable is set, a skipped test counts as failed.
ALL = "BRANDES_TEST_ALL"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Iterator[None]:
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get(ALL):
        report.outcome = "failed"
    return report
