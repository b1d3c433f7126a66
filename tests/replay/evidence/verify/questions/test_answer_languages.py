"""Questions and answers, and where stories part, in German and French."""

import re
from collections.abc import Iterator, Sequence
from itertools import cycle

import pytest
from msgspec.structs import replace

from phaseledger.domain.words import LANGUAGES, Language, reason_of, spoken
from phaseledger.replay.evidence.verify.batch import partings_of
from phaseledger.replay.evidence.verify.checks.receipts import KeptReceipt
from phaseledger.replay.evidence.verify.files.receipts import parse_receipts
from phaseledger.replay.evidence.verify.policy import Policy
from phaseledger.replay.evidence.verify.questions.answer_text import answer_lines, parting_lines
from phaseledger.replay.evidence.verify.questions.question import EXAMPLES, parse_question
from phaseledger.replay.evidence.verify.verdict_words import VerdictWords
from phaseledger.replay.evidence.verify.verify import answered, verify
from phaseledger.replay.formats.bundle.reader import parse_bundle
from phaseledger.replay.formats.bundle.writer import bundle_lines
from phaseledger.replay.formats.signing.presences import SLACK
from phaseledger.replay.terminal import UsageError
from tests.support.cases import looped
from tests.support.languages import pseudo_german
from tests.support.replay import presences
from tests.support.replay.bundles import PLANS as PLAYED
from tests.support.replay.bundles import game, good
from tests.support.replay.graded_games import PLANS, POLICY, graded
from tests.support.replay.operator_games import STRANGER, bundled, played
from tests.support.replay.two_stories import kept_receipts, story_bundle

HERS, HIS = story_bundle(other_move=False), story_bundle(other_move=True)
EVERYTHING = "round 0", "round 1"
OF_ANY_LANGUAGE = re.compile(
    r'"(?:[^"\\]|\\.)*"|`[^`]*`|\b(?:[0-9a-f]{8,}|[0-9a-f-]{36})\b|\w+_\w+|mine|\d\.bundle'
    r"|example\.(?:org|net)/\w+(?:\+[0-9a-f]{8})?|classic@1|variant=|equivocation|greedy"
    r"|no more time|\bUTC\b"
)
"""Names, commands, hashes and codes, names of files, logs and bots, and what a host wrote."""


def words_of(lang: Language) -> VerdictWords:
    return VerdictWords(lang)


def forged_signature() -> list[bytes]:
    lines = bundled(graded("signed"))
    place = next(n for n, line in enumerate(lines) if b'"seq":12,' in line and b'"event"' in line)
    before = lines[place].partition(b'"sig":"')[2][:128]
    lines[place] = lines[place].replace(before, b"0" * 128)
    return lines


def kept_by(lines: Sequence[bytes]) -> list[KeptReceipt]:
    receipts = parse_bundle(lines).receipts
    return [KeptReceipt("mine", number, receipt) for number, (_, receipt) in enumerate(receipts, 1)]


def answered_lines(
    lines: Sequence[bytes],
    lang: Language,
    policy: Policy | None = POLICY,
    receipts: Sequence[KeptReceipt] = (),
) -> list[str]:
    """The answers about all events of the bundle."""
    examined = verify([parse_bundle(lines, "file")], policy, receipts)
    made: list[str] = []
    for question in EVERYTHING:
        try:
            (answer,) = answered(examined, receipts, parse_question(question), lang)
        except UsageError:
            continue
        made += answer_lines(answer.judgement, words_of(lang))
    return made


def answers(lang: Language) -> Iterator[str]:
    for name, policy in zip(PLANS, cycle([POLICY, None])):
        yield from answered_lines(bundled(graded(name)), lang, policy)
    yield from answered_lines([*bundle_lines(graded("nobody signs"))], lang)
    yield from answered_lines(forged_signature(), lang)
    yield from answered_lines(bundled(game("classic")[:29]), lang)
    signed = bundled(graded("signed"))
    yield from answered_lines(signed, lang, receipts=kept_by(signed))
    other = bundled(played(replace(PLAYED["classic"], moves="otherwise")))
    yield from answered_lines(good(), lang, None, kept_by(other))
    for at in (presences.present().at, presences.LATE["at"] + SLACK + 1):
        kept = [KeptReceipt("mine", 1, presences.present(at=at))]
        yield from answered_lines(presences.LINES, lang, receipts=kept)


def partings(lang: Language) -> Iterator[str]:
    """Where stories part, by what their operator signed."""
    strangers = replace(POLICY, keys=(STRANGER.public,), witnesses=())
    forged = story_bundle(other_move=True, key=STRANGER)
    kept = [*parse_receipts(kept_receipts(HERS), "mine")]
    for other, policy in ((HIS, POLICY), (HIS, None), (HIS, strangers), (forged, POLICY)):
        read = [
            parse_bundle(content.splitlines(keepends=True), f"{number}.bundle")
            for number, content in enumerate((HERS, other), 1)
        ]
        for parting in partings_of(verify(read, policy, kept), kept, lang):
            yield from parting_lines(parting, words_of(lang))


@pytest.fixture
def pseudo() -> Iterator[None]:
    with pseudo_german():
        yield


@pytest.mark.usefixtures("pseudo")
@pytest.mark.parametrize("lines", [answers, partings], ids=["answers", "partings"])
def test_nothing_of_an_answer_stays_english(lines: object) -> None:
    assert callable(lines)
    made = [*lines("de")]
    left = [line for line in made if re.search("[a-z]{3}", OF_ANY_LANGUAGE.sub("", line))]
    assert left == []
    assert len(made) > 30


@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_an_answer_has_the_lines_of_the_english_one(lang: Language) -> None:
    lines = bundled(graded("timed out"))
    assert len(answered_lines(lines, lang)) == len(answered_lines(lines, "en"))
    assert [*partings(lang)] != [*partings("en")]


QUESTIONS: dict[Language, list[str]] = {
    "de": ["Zug 3", "Seat 1 zug 3", "Platz 1 Runde 1", "EREIGNIS 12", "Zeitüberschreitungen"],
    "fr": ["tour 3", "Seat 1 tour 3", "place 1 manche 1", "ÉVÉNEMENT 12", "dépassements"],
}


@pytest.mark.parametrize("lang", QUESTIONS)
def test_a_question_in_another_language_asks_the_same(lang: Language) -> None:
    english = ["turn 3", "Seat 1 turn 3", "seat 1 round 1", "event 12", "time-outs"]
    for text, same in zip(QUESTIONS[lang], english, strict=True):
        _, *asked, _, _ = parse_question(same)
        for question in (parse_question(text, lang), parse_question(same, lang)):
            assert [question.numbers, question.time_outs, question.name] == asked


@looped(
    ("question", "spoken_parts"),
    [
        ("", {"de": "Frage nach etwas wie ", "fr": "Demandez par exemple "}),
        (
            "turn 999",
            {
                "de": "Es hat Ereignisse 1 bis 81, Züge 1 bis ",
                "fr": "Elle a ceci\xa0: événements 1 à 81, ",
            },
        ),
        ("Mallory", {"de": 'niemand namens "Mallory"', "fr": 'personne du nom de "Mallory"'}),
    ],
)
def test_what_cannot_be_asked(question: str, spoken_parts: dict[Language, str]) -> None:
    with pytest.raises(UsageError) as refusal:
        verify([parse_bundle(good(), "file")], question=parse_question(question))
    for lang, part in spoken_parts.items():
        text = spoken(reason_of(refusal.value), lang)
        assert part in text
        assert EXAMPLES not in text
