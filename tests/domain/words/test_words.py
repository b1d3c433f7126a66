"""What a message says: by its language, its number, its case, and what is put in."""

import pickle

import msgspec
import pytest

from phaseledger.domain.words import (
    Amount,
    Beginning,
    Figure,
    Language,
    Phrase,
    amount,
    decimal,
    message,
    reason_of,
    refused,
    spoken,
)
from phaseledger.domain.words.po import parsed
from tests.support.cases import looped

SEAT = Phrase("evidence.seat", seat=3)


def test_a_number_selects_the_form() -> None:
    assert message("de", "dealt.cards", 1, count=1) == "1 Karte"
    assert message("de", "dealt.cards", 7, count=7) == "7 Karten"
    assert message("fr", "dealt.cards", count=0) == "0 carte"
    assert message("en", "audit.events", count="many") == "many good events"


def test_a_case_selects_the_form() -> None:
    assert message("de", "need.set", 3, size=3, suit="") == "ein Drilling"
    assert message("en", "need.set", 3, size=3, suit="") == "a set of 3"


@looped(
    ("lang", "long", "broken"),
    [("en", "1,234,567", "12,345.50"), ("de", "1.234.567", "12.345,50")],
)
def test_numbers_are_written_as_the_language_does(lang: Language, long: str, broken: str) -> None:
    assert (amount(1_234_567, lang), amount(999, lang)) == (long, "999")
    assert (decimal(12_345.5, 2, lang), decimal(7, 0, lang)) == (broken, "7")


def test_a_phrase_is_english_and_speaks_every_language() -> None:
    phrase = Phrase("evidence.round.out", name=SEAT, round=1_234)
    assert phrase == "seat 3 went out in round 1234"
    assert spoken(phrase, "de") == "Platz 3 hat in Runde 1234 Schluss gemacht"
    assert spoken("no phrase", "de") == "no phrase"
    assert type(spoken(phrase, "en")) is str


def test_what_is_put_in_is_said_in_the_language() -> None:
    def german(key: str, **arguments: object) -> str:
        return spoken(Phrase(key, **arguments), "de")

    assert german("evidence.time.seconds", count=Amount(1_200)) == "1.200 Sekunden"
    assert german("evidence.time.seconds", count=Figure("1.500")) == "1,500 Sekunden"
    assert german("list.all", parts=(SEAT, SEAT, 4)) == "Platz 3, Platz 3, 4"
    assert german("list.all", parts=Beginning(SEAT, 5)) == "Platz"


def test_a_phrase_crosses_processes() -> None:
    phrase = pickle.loads(pickle.dumps(Phrase("need.set", 3, size=3, suit="")))
    assert (phrase, spoken(phrase, "de")) == ("a set of 3", "ein Drilling")


@looped(
    ("text", "german"),
    [
        (
            "Expected `int`, got `str` - at `$.seats`",
            "erwartet `int`, da ist `str` - bei `$.seats`",
        ),
        ("Expected `int` >= 3", "erwartet `int` >= 3"),
        ("Expected `str` of length <= 40", "erwartet `str` der Länge <= 40"),
        (
            "JSON is malformed: invalid character (byte 0)",
            "das JSON ist fehlerhaft: unzulässiges Zeichen (Byte 0)",
        ),
        ("JSON is malformed: some news (byte 7)", "das JSON ist fehlerhaft: some news (Byte 7)"),
        ("anything else - at `$`", "anything else - bei `$`"),
        ("x - at " * 9_000, None),
    ],
)
def test_what_a_decoder_refuses(text: str, german: str | None) -> None:
    assert refused(text) == text
    assert german is None or spoken(refused(text), "de") == german


def test_an_exception_stands_for_its_text() -> None:
    with pytest.raises(msgspec.DecodeError) as error:
        msgspec.json.decode(b"?")
    line = Phrase("evidence.line.no_event", reason=error.value)
    assert "das JSON ist fehlerhaft" in spoken(line, "de")
    assert spoken(Phrase("evidence.line.no_event", reason=ValueError(SEAT)), "de").endswith(
        "Platz 3"
    )
    assert [reason_of(given) for given in (ValueError("plain"), ValueError())] == ["plain", ""]


def test_a_file_has_comments_and_strings_over_several_lines() -> None:
    source = """msgid ""
msgstr ""
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
"X-Plural-Categories: one other\\n"

# A translator's word, for no message.

#. count: cards
msgid "card"
msgid_plural "card"
msgstr[0] "{count} card"
msgstr[1] ""
"{count} "
"cards"
"""
    words = parsed(source)
    assert words.texts == {"card": ("{count} card", "{count} cards")}
    assert (words.plural(1), words.plural(2), words.categories) == (0, 1, ("one", "other"))
