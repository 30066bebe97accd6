"""The warnings of this package."""

from __future__ import annotations

import sys
import warnings


class BrandesWarning(RuntimeWarning):
    """Says what was assumed about an input, or what went wrong in a search and was repeated."""


def warn(text: str) -> None:
    """Warns about the line of the program that called this package."""
    package = __name__.partition(".")[0]
    frame, level = sys._getframe(1), 2
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == package:
        frame, level = frame.f_back, level + 1
    warnings.warn(text, BrandesWarning, stacklevel=level)
