"""The editions of each game: house rules that fit, with a length for every number of seats."""

import pytest

from phaseledger.domain.explain.catalogue import editions
from phaseledger.domain.resolve import resolve
from phaseledger.domain.rulesets import GAMES
from phaseledger.domain.words import LANGUAGES


@pytest.mark.parametrize("name", GAMES)
def test_editions_are_playable_and_said_in_every_language(name: str) -> None:
    """The first is the rule book's; each has house rules and words of its own."""
    game = GAMES[name]
    rules = game.rules
    for lang in LANGUAGES:
        described = editions(game, lang)
        assert len({edition.title for edition in described}) == len(described)
        assert all(edition.about.endswith(".") for edition in described)
    assert described[0].options == {}
    resolved = {str(resolve(rules, edition.options, game.settings)) for edition in described}
    assert len(resolved) == len(described)
    for edition in described:
        assert len(edition.minutes) == rules.seats_max - rules.seats_min + 1
