"""What of Python the kernel may say, and that its translation does what Python does."""

from array import array
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis.strategies import floats, integers, lists

from hatch_build import KERNEL, ROOT, compile_kernel
from phaseledger.domain.kernel.transpiler.cython import translate
from phaseledger.domain.kernel.transpiler.meanings import OutsideDialect
from tests.support.cases import looped
from tests.support.installation import HAS_COMPILER

LAYOUT = """\
from collections.abc import MutableSequence
from typing import Final, TypeAlias

Ints: TypeAlias = MutableSequence[int]
Floats: TypeAlias = MutableSequence[float]
SIZE: Final = 3
HALF: Final = 0.5
"""
HEAD = """\
from math import sqrt
from typing import Final
from phaseledger.domain.kernel.layout import HALF, SIZE, Floats, Ints
"""
CHANGES = """\
def draw(cards: Ints) -> int:
    cards[0] -= 1
    return cards[0]
def drawn(cards: Ints) -> int:
    return draw(cards)
"""
SAMPLE = (
    HEAD
    + """\
TOP: Final = SIZE * 4 + 1
WIDE: Final = 5_000_000_000

def whole(numbers: Ints, first: int, second: int) -> int:
    \"\"\"What ints do.\"\"\"
    total = first + second * WIDE
    total ^= 1 << (second & 31) + 8
    total += WIDE // (1 + (first & 7)) % TOP - abs(-first) * -SIZE
    for i in range(TOP - 1, 0, -SIZE):
        numbers[i], numbers[i - 1] = numbers[i - 1], numbers[i]
        if numbers[i] & 1:
            continue
        total += min(numbers[i], first) if first else max(numbers[i], second, 7)
    while 0 <= total < WIDE and not is_odd(total):
        total = total * 3 + (first == second)
    return total

def is_odd(number: int) -> bool:
    if number == 0:
        return False
    return not is_odd(number - 1) if number < 100 else number & 1 != 0

def real(weights: Floats, number: int, scale: float) -> float:
    best: float = 0
    sum_ = 0.0
    for i in range(SIZE):
        weights[i] = weights[i] * scale + number * HALF / (1 + i)
        sum_ += sqrt(abs(weights[i])) * scale + weights[i] * weights[i]
        best = max(best, sum_) if number % 2 else min(best, sum_, -scale)
    return best + sum_ + SIZE / 7

def count(numbers: Ints, by: int) -> None:
    numbers[0] += by
    numbers[1] = by < 5
"""
)
PLAIN: dict[str, Any] = {}
exec(LAYOUT, PLAIN)
exec("\n".join(line for line in SAMPLE.splitlines() if "phaseledger" not in line), PLAIN)


def translated(folder: Path, sample: str, entries: str = "") -> str:
    """The translation of a kernel of one module."""
    (folder / "layout.py").write_text(LAYOUT)
    (folder / "sample.py").write_text(sample)
    imports = f"from phaseledger.domain.kernel.sample import {entries}" if entries else ""
    (folder / "entries.py").write_text(imports or "from phaseledger.domain.kernel.sample import f")
    return translate(folder)


def body(*lines: str) -> str:
    """A module of one function, whose body begins at line 10."""
    head = f"{HEAD}{CHANGES}def f(cards: Ints, weights: Floats, n: int, x: float) -> int:\n"
    return head + "".join(f"    {line}\n" for line in lines)


@looped(
    ("source", "line", "why"),
    [
        (body("return [n][0]"), 10, "List is not in the dialect"),
        (body("return n ** 2"), 10, "Pow is not in the dialect"),
        (body("try:", "    n = 1", "finally:", "    n = 2"), 10, "Try is not in the dialect"),
        (body("return cards[0:1]"), 10, "Slice is not in the dialect"),
        (body("y: int = 1", "if (z := 2):", "    y = z"), 11, "NamedExpr is not in the dialect"),
        (body("m = n", "return 'text'"), 11, "'text' is no number of 64 bits"),
        (body("return 9_223_372_036_854_775_808"), 10, "9223372036854775808 is no number of 64"),
        (body("return cards[-1]"), 10, "no array is indexed from its end"),
        (body("m = 0", "m = x"), 11, "m is bound as int and as float"),
        (body("m = 0.5", "m += cards[0]", "n = x / 2"), 12, "n is bound as int and as float"),
        (body("m = 0", "m += weights[0]"), 11, "m is bound as int and as float"),
        (body("m = 0", "m /= 2"), 11, "m is bound as int and as float"),
        (body("x //= 2"), 10, "this operator takes ints only"),
        (body("m = 0", "m: float = 0.5"), 11, "m is annotated after it was bound"),
        (body("m: str = 0"), 10, "not annotated as one of int, bool, float, Ints, Floats"),
        (body("others = cards"), 10, "others is bound as Ints and as Ints"),
        (body("a, b = cards[0]"), 10, "a tuple stands only in a swap"),
        (body("for a in cards:", "    n += a"), 10, "a loop runs over a range, and has no else"),
        (body("for a in range(0, 9, n):", "    n += a"), 10, "the step of a range is a constant"),
        (body("return x // 2"), 10, "this operator takes ints only"),
        (body("return (n == 1) << 40"), 10, "a bool is not shifted: it has 32 bits in C"),
        (body("return len(cards)"), 10, "only functions of the kernel are called"),
        (body("return drawn(cards=cards)"), 10, "only functions of the kernel are called"),
        (body("return m"), 10, "m is no local, no argument and no constant"),
        (body("return draw(cards) + cards[1]"), 10, "one operand changes cards, another one reads"),
        (body("return n * (drawn(cards) - draw(cards))"), 10, "one operand changes cards"),
        (body("cards[1] += drawn(cards)"), 10, "one operand changes cards, another one reads it"),
        (body("cards[cards[1]] = draw(cards)"), 10, "one operand changes cards, another one reads"),
        (HEAD + "def f(n) -> int:\n    return n\n", 4, "not annotated as one of int"),
        (HEAD + "def f(n: int):\n    return n\n", 4, "not annotated as one of int"),
        (HEAD + "def f(n: int = 1) -> int:\n    return n\n", 4, "a function has plain arguments"),
        (HEAD + "def f(*n: int) -> int:\n    return 1\n", 4, "a function has plain arguments"),
        (HEAD + "class Game: ...\n", 4, "no import of the kernel, no constant and no function"),
        (HEAD + "SIZE: Final = 4\n", 4, "SIZE is bound twice"),
        (HEAD + "STATE = 4\n", 4, "no import of the kernel, no constant and no function"),
        ("import math\n", 1, "no import of the kernel, no constant and no function"),
        ("from math import cos\ndef f(n: int) -> float:\n    return cos(n)\n", 3, "only functions"),
        ("from phaseledger.domain.cards import show\n", 1, "no import of the kernel"),
    ],
)
def test_what_c_would_not_do_alike_is_refused(
    source: str, line: int, why: str, tmp_path: Path
) -> None:
    with pytest.raises(OutsideDialect) as refused:
        translated(tmp_path, source)
    assert (Path(refused.value.filename or "").name, refused.value.lineno) == ("sample.py", line)
    assert refused.value.msg.startswith(why)


@looped(
    "line",
    [
        "return cards[1] and draw(cards)",
        "return draw(cards) if cards[1] else draw(cards)",
        "return draw(cards) * n + SIZE",
        "return cards[draw(cards)]",
        "cards[n] = drawn(cards)",
        "weights[0] = draw(cards) + weights[1]",
        "m: float = n",
    ],
)
def test_what_has_one_order_is_translated(line: str, tmp_path: Path) -> None:
    assert translated(tmp_path, body(line))


def test_a_function_of_ints_is_one_of_c(tmp_path: Path) -> None:
    source = (
        HEAD + "def f(cards: Ints, n: int) -> bool:\n    m: float = HALF\n    return n > SIZE\n"
    )
    text = translated(tmp_path, source)
    assert (
        "cdef bint sample__f(long long* cards, long long n) noexcept nogil:\n"
        "    cdef double m\n"
        "    m = 0.5\n"
        "    return n > 3LL\n"
    ) in text
    assert (
        "def f(array.array cards, long long n):\n"
        "    cdef long long* cards_ = <long long*> _items(cards, INTS)\n"
        "    cdef bint result\n"
        "    with nogil:\n"
        "        result = sample__f(cards_, n)\n"
        "    return result\n"
    ) in text
    assert "MODULES = ('layout', 'sample', 'entries')" in text


def test_the_kernel_keeps_to_the_dialect() -> None:
    assert translate(ROOT / KERNEL)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    sources, folder = tmp_path_factory.mktemp("sources"), tmp_path_factory.mktemp("compiled")
    translated(sources, SAMPLE, "count, is_odd, real, whole")
    spec = spec_from_file_location("compiled", compile_kernel(sources, folder))
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def outcome(
    function: Callable[..., Any], code: str, items: list[Any], *more: Any
) -> tuple[Any, ...]:
    numbers = array(code, items)
    result = function(numbers, *more)
    return type(result), result, [*numbers]


@pytest.mark.system  # compiles for some seconds
@pytest.mark.skipif(not HAS_COMPILER, reason="there is no C compiler")
@given(
    numbers=lists(integers(-9, 99), min_size=20, max_size=20),
    weights=lists(floats(-99, 99), min_size=3, max_size=3),
    first=integers(0, 1_000),
    second=integers(0, 1_000),
    scale=floats(-9, 9),
)
@settings(max_examples=1_000)
def test_what_is_compiled_does_what_python_does(
    compiled: ModuleType,
    numbers: list[int],
    weights: list[float],
    first: int,
    second: int,
    scale: float,
) -> None:
    """Results and arrays are equal, to the last bit."""
    for name, code, arguments in (
        ("whole", "q", (numbers, first, second)),
        ("count", "q", (numbers, second)),
        ("real", "d", (weights, first, scale)),
    ):
        native = outcome(getattr(compiled, name), code, *arguments)
        assert native == outcome(PLAIN[name], code, *arguments)
    assert compiled.is_odd(first) is PLAIN["is_odd"](first)


@pytest.mark.system
@pytest.mark.skipif(not HAS_COMPILER, reason="there is no C compiler")
@pytest.mark.parametrize("given", [array("d", [1.0]), array("i", [1]), [1], None])
def test_an_array_of_another_kind_is_refused(given: object, compiled: ModuleType) -> None:
    with pytest.raises(TypeError):
        compiled.count(given, 1)
