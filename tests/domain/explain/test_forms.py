"""English texts read by their forms, and said in another language."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phaseledger.domain.explain.forms import DEEPEST, LONGEST, Forms
from phaseledger.domain.explain.refusals import detail_of
from phaseledger.replay.viewer.finding_words import finding_words

FORMS = Forms(
    {
        "seat": "seat {seat}",
        "has": "{name} has {count} cards",
        "has@one": "{name} has {count} card",
        "more": "{count} more",
        "event": "Event {seq}: {fault}.",
        "why": "{text} ({detail})",
        "takes": "it takes {values}",
    },
    {
        "seat": "Platz {seat}",
        "has": "{name} hat {count} Karten",
        "has@one": "{name} hat {count} Karte",
        "more": "{count} weitere",
        "more@one": "{count} weiterer",
        "event": "Ereignis {seq}: {fault}.",
        "why": "{text} [{detail}]",
        "takes": "erlaubt ist {values}",
    },
    {"It is gone.": "Es ist weg."},
    marks=".,",
    words={"or": "oder", "to": "bis"},
)
READ = [
    ("seat 3", "Platz 3"),
    ("seat three", None),
    ("seat 3 has 1,200 cards", "Platz 3 hat 1.200 Karten"),
    ("Ada has 2 cards", "Ada hat 2 Karten"),
    ("Ada has 1 card", "Ada hat 1 Karte"),
    ("Ada has 1.5 cards", "Ada hat 1,5 Karten"),
    ("0 more", "0 weitere"),
    ("1 more", "1 weiterer"),
    ("Event 7 has 2 cards", "Event 7 hat 2 Karten"),
    ("Event 7: Ada has 2 cards.", "Ereignis 7: Ada hat 2 Karten."),
    ("Event 7: something.", None),
    ("It is gone.", "Es ist weg."),
    ("It is gone. (seat 3)", "Es ist weg. [Platz 3]"),
    ("It is gone. (nobody knows)", None),
    ("it takes 1 to 3 or none", "erlaubt ist 1 bis 3 oder none"),
    ("", None),
    ("seat 3 has 2 cards" + "!" * LONGEST, None),
]
"""Texts, and what they are in the other language; None where they are of no form."""
UNITS = ("a: ", ", in all ; written down: ", " scores ", "; due: ", " (x) ", ", not ", " and ")


@pytest.mark.parametrize(("text", "translation"), READ)
def test_a_text_is_read_by_its_form(text: str, translation: str | None) -> None:
    assert FORMS.translated(text) == translation


def test_french_has_the_singular_below_two() -> None:
    words = finding_words("fr")
    seconds = ("0 seconds", "1 second", "1.500 seconds", "2 seconds")
    assert [*map(words, seconds)] == ["0 seconde", "1 seconde", "1,500 seconde", "2 secondes"]


def test_texts_within_texts_are_read_to_a_depth() -> None:
    def nested(event: str, cards: str, times: int) -> str:
        return f"{event} 7: " * times + cards + "." * times

    within = DEEPEST - 1
    read = FORMS.translated(nested("Event", "Ada has 2 cards", within))
    assert read == nested("Ereignis", "Ada hat 2 Karten", within)
    assert FORMS.translated(nested("Event", "Ada has 2 cards", DEEPEST)) is None


NO_JSON = (
    "a.txt is no game: it is neither an export nor a bundle of phaseledger. a.txt:1: the line is "
    "not JSON: JSON is malformed: invalid character (byte 0)."
)
KEIN_JSON = (
    "a.txt ist kein Spiel: weder ein Export noch ein Bündel von phaseledger. a.txt:1: die Zeile "
    "ist kein JSON: das JSON ist fehlerhaft: unzulässiges Zeichen (Byte 0)."
)
READERS = [
    (NO_JSON, KEIN_JSON),
    (
        "a: the file is empty; it holds no event.",
        "a: die Datei ist leer; sie enthält kein Ereignis.",
    ),
    ("Expected `int`, got `str` - at `$.seats`", "erwartet `int`, da ist `str` - bei `$.seats`"),
    (
        "chain: The hash chain breaks at event 1273.",
        "Kette: Die Hashkette reißt bei Ereignis 1273.",
    ),
    (
        "C-70: the game is won by Greedy 1, not seat 2",
        "C-70: das Spiel gewinnt Greedy 1, nicht Platz 2",
    ),
    (
        "C-70: the game is won by Greedy 1, not nobody",
        "C-70: das Spiel gewinnt Greedy 1, nicht niemand",
    ),
    (
        "C-70: the game is won by nobody, not Ada",  # a player's name
        "C-70: das Spiel gewinnt nobody, nicht Ada",
    ),
    ("C-60: none lays phase 3; due: phase 1", "C-60: none legt Phase 3 aus; fällig: Phase 1"),
    ("C-66: nobody went out in round 3", "C-66: niemand hat in Runde 3 Schluss gemacht"),
    (
        "C-30: due now: game end; not: draw or joker",
        "C-30: jetzt fällig: Ende des Spiels; nicht: ziehen oder Joker ziehen",
    ),
    (
        f"C-60: Ada lays phase 12; due: {', '.join(f'phase {n}' for n in range(1, 11))}",
        f"C-60: Ada legt Phase 12 aus; fällig: {', '.join(f'Phase {n}' for n in range(1, 11))}",
    ),
    ("C-60: Ada lays phase 1; due: some, any", "C-60: Ada legt Phase 1 aus; fällig: some, any"),
    ("C-20: color of 7: 6 cards are too few", "C-20: Farbe aus 7: 6 Karten sind zu wenige"),
    (
        "N-03: missing: R5; too many: no card",
        "N-03: es fehlen: R5; zu viel: keine Karte",
    ),
]
"""What a reader of files and a check write: each could be read by other forms, too."""


@pytest.mark.parametrize(("text", "translation"), READERS)
def test_the_form_with_the_most_words_is_taken(text: str, translation: str) -> None:
    assert finding_words("de")(text) == translation


@pytest.mark.parametrize("unit", UNITS)
def test_a_text_made_of_nothing_but_marks_is_given_up(unit: str) -> None:
    """However many forms it might be of."""
    text = unit * LONGEST
    for length in (LONGEST // 10, LONGEST, len(text)):
        assert isinstance(finding_words("fr")(text[:length]), str)
        assert isinstance(detail_of(text[:length], "de"), str)


@given(st.lists(st.sampled_from([*UNITS, "3", "W", "seat 3", "event 5", "{", "}", "{seq}", "\n"])))
def test_any_text_is_one_afterwards(parts: list[str]) -> None:
    assert isinstance(finding_words("de")("".join(parts)), str)
