"""The rule book: a text in every language for all that is cited."""

from phaseledger.domain.explain.rulebook import rule_ids, rule_text
from phaseledger.domain.rulesets import GAMES
from phaseledger.domain.words import LANGUAGES, Language
from tests.support.cases import looped


@looped("lang", LANGUAGES)
@looped("game", GAMES.values(), ids=GAMES)
def test_every_rule_that_a_game_cites_has_a_text(game, lang: Language) -> None:
    cited = {*game.citations.values(), *(phase.rule for phase in game.rules.phases)}
    cited |= {rule for setting in game.settings.values() for rule in setting.rules.split()}
    assert {rule for rule in cited if not rule_text(rule, lang)} == set()


@looped("lang", LANGUAGES)
def test_every_text_is_a_sentence_of_its_language(lang: Language) -> None:
    texts = {rule: rule_text(rule, lang) for rule in rule_ids()}
    assert rule_text("C-99", lang) is None
    assert len(texts) == 305 + 40 + 42
    for rule, text in texts.items():
        assert text is not None
        assert text.endswith("."), rule
        assert (text == rule_text(rule, "en")) == (lang == "en"), rule


IN_WORDS = {"D-36", "D-37", "D-38"}
"""Rules that name sets by their sizes, for which German and French have words, as for phases."""


@looped("lang", LANGUAGES)
def test_numbers_are_the_same_in_every_language(lang: Language) -> None:
    """What a rule counts does not depend on the language."""
    for rule in rule_ids():
        english, text = rule_text(rule), rule_text(rule, lang)
        assert english is not None
        assert text is not None
        assert rule in IN_WORDS or "-P" in rule or numbers(text) == numbers(english), (rule, text)


def numbers(text: str) -> set[str]:
    """The numbers from 4 on that stand in the text as digits: lower ones are also told in words."""
    digits = "".join(letter if letter.isdigit() else " " for letter in text).split()
    return {number for number in digits if int(number) > 3}
