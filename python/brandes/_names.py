"""Finds the names that misspelt ones may stand for."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable
from functools import wraps
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def near(name: object, names: Iterable[object]) -> str:
    """Returns a question about the name that is most like `name`, or nothing."""
    from difflib import get_close_matches

    texts = sorted(name for name in names if isinstance(name, str))
    found = get_close_matches(name, texts, 1) if isinstance(name, str) else []
    return f" (did you mean {found[0]!r}?)" if found else ""


def takes(options: Collection[str] = (), without: Collection[str] = ()) -> Callable[[F], F]:
    """Makes a function refuse unknown arguments with the nearest name.

    The function takes its named arguments, and as `**options` those of `options` that are not in
    `without`.
    """

    def decorate(function: F) -> F:
        parameters = inspect.signature(function).parameters
        names = {*options, *parameters}.difference(without, ("options",))

        @wraps(function)
        def checked(*arguments: Any, **named: Any) -> Any:
            if not named.keys() <= names:
                wrong = next(name for name in named if name not in names)
                hint = near(wrong, names)
                raise TypeError(f"{function.__name__}() has no argument {wrong!r}{hint}")
            return function(*arguments, **named)

        return checked  # type: ignore[return-value]

    return decorate
