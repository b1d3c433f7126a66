"""Findings and verdicts in German and French: whatever is found has words in both."""

import re
from collections.abc import Iterator
from itertools import islice

import msgspec
import pytest

from phaseledger.domain.words import LANGUAGES, Language, reason_of, spoken
from phaseledger.replay.formats.records.source import SourceError
from phaseledger.replay.viewer.document import _texts
from phaseledger.replay.viewer.limits import ViewerLimits, WorkBudget
from phaseledger.replay.viewer.recorded_game import read_recorded
from tests.support.campaigns import sampled
from tests.support.cases import looped
from tests.support.languages import pseudo_german
from tests.support.replay.bundles import good
from tests.support.replay.forgery_corpus import CORPUS
from tests.support.replay.policy_cases import issued

# --- all that checks write -----------------------------------------------------------------------


@pytest.fixture
def dots() -> Iterator[None]:
    """In place of German words are dots, so that English within a text is seen."""
    with pseudo_german():
        yield


# --- receipts that the operator signed over something else --------------------------------------

OTHER_RECEIPTS = {
    "leaf": {
        "en": ("event 11 with the leaf abab", "event 11 with the leaf "),
        "de": ("Ereignis 11 mit dem Blatt abab", "Ereignis 11 mit dem Blatt "),
        "fr": ("l'événement 11 avec la feuille abab", "l'événement 11 avec la feuille "),
    },
    "command": {
        "en": ("a command with the hash abab", "a command with the hash "),
        "de": ("ein Befehl mit dem Hash abab", "ein Befehl mit dem Hash "),
        "fr": ("une commande avec le hachage abab", "une commande avec le hachage "),
    },
    "at": {
        "en": ("the time 1970-01-01 00:00:00.005 UTC", "the time 2026-09-21 "),
        "de": ("die Zeit 1970-01-01 00:00:00.005 UTC", "die Zeit 2026-09-21 "),
        "fr": ("l'heure 1970-01-01 00:00:00.005 UTC", "l'heure 2026-09-21 "),
    },
}
SAID_BY_THE_RECEIPT = {
    "en": ", as the receipt says",
    "de": ", wie die Quittung sagt",
    "fr": ", comme le dit le reçu",
}
PLACES = {
    "en": "Seat 1's draw from the stock in turn 1, round 1",
    "de": "wie Seat 1 in Zug 1 vom Nachziehstapel zieht, Runde 1",
    "fr": "Seat 1 pioche au tour 1, manche 1",
}


@looped("lang", LANGUAGES)
@looped("field", OTHER_RECEIPTS)
def test_a_receipt_for_something_else_speaks_of_the_table(field: str, lang: Language) -> None:
    receipt = issued(**{field: 5 if field == "at" else "ab" * 32})
    lines = [*good()]
    places = [n for n, line in enumerate(lines) if line.startswith(b'{"receipt":')]
    lines[places[7]] = msgspec.json.encode({"receipt": receipt}, order="sorted") + b"\n"
    game = read_recorded(b"".join(lines), "a", None, WorkBudget(ViewerLimits()))
    (finding,) = game.conclusions[lang].findings
    expected, recorded = OTHER_RECEIPTS[field][lang]

    assert (finding.code, finding.seq) == ("receipt_differs", 11)
    assert finding.turn == PLACES[lang]
    assert finding.expected is not None
    assert finding.expected.sentence.startswith(expected)
    assert finding.expected.sentence.endswith(SAID_BY_THE_RECEIPT[lang])
    assert finding.recorded is not None
    assert finding.recorded.sentence.startswith(recorded)


# --- all that is found in the corpus of forgeries ------------------------------------------------


BYTES = re.compile(
    r"[\w.:\[\]]+ = .*|[\w+/]{40,}=*|[A-Z]\w+|[a-z_]+( [a-z]+)?|[-\d]{10} [\d:.]{12} UTC", re.DOTALL
)
"""What is the same in every language: fields and values as stored, hashes, codes, times."""
WITHIN = re.compile(
    r"[\w+/]{40,}=*|\b[0-9a-f]{16}\b|[A-Z]\w+(\(.*?'\))?|seat \d|example\.(org|net)/\S+"
    r"|no more time|\{(id|seq)\}|(data|hidden)\.[\w.]+|[a-z]+_[a-z_]+"
)
"""What of that stands within a text, and players whose name is as a seat's."""


EVERY = 24
"""One in so many is judged; all of them take two minutes, and wrote nothing that others did not."""


@pytest.mark.usefixtures("dots")
@pytest.mark.parametrize("title", sampled(CORPUS, "Sealed anew", "Receipts made up"))
def test_nothing_that_is_found_stays_english(title: str) -> None:
    left: dict[str, str] = {}
    for forgery in islice(CORPUS[title](), 0, None, EVERY):
        try:
            game = read_recorded(b"".join(forgery.lines), "a", None, WorkBudget(ViewerLimits()))
            texts = [*_texts(game.conclusions["de"])]
        except SourceError as refusal:
            texts = [spoken(reason_of(refusal), "de")]
        left |= {
            text: forgery.kind
            for text in texts
            if not BYTES.fullmatch(text) and re.search("[a-zA-Z]{3}", WITHIN.sub("", text))
        }
    assert left == {}
