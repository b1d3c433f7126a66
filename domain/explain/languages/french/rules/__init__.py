"""The rules of the four games, each by its ID in the catalogue; phases are not among them."""

from collections.abc import Mapping

from phaseledger.domain.explain.languages.french.rules import board, classic, express, standard_deck

RULES: Mapping[str, str] = {
    f"rule.{number}": text
    for game in (classic, standard_deck, express, board)
    for number, text in game.RULES.items()
}
"""Every rule's text, by the code of its message."""
