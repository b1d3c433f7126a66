"""Findings and verdicts in German and French: whatever is found has words in both."""

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import msgspec
import pytest

from phaseledger.domain.explain.forms import NUMBERS
from phaseledger.domain.explain.languages import LANGUAGES, Language
from phaseledger.replay.records.source import SourceError
from phaseledger.replay.verify.blame import blamed
from phaseledger.replay.verify.codes import CODES
from phaseledger.replay.verify.grades import MEANINGS
from phaseledger.replay.viewer.document import _texts
from phaseledger.replay.viewer.finding_words import FORMS, HEADLINES, explanations, finding_words
from phaseledger.replay.viewer.limits import ViewerLimits, WorkBudget
from phaseledger.replay.viewer.recorded_game import read_recorded
from tests.support.languages import disguised, other_arguments
from tests.support.pseudo_words import pseudo_german
from tests.support.replay.bundles import good
from tests.support.replay.forgery_corpus import CORPUS
from tests.support.replay.policy_cases import issued
from tests.support.written_texts import filled, texts_of_calls

ROOT = Path(__file__).parents[3] / "replay"
TRANSLATIONS = LANGUAGES[1:]


@pytest.mark.parametrize("lang", TRANSLATIONS)
def test_every_code_has_words(lang: Language) -> None:
    due = {*MEANINGS.values()}
    for code, explanation in CODES.items():
        due |= {explanation.means, explanation.proves, explanation.advice, blamed(code)}
    phrases = explanations(lang)
    assert due - phrases.keys() == set()
    assert phrases.keys() - due == set()
    assert len({*phrases.values()}) == len(phrases)
    assert not {*phrases.values()} & due


@pytest.mark.parametrize("lang", TRANSLATIONS)
@pytest.mark.parametrize("table", [FORMS, HEADLINES], ids=["forms", "headlines"])
def test_every_form_is_there_with_the_same_arguments(
    table: dict[Language, dict[str, str]], lang: Language
) -> None:
    assert other_arguments(table["en"], table[lang]) == set()


def test_no_two_forms_are_one() -> None:
    """Each is told from the others by its words, or by where it has numbers."""
    texts = FORMS["en"].values()
    forms = [
        re.sub(r"\{(\w+)\}", lambda name: "{n}" if name[1] in NUMBERS else "{}", text)
        for text in texts
    ]
    assert len({*forms}) == len(forms)


# --- all that checks write -----------------------------------------------------------------------


@pytest.fixture
def dots(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """In place of German words are dots, so that English within a text is seen."""
    with pseudo_german(monkeypatch, disguised):
        yield


WRITERS = {"Foul", "ProofFailed", "TimeFault", "DamagedSource", "_Malformed", "find", "check"}
WRITERS |= {"NotAGame", "OtherVersion", "NothingGood", "HiddenCards", "TooMuch", "_add_finding"}
WRITERS |= {"UnknownGame", "UsageError", "_MalformedDispute"}
WRITERS |= {"append", "_Contradiction", "return", "expected"}
"""Calls whose texts come before people's eyes, notes among them."""
SOURCES = (
    *sorted((ROOT / "referee").glob("*.py")),
    *(ROOT / "audit" / name for name in ("auditor.py", "proofs.py", "time_limits.py")),
    *(ROOT / "verify" / "checks" / name for name in ("bots.py", "form.py", "game.py", "times.py")),
    *(ROOT / "verify" / "checks" / name for name in ("operator.py", "receipts.py", "witnesses.py")),
    *(ROOT / "verify" / "checks" / name for name in ("demands.py", "history.py", "waits.py")),
    *(ROOT / "verify" / name for name in ("compare.py", "presences.py", "verify.py")),
    *sorted((ROOT / "verify" / "files").glob("*.py")),
    *(ROOT / "bundle" / name for name in ("line_reader.py", "reader.py")),
    ROOT / "records" / "bundled.py",
    *(ROOT / "viewer" / name for name in ("limits.py", "recorded_game.py", "document.py")),
)
OF_COMMANDS = {"standard input"}
"""What only the command line leads to."""
NEUTRAL = {"{} and {}", "{}, in {} and {}", "0 <= at < 2^53", "at = {}", "cmd = {}"}


def _words(text: str) -> list[str]:
    """The words of the text, but for those in quotation marks."""
    return re.findall(r'(?<!")\b[A-Za-z]{3,}\b(?!")', text)


@pytest.mark.usefixtures("dots")
@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_text_that_a_check_writes_has_a_form(path: Path) -> None:
    words = finding_words("de")

    def is_read(text: str) -> bool:
        """Whether with something in its gaps none of its own words is left."""
        own = {*_words(text)}
        return any(own.isdisjoint(_words(words(it))) for it in filled(text))

    missing = [
        text
        for text in texts_of_calls(path, WRITERS)
        if text not in NEUTRAL and not any(part in text for part in OF_COMMANDS)
        if not is_read(text)
    ]
    assert missing == []


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


@pytest.mark.parametrize(
    "text",
    [
        "a:3: the line is no checkpoint and no proof: {}.",
        "a: there is no checkpoint and no proof in it.",
        "a: there is no receipt in it.",
        "a:3: a receipt has at most 4,096 bytes, a file 100,000 receipts.",
        "a:3: a sighting of the log has at most 131,072 bytes, a file 10,000 lines.",
    ],
)
@pytest.mark.usefixtures("dots")
def test_what_files_of_several_kinds_lack(text: str) -> None:
    assert _words(finding_words("de")(text)) == []


def test_a_field_is_no_time() -> None:
    words = finding_words("de")
    assert words("at = 1790000000123") == "at = 1790000000123"
    assert words("at 2026-09-21 14:13:20.123 UTC") == "um 2026-09-21 14:13:20.123 UTC"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("field", OTHER_RECEIPTS)
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


EVERY = 8
"""One in so many is judged; all of them take two minutes, and wrote nothing that others did not."""


@pytest.mark.usefixtures("dots")
@pytest.mark.parametrize("title", CORPUS)
def test_nothing_that_is_found_stays_english(title: str) -> None:
    left: dict[str, str] = {}
    for forgery in islice(CORPUS[title](), 0, None, EVERY):
        try:
            game = read_recorded(b"".join(forgery.lines), "a", None, WorkBudget(ViewerLimits()))
            texts = [*_texts(game.conclusions["de"])]
        except SourceError as refusal:
            texts = [finding_words("de")(str(refusal))]
        left |= {
            text: forgery.kind
            for text in texts
            if not BYTES.fullmatch(text) and re.search("[a-zA-Z]{3}", WITHIN.sub("", text))
        }
    assert left == {}
