"""Nobody asks which game it is (law 5): rule sets differ in data, options and policies only."""

import ast
import re
from pathlib import Path

from phaseledger.domain.rulesets import GAMES as RELEASED

ROOT = Path(__file__).parents[2]
GAMES = {name for key, game in RELEASED.items() for name in (key, game.rules.id, game.rules.name)}
RULE_SETS = {"ruleset", "rules", "preset", "rule_set", "RULES"}
SUSPECT = re.compile("|".join([rf"\b(?:{'|'.join(RULE_SETS)})\.(?:id|name)\b", *GAMES]))
"""Most files have no such words, and need no parsing."""


def questions(source: str) -> list[str]:
    """Expressions that depend on the id or name of a rule set."""
    return [ast.unparse(node) for node in ast.walk(ast.parse(source)) if asks_which_game(node)]


def asks_which_game(node: ast.AST) -> bool:
    """Whether this expression compares or looks up by which rule set it is."""
    match node:
        case ast.Compare(left, _, comparators):
            return any(is_of_a_game(side) for side in (left, *comparators))
        case ast.Match(subject, cases):
            values = [n.value for c in cases for n in ast.walk(c) if isinstance(n, ast.MatchValue)]
            return any(is_of_a_game(value) for value in (subject, *values))
        case ast.Dict(keys):
            return any(is_of_a_game(key) for key in keys)
        case ast.Call(ast.Attribute(owner, "startswith" | "endswith"), arguments):
            return any(is_of_a_game(part) for part in (owner, *arguments))
        case ast.Subscript(_, key) | ast.Call(ast.Attribute(attr="get"), [key, *_]):
            return is_identity(key)
        case _:
            return False


def is_of_a_game(node: ast.AST | None) -> bool:
    """Whether this is a game's name as text, a rule set's id or name, or holds one of them."""
    match node:
        case ast.Constant(str(text)):
            return text in GAMES
        case ast.Tuple(parts) | ast.List(parts) | ast.Set(parts):
            return any(is_of_a_game(part) for part in parts)
        case _:
            return is_identity(node)


def is_identity(node: ast.AST | None) -> bool:
    """Whether this reads a rule set's id or name."""
    match node:
        case ast.Attribute(ast.Name(owner) | ast.Attribute(attr=owner), "id" | "name"):
            return owner in RULE_SETS
        case _:
            return False


def test_nobody_asks_which_game_it_is() -> None:
    asked = {
        f"{path.relative_to(ROOT)}: {question}"
        for package in ("domain", "projections", "replay", "service")
        for path in (ROOT / package).rglob("*.py")
        if path.parent.name != "rulesets"
        if SUSPECT.search(source := path.read_text())
        for question in questions(source)
    }
    assert asked == set()


QUESTIONS = """
if state.ruleset.id == other: pass
if state.ruleset.name == 'anything': pass
if 'classic@1' != ruleset: pass
if name in ('express', 'classic'): pass
match state.ruleset.name:
    case _: pass
{'classic': draw_one}[name]()
HANDLERS[state.ruleset.name]()
HANDLERS.get(rules.id)
rules.id.startswith('cl')
"""
CHOICES = """
def simulate(ruleset: str = 'classic'): pass
RULES = GAMES['classic']
show(rules.id, state.ruleset.name)
seat.name == 'Ada'
"""


def test_a_question_is_found_and_choosing_or_showing_a_game_is_none() -> None:
    assert len(questions(QUESTIONS)) == 9
    assert questions(CHOICES) == []
