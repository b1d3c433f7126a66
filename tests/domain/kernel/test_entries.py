"""The functions of the kernel that are called from outside: compiled ones of these sources only."""

import sys
import warnings
from collections.abc import Iterator
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

from phaseledger.domain import kernel
from phaseledger.domain.kernel import entries

NAME = "phaseledger.domain.kernel.compiled"
SOURCE = sha256((Path(kernel.__file__).parent / "layout.py").read_bytes()).hexdigest()


@pytest.fixture(autouse=True)
def _asked_anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What is compiled is asked for once in a process."""
    monkeypatch.delattr(kernel, "compiled", raising=False)
    kernel.is_compiled.cache_clear()
    yield
    monkeypatch.undo()
    kernel.is_compiled.cache_clear()


def compiled(source: str) -> ModuleType:
    """A compiled module that was made of that source."""
    module = ModuleType(NAME)
    vars(module).update(MODULES=("layout",), SOURCE=source, pick=max)
    return module


def test_without_a_compiled_module_the_sources_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, NAME, None)  # as if there were none
    assert not kernel.is_compiled()
    assert kernel.compiled_functions(["pick"]) == {}


def test_a_compiled_module_of_these_sources_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, NAME, compiled(SOURCE))
    assert kernel.is_compiled()
    assert kernel.compiled_functions(["pick"]) == {"pick": max}


def test_a_compiled_module_of_other_sources_is_said_and_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, NAME, compiled("0" * 64))
    with pytest.warns(RuntimeWarning, match="The kernel runs uncompiled"):
        assert not kernel.is_compiled()
    assert kernel.compiled_functions(["pick"]) == {}


@pytest.mark.skipif(find_spec(NAME) is None, reason="nothing is compiled: python hatch_build.py")
def test_what_is_compiled_is_of_these_sources() -> None:
    with warnings.catch_warnings(action="error"):
        assert kernel.is_compiled()
    assert [type(getattr(entries, name)).__name__ for name in entries.__all__] == [
        "cython_function_or_method"
    ] * len(entries.__all__)
