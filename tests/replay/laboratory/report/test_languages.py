"""The report in German and French: every text is there, and the page says nothing in English."""

import re
from functools import cache

from phaseledger.domain.words import LANGUAGES, Language, Phrase
from phaseledger.replay.laboratory.report.counts import SOON_TURNS
from phaseledger.replay.laboratory.report.games import Study
from phaseledger.replay.laboratory.report.page import page
from phaseledger.replay.laboratory.report.words import ReportWords
from tests.support.cases import looped
from tests.support.languages import pseudo_german
from tests.support.replay.html_texts import texts_of_page
from tests.support.replay.report_games import PLANS, games, studied

SOURCES = [f"{number}.x" for number in range(7)]


@cache
def study_of_all() -> Study:
    """A game or two of each rule set, and one that is left out."""
    logs = [lines for name in PLANS for lines in games(name, 2)]
    study = studied(*logs, games("classic", 1)[0], games("express", 3)[2][:-1])
    study.first_faults.append(
        Phrase("evidence.report.fault", id=1, seq=2, fault=Phrase("evidence.report.deck"))
    )
    return study


def page_in(lang: Language) -> str:
    return page(study_of_all(), SOURCES, ReportWords(lang))


def test_nothing_stays_english() -> None:
    """In a language whose words are dots, only names, codes and numbers have letters."""
    with pseudo_german():
        texts = texts_of_page(page_in("de"), "bdi")
    own = (
        r"phaseledger|[a-z-]+@\d+|\w+=\w+|(?i:expert|greedy|random)|Seat \d|\[[A-Z]-P\d+\]"
        "|[0-9a-f-]{36}"
    )
    left = {text for text in texts if re.search("[A-Za-z]{3}", re.sub(own, "", text))}
    assert left == set()
    assert len(texts) > 1_000


@looped(
    ("lang", "expected"),
    [
        (
            "en",
            ("Report on 8 finished games of 0.x, 1.x, 2.x, 3.x, 4.x and 2 more files",
             "Left out: 1 not over, 1 repeated.",
             "event 2: the cards dealt are not the deck",
             "Phase 10, 3 seats: 2 games", "9.5 % to 91 %", "Phases made by turn"),
        ),
        (
            "de",
            ("Bericht über 8 beendete Spiele aus 0.x, 1.x, 2.x, 3.x, 4.x und 2 weiteren Dateien",
             "Nicht mitgezählt: 1 nicht zu Ende, 1 doppelt.",
             "Ereignis 2: die ausgeteilten Karten sind nicht die des Kartenspiels",
             "Phase 10, 3 Plätze: 2 Spiele", "9,5 % bis 91 %", "Phasen nach Zügen"),
        ),
        (
            "fr",
            ("Rapport sur 8 parties terminées, de 0.x, 1.x, 2.x, 3.x, 4.x et 2 autres fichiers",
             "Laissées de côté : 1 pas terminée, 1 répétée.",
             "événement 2 : les cartes distribuées ne sont pas celles du jeu",
             "Phase 10, 3 places : 2 parties", "9,5 % à 91 %", "Phases réussies au fil des tours"),
        ),
    ],
)  # fmt: skip
def test_the_page_is_of_its_language(lang: Language, expected: tuple[str, ...]) -> None:
    made = page_in(lang)
    spoken = re.sub("<[^>]*>", "", "".join(made)).replace("\N{NO-BREAK SPACE}", " ")
    assert f'<html lang="{lang}">' in made
    for text in expected:
        assert text.replace("'", "&#x27;") in spoken


def test_values_are_written_as_the_language_does() -> None:
    english, german, french = (ReportWords(lang) for lang in LANGUAGES)
    assert [words.number(1234) for words in (english, german, french)] == [
        "1,234", "1.234", "1\N{NO-BREAK SPACE}234"
    ]  # fmt: skip
    assert [words.plain(1234.5) for words in (english, german)] == ["1,234.5", "1.234,5"]
    assert german.chance(0.01234, 3) == "1,234\N{NO-BREAK SPACE}%"
    assert [words.text("page", count=0) for words in (english, french)] == [
        "phaseledger report: 0 games", "phaseledger report\N{NO-BREAK SPACE}: 0 partie"
    ]  # fmt: skip
    assert str(SOON_TURNS) in german.text("taking.soon", turns=SOON_TURNS)
