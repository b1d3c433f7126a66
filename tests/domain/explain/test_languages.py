"""The tables of messages: complete in every language, and the only source of what is told."""

from phaseledger.domain.explain.catalogue import info
from phaseledger.domain.explain.wording import (
    needs_words,
    title,
)
from phaseledger.domain.ruleset import GameDefinition
from phaseledger.domain.rulesets import GAMES, preset
from phaseledger.domain.words import LANGUAGES, Language
from tests.support.cases import looped
from tests.support.languages import pseudo_german


def test_phases_in_words() -> None:
    classic, deck = preset("classic"), preset("standard-deck")
    assert needs_words(classic.phases[1].needs, classic, "de") == "ein Drilling und eine 4er-Folge"
    assert needs_words(classic.phases[6].needs, classic, "fr") == "2 carrés"
    assert needs_words(deck.phases[7].needs, deck, "fr") == "7 cartes d'une même couleur"


def test_titles() -> None:
    assert {title(game.rules, "en") for game in GAMES.values()} == {
        game.rules.title for game in GAMES.values()
    }
    assert title(preset("board"), "de") == "Phase 10, das Brettspiel"


@looped("game", GAMES.values(), ids=GAMES)
def test_no_word_of_a_rule_set_comes_from_elsewhere(game: GameDefinition) -> None:
    """But for what the commands and the options call their values."""
    with pseudo_german():
        disguise = info(game, game.rules, "de")
    words = [
        disguise.title,
        *(row.cards for row in disguise.cards),
        *(phase.words for phase in disguise.phases),
        *(option.meaning for option in disguise.options),
        *(meaning for option in disguise.options for meaning in option.choice_meanings),
    ]
    assert all("·" in text for text in words)
    assert {letter for text in words for letter in text if letter.isalpha()} <= {*"JQK"}


@looped("lang", LANGUAGES)
@looped("game", GAMES.values(), ids=GAMES)
def test_every_choice_has_a_meaning(game: GameDefinition, lang: Language) -> None:
    for option in info(game, game.rules, lang).options:
        assert len(option.choice_meanings) == len(option.choices)
        assert all(option.choice_meanings), option.name


def test_a_deck_has_words_of_its_own() -> None:
    """Where the jokers are skips (D-05), what stands for other cards is an Ace."""
    meanings = {
        name: [option.meaning for option in info(GAMES[name], preset(name), "de").options]
        for name in ("classic", "standard-deck")
    }
    assert any("Joker" in meaning for meaning in meanings["classic"])
    assert not any("Joker" in meaning for meaning in meanings["standard-deck"])
