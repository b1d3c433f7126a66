"""The tables of messages: complete in every language, and the only source of what is told."""

import pytest

from phaseledger.domain.explain.catalogue import info
from phaseledger.domain.explain.languages import LANGUAGES, MESSAGES, Language, message
from phaseledger.domain.explain.wording import (
    amount,
    decimal,
    is_singular,
    needs_words,
    title,
)
from phaseledger.domain.plurals import inflected
from phaseledger.domain.ruleset import GameDefinition
from phaseledger.domain.rulesets import GAMES, preset
from tests.support.languages import PSEUDO, PSEUDO_MESSAGES, arguments, disguised

TRANSLATIONS: tuple[Language, ...] = tuple(lang for lang in LANGUAGES if lang != "en")


def test_every_language_has_a_table() -> None:
    assert MESSAGES.keys() == set(LANGUAGES)


@pytest.mark.parametrize("lang", TRANSLATIONS)
def test_every_message_is_there(lang: Language) -> None:
    """Further forms of a message may be in any language that needs them."""
    codes = {code for code in MESSAGES[lang] if "@" not in code}
    assert codes == {code for code in MESSAGES["en"] if "@" not in code}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_message_has_the_same_arguments(lang: Language) -> None:
    """A further form may leave out what its variant says already, and a message nothing."""
    for code, template in MESSAGES[lang].items():
        base, _, variant = code.partition("@")
        taken, due = arguments(template), arguments(MESSAGES["en"][base])
        assert taken <= due if variant else taken == due, (lang, code)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_message_is_empty_or_ill_spaced(lang: Language) -> None:
    for code, template in MESSAGES[lang].items():
        assert template.strip(), (lang, code)
        assert "  " not in template, (lang, code)
        assert "\N{NO-BREAK SPACE}" not in template or lang == "fr", (lang, code)


def test_a_form_of_its_own_for_a_variant() -> None:
    assert message("de", "dealt.cards", 1, count=1) == "1 Karte"
    assert message("de", "dealt.cards", 7, count=7) == "7 Karten"
    assert message("fr", "dealt.cards", 0, count=0) == "0 carte"


def test_which_numbers_go_with_the_singular() -> None:
    singular = {lang: [n for n in (0, 1, 2, 10, 21) if is_singular(n, lang)] for lang in LANGUAGES}
    assert singular == {"en": [1], "de": [1], "fr": [0, 1]}
    assert [inflected(n, "card is", "cards are") for n in (0, 1, 2)] == [
        "cards are",
        "card is",
        "cards are",
    ]


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


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_no_word_of_a_rule_set_comes_from_elsewhere(
    game: GameDefinition, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But for what the commands and the options call their values."""
    monkeypatch.setitem(MESSAGES, PSEUDO, PSEUDO_MESSAGES)  # type: ignore[arg-type]
    disguise = info(game, game.rules, PSEUDO)
    words = [
        disguise.title,
        *(row.cards for row in disguise.cards),
        *(phase.words for phase in disguise.phases),
        *(option.meaning for option in disguise.options),
        *(meaning for option in disguise.options for meaning in option.choice_meanings),
    ]
    assert all("·" in text for text in words)
    assert {letter for text in words for letter in text if letter.isalpha()} <= {*"JQK"}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_choice_has_a_meaning(game: GameDefinition, lang: Language) -> None:
    for option in info(game, game.rules, lang).options:
        assert len(option.choice_meanings) == len(option.choices)
        assert all(option.choice_meanings), option.name


def test_what_does_not_depend_on_the_language() -> None:
    english, german = (info(GAMES["express"], preset("express"), lang) for lang in ("en", "de"))
    assert [option.choices for option in english.options] == [
        option.choices for option in german.options
    ]
    assert english.sha256 == german.sha256


def test_values_of_options() -> None:
    english, german, french = (
        {option.name: option.values for option in info(GAMES["express"], rules, lang).options}
        for rules in [preset("express")]
        for lang in LANGUAGES
    )
    assert english["variant"] == "none, ten_rounds or n_phases(1) to n_phases(10)"
    assert german["variant"] == "none, ten_rounds oder n_phases(1) bis n_phases(10)"
    assert french["players"].endswith("2-6")


def test_a_deck_has_words_of_its_own() -> None:
    """Where the jokers are skips (D-05), what stands for other cards is an Ace."""
    meanings = {
        name: [option.meaning for option in info(GAMES[name], preset(name), "de").options]
        for name in ("classic", "standard-deck")
    }
    assert any("Joker" in meaning for meaning in meanings["classic"])
    assert not any("Joker" in meaning for meaning in meanings["standard-deck"])


def test_disguise() -> None:
    assert disguised("{a} and {b}.") == "{a}·····{b}·"
    assert arguments("{a} and {b}.") == {"a", "b"}


@pytest.mark.parametrize(
    ("lang", "written"), {"en": "1,234,567", "de": "1.234.567", "fr": "1\xa0234\xa0567"}.items()
)
def test_a_long_number_is_written_as_the_language_does(lang: Language, written: str) -> None:
    assert (amount(1_234_567, lang), amount(999, lang)) == (written, "999")


@pytest.mark.parametrize(
    ("lang", "written"), {"en": "12,345.50", "de": "12.345,50", "fr": "12\xa0345,50"}.items()
)
def test_decimals_are_written_as_the_language_does(lang: Language, written: str) -> None:
    assert (decimal(12_345.5, 2, lang), decimal(7, 0, lang)) == (written, "7")
