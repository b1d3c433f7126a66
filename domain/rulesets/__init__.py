"""The released games. A released rule set never changes: a new meaning is a new version.

`GAMES` has them by name, `preset` gives the rules of one, `cite` the rule behind a refusal. Each
file is one game as data; they may import the shapes of rules, options and cards of `domain`.
"""

from phaseledger.domain.ruleset import GameDefinition, RuleSet
from phaseledger.domain.rulesets import board, classic, express, standard_deck

GAMES: dict[str, GameDefinition] = {
    "classic": classic.GAME,
    "standard-deck": standard_deck.GAME,
    "express": express.GAME,
    "board": board.GAME,
}
"""Name to game, as `POST /v1/games` and the command line name it."""


def find_game(name: str) -> GameDefinition | None:
    """The game of that name or versioned id."""
    game = GAMES.get(name.partition("@")[0])
    return game if game and name in (game.rules.name, game.rules.id) else None


def preset(name: str) -> RuleSet:
    """The rule set of a game that exists, without house rules."""
    return GAMES[name].rules


def cite(name: str, code: str, *policies: str) -> str:
    """The rule ID behind a refusal or an event's name in a game; empty where there is none.

    Where a game's styles, variants or actions have rules of their own, a row ``code/policy`` goes
    first.
    """
    game = GAMES.get(name)
    keys = [*(f"{code}/{policy}" for policy in policies), code]
    return next((game.citations[key] for key in keys if key in game.citations), "") if game else ""
