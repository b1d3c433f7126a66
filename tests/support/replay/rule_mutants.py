"""Mutants of the rules that play and of the second referee: one expression of a module is another.

    python -m tests.support.replay.rule_mutants rules|referee NUMBER

tries moves in drawn positions and plays games with the one side changed, has the other judge them,
and says what was noticed; what neither notices, the tests of that side have to. Each mutant has a
process of its own: modules take functions from one another when they are imported.
"""

import ast
import contextlib
import io
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from itertools import chain, islice, product
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from msgspec.structs import replace

ROOT = Path(__file__).parents[3]
SIDES = {
    "rules": tuple(
        f"domain/{name}.py"
        for name in ("play/turn", "play/rounds", "policies", "groups/melds", "play/board_actions")
    ),
    "referee": tuple(
        f"replay/referee/{name}.py"
        for name in ("board", "groups", "lays", "rounds", "sheets", "turns", "winners")
    ),
}
"""What is changed, by side."""
NAMES = ("classic", "board", "express", "standard-deck")
_FEW = 4
POSITIONS = 60
"""Of each rule set, of either kind."""
GAMES = 6
"""Of each rule set; with so many any two house rules have met."""
DEALS = 84
"""First deals of each rule set."""
SUPPLIES = 36
"""Each action of the ring with either way to deal with a short supply, twice."""
RARITIES = 32
"""Of each rule set."""
TESTS = {
    "rules": ("tests/domain",),
    "referee": tuple(
        f"tests/replay/referee/{name}"
        for name in (
            *("test_groups.py", "test_meanings.py", "test_sentences.py", "test_referee.py"),
            "test_first_discards.py",
            *("test_named_cards.py", "test_rounds_cut_short.py"),
            "test_positions.py::test_positions_laid_out_by_hand",
        )
    ),
}
"""Each side's own tests, which are asked last."""
_CHANGED = 4
"""Games of each rule set in which every kind of event is changed."""

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


class Changer(ast.NodeTransformer):
    """Changes the expression of one number; ``count`` is how many there are."""

    def __init__(self, number: int = -1) -> None:
        self.number = number
        self.count = 0
        self.line = 0
        self.before = ""
        self.node: ast.AST = ast.Pass()

    @property
    def change(self) -> str:
        """The line, the expression and what it becomes."""
        return f"{self.line}: {self.before} -> {ast.unparse(self.node)}"

    def _is_due(self, node: ast.expr) -> bool:
        self.count += 1
        if self.count - 1 == self.number:
            self.line, self.before, self.node = node.lineno, ast.unparse(node), node
        return self.count - 1 == self.number

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        kind = type(node.ops[0])
        if kind in _COMPARISONS and self._is_due(node):
            node.ops[0] = _COMPARISONS[kind]()
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        if self._is_due(node):
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Not) or not self._is_due(node):
            return node
        self.node = node.operand
        return node.operand

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Add | ast.Sub) and self._is_due(node):
            node.op = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if type(node.value) is int and self._is_due(node):
            self.node = ast.copy_location(ast.Constant(node.value + 1), node)
            return self.node
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.body = [self.visit(statement) for statement in node.body]
        return node

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        return node  # what is said in a refusal is no rule

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value:
            node.value = self.visit(node.value)
        return node


@cache
def changes(file: str) -> int:
    """How many expressions of a file can be changed."""
    changer = Changer()
    changer.visit(ast.parse((ROOT / file).read_text()))
    return changer.count


def chosen(side: str, number: int) -> tuple[str, int]:
    """The file and the expression of a mutant; spread evenly, and the same for ever."""
    counts = [(file, changes(file)) for file in SIDES[side]]
    place = number * 7919 % sum(count for _, count in counts)
    for file, count in counts:
        if place < count:
            return file, place
        place -= count
    raise AssertionError


class _ChangedLoader(SourceFileLoader):
    def __init__(self, name: str, path: str, number: int) -> None:
        super().__init__(name, path)
        self.changer = Changer(number)

    def get_code(self, fullname: str) -> CodeType:
        tree = self.changer.visit(ast.parse(Path(self.path).read_text()))
        return compile(ast.fix_missing_locations(tree), self.path, "exec")


class ChangedModule(MetaPathFinder):
    """Loads one module with one expression changed."""

    def __init__(self, file: str, number: int) -> None:
        self.name = "phaseledger." + file.removesuffix(".py").replace("/", ".")
        self.loader = _ChangedLoader(self.name, str(ROOT / file), number)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The changed module's own loader; nothing for any other module."""
        if fullname != self.name:
            return None
        return spec_from_file_location(fullname, self.loader.path, loader=self.loader)


def notices(side: str) -> Iterator[str]:
    """What is noticed, what is quickest first; empty where nothing is."""
    yield from _in_positions(range(_FEW))
    yield from _in_games(side, range(1))
    yield from _in_deals()
    yield from _in_rarities()
    yield from _in_positions(range(_FEW, POSITIONS))
    yield from _in_games(side, range(1, GAMES))
    if side == "rules":
        yield from _in_cards()
    yield from _in_tests(side)


def _in_positions(numbers: Iterable[int]) -> Iterator[str]:
    """What the other side says to moves in drawn positions, and the rules to those they list."""
    from tests.support.replay.asked_positions import asked_position, explored_questions
    from tests.support.replay.drawn_positions import drawn_position, explored
    from tests.support.replay.judged_positions import judged_moves
    from tests.support.replay.listed_moves import listing_faults

    for number, name in product(numbers, NAMES):
        yield from (move.fault for move in judged_moves(explored(name, number)))
        yield from (move.fault for move in judged_moves(explored_questions(name, number)))
        yield from listing_faults(drawn_position(name, number))
        yield from listing_faults(asked_position(name, number))


def _in_rarities() -> Iterator[str]:
    """What the other side says to moves in rare positions, and with any few cards to draw."""
    from tests.support.replay.judged_positions import judged_moves
    from tests.support.replay.rare_positions import explored_rarities, explored_supplies

    for number in range(SUPPLIES):
        yield from (move.fault for move in judged_moves(explored_supplies(number)))
    for number, name in product(range(RARITIES), NAMES):
        yield from (move.fault for move in judged_moves(explored_rarities(name, number)))


def _in_games(side: str, numbers: range) -> Iterator[str]:
    """What the other side says to whole games and, of the first, to games with an event changed."""
    from phaseledger.replay.referee.referee import judge
    from phaseledger.replay.simulate.game import play
    from tests.support.replay.event_mutations import mutations
    from tests.support.replay.option_pairs import plans
    from tests.support.replay.refereed_games import events_of_game

    streams = [islice(plans(name, "mutants", numbers.start), len(numbers)) for name in NAMES]
    for number, plan in chain(*zip(*streams, strict=True)):
        played = play(plan, number)
        if "illegal" in played.fault:
            yield played.fault
        events = events_of_game(played.lines)
        objection = judge(events)
        yield f"{objection.rule}: {objection.text}" if objection else ""
        if side == "referee" and number < _CHANGED:
            for mutation, seq, changed in mutations(events, number):
                finding = judge(changed)
                yield "" if finding and finding.seq >= seq else f"unnoticed: {mutation.name}"


def _in_deals() -> Iterator[str]:
    """What the other side says to the first deals of many games."""
    from phaseledger.replay.referee.referee import judge
    from phaseledger.replay.simulate.game import play
    from tests.support.replay.option_pairs import plans
    from tests.support.replay.refereed_games import events_of_game

    for name in NAMES:
        for number, plan in islice(plans(name, "deals"), DEALS):
            objection = judge(events_of_game(play(replace(plan, cap=1), number).lines))
            yield f"{objection.rule}: {objection.text}" if objection else ""


def _in_cards() -> Iterator[str]:
    """What `examples/verifier.py` says to the cards, which follow from the seed: docs/deal.md."""
    sys.path.insert(0, str(ROOT / "examples"))
    import verifier

    from phaseledger.replay.bundle.writer import bundle_lines
    from phaseledger.replay.simulate.game import play
    from tests.support.replay.option_pairs import plans

    played = (play(plan, number).lines for number, plan in plans("express", "cards"))
    lines = next(lines for lines in played if any(b"StockShuffled" in line for line in lines))
    try:
        verifier.judge(b"".join(bundle_lines(list(lines))), verifier.described(verifier.OPENAPI))
    except (verifier.Damaged, verifier.Wrong, verifier.Untrue) as finding:
        yield f"examples/verifier.py: {finding}"


class _Failures:
    """A plugin of pytest that keeps the names of the tests that fail."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.names.append(report.nodeid)


def _in_tests(side: str) -> Iterator[str]:
    """The first test of the side that fails."""
    import pytest

    failures, output = _Failures(), io.StringIO()
    options = ["-x", "-q", "-n0", "-p", "no:cacheprovider", "-W", _IS_IMPORTED]
    paths = [str(ROOT / path) for path in TESTS[side]]
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        code = pytest.main([*options, *paths], [failures])
    if failures.names:
        yield f"test: {failures.names[0]}"
    elif code:
        raise SystemExit(f"the tests did not run: {output.getvalue()}")


_IS_IMPORTED = "ignore::pytest.PytestAssertRewriteWarning"
"""Mutants import the tests' parts before pytest does, so that these tell less of what fails."""


def main() -> int:
    """Make one mutant and say what was noticed."""
    side, number = sys.argv[1], int(sys.argv[2])
    file, place = chosen(side, number)
    finder = ChangedModule(file, place)
    sys.meta_path.insert(0, finder)
    try:
        noticed = next(filter(None, notices(side)), "")
    except Exception as error:  # noqa: BLE001 - however it fails, it is noticed
        noticed = f"fails: {error!r}"
    print(f"{file}:{finder.loader.changer.change}\t{noticed[:150]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
