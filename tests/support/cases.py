"""Cases of one test: a loop that names the case which fails."""

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import iscoroutinefunction, signature
from typing import Any

Test = Callable[..., None]


def looped(
    names: str | tuple[str, ...],
    cases: Iterable[Any],
    ids: Iterable[str] | Callable[[Any], str] | None = None,
) -> Callable[[Test], Test]:
    """Call a test with each case, as `pytest.mark.parametrize` does, but within one test.

    Collecting, starting and reporting a test costs more than most cases. The fixtures of the test
    are shared by its cases, so none of them may keep what a case has done.
    """
    fields = [name.strip() for name in names.split(",")] if isinstance(names, str) else [*names]
    rows = [_row(case, len(fields)) for case in cases]
    if callable(ids):
        rows = [(values, ids(*values)) for values, _ in rows]
    elif ids is not None:
        rows = [(values, name) for (values, _), name in zip(rows, ids, strict=True)]
    assert rows, "a test without cases tests nothing"

    def decorated(test: Test) -> Test:
        assert not iscoroutinefunction(test), "nothing would await it"

        @wraps(test)
        def loop(**fixtures: object) -> None:
            for values, name in rows:
                try:
                    test(**fixtures, **dict(zip(fields, values, strict=True)))
                except BaseException as error:
                    error.add_note(f"in the case: {name}")
                    raise

        given = signature(test)
        kept = [given.parameters[name] for name in given.parameters if name not in fields]
        loop.__signature__ = given.replace(parameters=kept)  # type: ignore[attr-defined]
        return loop

    return decorated


def _row(case: Any, fields: int) -> tuple[tuple[Any, ...], str]:
    """The values of a case, and its name: that of `pytest.param`, or what it looks like."""
    if hasattr(case, "marks"):
        assert not case.marks, "a case within a test has no marks of its own"
        return case.values, case.id or repr(case.values)
    return (case,) if fields == 1 else tuple(case), repr(case)
