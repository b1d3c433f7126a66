"""Seats in texts of evidence: a player's name where it is known, and else the record's number."""

import re
from collections.abc import Iterator

from phaseledger.domain.words import (
    LANGUAGES,
    Amount,
    Beginning,
    Language,
    Phrase,
    catalogue,
    spoken,
)
from phaseledger.replay.evidence.seat_names import NUMBERED, named
from phaseledger.replay.evidence.verify.text import judgement_lines
from phaseledger.replay.evidence.verify.verdict_words import VerdictWords
from phaseledger.replay.evidence.verify.verify import in_language, verify
from phaseledger.replay.formats.bundle.reader import parse_bundle
from tests.support.cases import looped
from tests.support.languages import arguments
from tests.support.replay.bundle_variety import bundle
from tests.support.replay.operator_forgeries import FORGERIES
from tests.support.replay.tampering_tools import tampered

OF_EVIDENCE = ("evidence.", "verdict.", "headline.", "verifier.", "answer.", "verdict_page.")
SEAT = {"en": "seats?", "de": "Pl(?:atz|ätzen?)", "fr": "places?"}
NAMED_BEFORE = {"evidence.policy.facet": "values", "evidence.policy.seats": "values"}
"""Lists of seats, which have their names from the start."""
WITHOUT_A_SEAT = {"evidence.seat.none": "value"}
COUNTED = {"evidence.board.in_place", "evidence.inclusion.index", "evidence.inclusion.later"}
"""French texts of places that are no seats."""


def texts_of_seats(lang: Language) -> Iterator[tuple[str, str, str]]:
    """Each text of evidence with a word for a seat and a value behind it: key, text, the value."""
    for key, forms in catalogue(lang).texts.items():
        if not key.startswith(OF_EVIDENCE) or key in COUNTED:
            continue
        for text in (forms,) if isinstance(forms, str) else forms:
            for value in re.findall(rf"\b{SEAT[lang]} \{{(\w+)\}}", text, re.IGNORECASE):
                yield key, text, value


@looped("lang", LANGUAGES)
def test_every_text_of_a_seat_takes_a_name(lang: Language) -> None:
    """By its one argument for that, or because its list has names already."""
    by_other = {
        key: value for key, _, value in texts_of_seats(lang) if value not in ("seat", "seats")
    }
    assert by_other == NAMED_BEFORE | WITHOUT_A_SEAT


@looped("lang", LANGUAGES)
def test_a_seat_is_called_by_its_player(lang: Language) -> None:
    for key, text, value in texts_of_seats(lang):
        if value != "seat" or key in NUMBERED:
            continue
        values: dict[str, object] = dict.fromkeys(arguments(text), 7) | {"seat": 0}
        said = spoken(named(Phrase(key, **values), {0: "Ada"}), lang)
        assert '"Ada"' in said, key
        assert not re.search(rf"\b{SEAT[lang]} 0\b", said, re.IGNORECASE), key


def test_a_name_goes_into_phrases_within_phrases() -> None:
    inner = Phrase("evidence.promise.seat", seat=1)
    whole = Phrase("evidence.cut", text=Beginning(inner, 160), count=Amount(200))
    assert '"Bo"' in named(whole, {1: "Bo"})
    assert named(whole, {0: "Ada"}) == whole
    assert named(inner, {1: 'x", or "y'}) == 'the commitment of seat "x\\", or \\"y"'


LISTED = re.compile(r' +\d+ "')
"""The line of a seat, which has its number beside its name for who types an option."""


@looped("name", ["small", "signed", "voided", "covered"])
def test_no_verdict_counts_players(name: str) -> None:
    """Whole and forged, in every language."""
    forged = [tampered(bundle(name), forge, 0) for forge in [*FORGERIES.values()][:6]]
    for lines in (bundle(name), *filter(None, forged)):
        examined = verify([parse_bundle(lines.splitlines(keepends=True), "file")], bots=False)
        for lang in LANGUAGES:
            ((_, judgement),) = in_language(examined, lang)
            for line in judgement_lines(judgement, VerdictWords(lang)):
                unquoted = re.sub('"[^"]*"', "", line)
                numbers = re.search(rf"\b{SEAT[lang]} \d", unquoted, re.IGNORECASE)
                assert LISTED.match(line) or not numbers, line
