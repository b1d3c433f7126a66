"""A finding as people settle it: the recorded event, the expected one, the blame, the remedy."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec import Struct

from phaseledger.domain.events import CardsKept, RoundDealt, RoundEnded
from phaseledger.domain.evidence.codec import decode_event, leaf_hash, redact
from phaseledger.domain.evolve import evolve
from phaseledger.domain.explain.rulebook import rule_text
from phaseledger.domain.state import State, cards_in_play
from phaseledger.domain.words import Language, Phrase, message, spoken
from phaseledger.replay.evidence.verify.case import Case
from phaseledger.replay.evidence.verify.codes import CODES, AnyCode
from phaseledger.replay.evidence.verify.evidence import Judgement, ProblemGroup, Voucher
from phaseledger.replay.evidence.verify.problem_groups import others_label
from phaseledger.replay.evidence.verify.questions.answer_text import voucher_text
from phaseledger.replay.evidence.verify.questions.attestations import attestations
from phaseledger.replay.formats.guards import FAULTS, MOST_CARDS, is_modest
from phaseledger.replay.formats.records.findings import AuditVerdict
from phaseledger.replay.text import Viewer, clean
from phaseledger.replay.transcript.event_words import table_places
from phaseledger.replay.transcript.moves import moves
from phaseledger.replay.transcript.table import Step
from phaseledger.replay.transcript.transcript import describe


class EventClaim(Struct, frozen=True, omit_defaults=True):
    """An event as recorded or expected: its words, its cards, and the field that differs."""

    sentence: str
    cards: str = ""
    raw: str = ""


class ChainPlace(Struct, frozen=True, omit_defaults=True):
    """An event's place in the chain of hashes and, if known, in the public log."""

    leaf: str = ""
    prev: str = ""
    index: int | None = None


class DisputedEvent(Struct, frozen=True, omit_defaults=True):
    """A finding with everything needed to judge it; ``seq`` is 0 where it is about no event."""

    seq: int
    code: AnyCode
    text: str
    rule: str = ""
    rule_text: str = ""
    turn: str = ""
    recorded: EventClaim | None = None
    expected: EventClaim | None = None
    blame: str = ""
    proves: str = ""
    todo: str = ""
    chain: ChainPlace | None = None
    vouch: tuple[str, ...] = ()


class BadEvent(Struct, frozen=True):
    """The first bad event of a game as it is stored, and the one that should stand there."""

    before: State | None
    recorded: bytes | None
    expected: bytes | None


def claim(
    stored: bytes | None, before: State | None, raw: str, viewer: Viewer, lang: Language = "en"
) -> EventClaim | None:
    """A stored event as a claim; None where there is neither an event nor anything said of it."""
    raw = spoken(raw, lang)
    if stored is None:
        return EventClaim(raw) if raw else None
    try:
        tree = msgspec.json.decode(stored)
        if not is_modest(tree["data"]):
            raise ValueError
        event = decode_event(tree["type"], stored)
        after = evolve(before, event)
        if len(cards_in_play(after)) > MOST_CARDS:
            raise ValueError
        sentence, *more = describe(after, event, viewer, lang)
        cards = " ".join(move.cards for move in moves(after, event, viewer))
    except FAULTS:
        return EventClaim(message(lang, "evidence.claim.broken"), raw=raw)
    return EventClaim(". ".join([sentence.strip("- "), *more]), cards, raw)


def _refusal(reject: str, expected: str, lang: Language) -> EventClaim | None:
    """The expected refusal of a recorded decision that the rules refuse."""
    if not reject:
        return None
    sentence = message(lang, "claim.refused", sentence=message(lang, f"refused.{reject}"))
    return EventClaim(sentence, raw=spoken(expected, lang))


def place_words(
    steps: Sequence[Step], seq: int, stored: bytes | None, lang: Language = "en"
) -> str:
    """The event in players' words: player, action, turn and round."""
    events = [step.event for step in steps[: seq - 1]]
    if seq <= len(steps):
        events.append(steps[seq - 1].event)
    elif stored is not None and seq == len(steps) + 1:
        try:
            events.append(decode_event(msgspec.json.decode(stored)["type"], stored))
        except FAULTS:
            return ""
    if len(events) < seq:
        return ""
    *_, place = table_places(events, clean, lang)
    is_said = not place.round or isinstance(events[-1], _OF_ROUNDS)
    if is_said:
        return place.words
    return message(lang, "place.in_round", place=place.words, round=place.round)


_OF_ROUNDS = (RoundDealt, RoundEnded, CardsKept)
"""Events named by their round."""


def _disputed(
    lang: Language,
    seq: int,
    code: AnyCode,
    text: str,
    rule: str = "",
    turn: str = "",
    recorded: EventClaim | None = None,
    expected: EventClaim | None = None,
    chain: ChainPlace | None = None,
    vouch: Iterable[str] = (),
) -> DisputedEvent:
    explanation = CODES[code]
    return DisputedEvent(
        seq=seq,
        code=code,
        text=spoken(text, lang),
        rule=rule,
        rule_text=(rule and rule_text(rule, lang)) or "",
        turn=turn,
        recorded=recorded,
        expected=expected,
        blame=spoken(explanation.blame, lang),
        proves=spoken(explanation.proves, lang),
        todo=spoken(explanation.advice, lang),
        chain=chain,
        vouch=tuple(spoken(text, lang) for text in vouch),
    )


# --- of an export -------------------------------------------------------------------------------


def audited_findings(
    verdict: AuditVerdict,
    steps: Sequence[Step],
    bad: BadEvent,
    key: bytes | None,
    viewer: Viewer,
    lang: Language = "en",
) -> Iterator[DisputedEvent]:
    """The findings of an audit. With the ``key`` of the game's seals the event's hash is known."""
    for finding in verdict.findings:
        yield _disputed(
            lang,
            seq=finding.seq,
            code=finding.code,
            text=finding.text,
            rule=finding.rule,
            turn=place_words(steps, finding.seq, bad.recorded, lang),
            recorded=claim(bad.recorded, bad.before, finding.recorded, viewer, lang),
            expected=_refusal(finding.reject, finding.expected, lang)
            or claim(bad.expected, bad.before, finding.expected, viewer, lang),
            chain=_audited_place(bad.recorded, key),
        )


def _audited_place(stored: bytes | None, key: bytes | None) -> ChainPlace | None:
    if stored is None:
        return None
    try:
        prev = msgspec.json.decode(stored)["prev"]
        leaf = leaf_hash(redact(stored, key, None, opened=False)) if key else ""
    except FAULTS:
        return None
    return ChainPlace(leaf, prev) if isinstance(prev, str) else None


# --- of a bundle --------------------------------------------------------------------------------


def judged_findings(
    case: Case,
    judgement: Judgement,
    steps: Sequence[Step],
    bad: BadEvent,
    viewer: Viewer,
    lang: Language = "en",
) -> Iterator[DisputedEvent]:
    """The findings of a verification, equal ones merged."""
    for group in judgement.findings:
        problem = group.problem
        is_bad = problem.seq == len(steps) + 1 and case.is_of_event(problem)
        event = bad if is_bad else BadEvent(None, None, None)
        yield _disputed(
            lang,
            seq=problem.seq,
            code=problem.code,
            text=group_text(group),
            rule=problem.rule,
            turn=place_words(steps, problem.seq, bad.recorded, lang) if problem.seq else "",
            recorded=claim(event.recorded, event.before, problem.recorded, viewer, lang),
            expected=_refusal(problem.reject, problem.expected, lang)
            or claim(event.expected, event.before, problem.expected, viewer, lang),
            chain=_judged_place(case, problem.seq),
            vouch=_vouchers(case, judgement, problem.seq),
        )


def group_text(group: ProblemGroup) -> str:
    """What findings that are alike say."""
    if others := others_label(group):
        return Phrase("evidence.finding.and", text=group.problem.text, others=others)
    return group.problem.text


def _judged_place(case: Case, seq: int) -> ChainPlace | None:
    if not 0 < seq <= len(case.bundle.events):
        return None
    event = case.bundle.events[seq - 1]
    proofs = (proof.value for proof in case.bundle.inclusions)
    index = next((proof.index for proof in proofs if proof.seq == seq), None)
    return ChainPlace(event.leaf, event.form.prev, index)


def _vouchers(case: Case, judgement: Judgement, seq: int) -> Iterator[str]:
    """The parties that vouch for the event, by signature or program."""
    if not 0 < seq <= len(case.places()):  # up to the first that is malformed
        return
    for attestation in attestations(case, judgement.seats, (), [seq]):
        vouchers: tuple[Voucher, ...] = attestation.vouchers
        yield from map(voucher_text, vouchers)
        if not vouchers:
            yield Phrase("evidence.voucher.nobody")


def unread_rest(text: str, seq: int, lang: Language = "en") -> DisputedEvent:
    """The finding that a file cannot be read on from the event of that number."""
    return _disputed(lang, seq, "unreadable", text)
