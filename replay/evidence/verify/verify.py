"""Verification of bundles: all checks, and the conclusion from them.

A bundle is checked on its own, then against kept receipts and other bundles of the same log.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from phaseledger.domain.events import GameOpened
from phaseledger.domain.words import Language, Phrase
from phaseledger.replay.evidence.seat_names import named
from phaseledger.replay.evidence.verify.case import Case
from phaseledger.replay.evidence.verify.checks.bots import check_bots
from phaseledger.replay.evidence.verify.checks.form import (
    check_chain,
    check_commands,
    check_commitments,
    check_header,
    check_ruleset,
    check_seals,
)
from phaseledger.replay.evidence.verify.checks.game import (
    check_game,
    check_referee,
    check_running,
    check_signatures,
)
from phaseledger.replay.evidence.verify.checks.history import check_history
from phaseledger.replay.evidence.verify.checks.operator import (
    check_checkpoint,
    check_demands,
    check_policy,
    signers,
)
from phaseledger.replay.evidence.verify.checks.receipts import (
    KeptReceipt,
    check_held,
    check_receipts,
)
from phaseledger.replay.evidence.verify.checks.times import check_times, owing_seats
from phaseledger.replay.evidence.verify.checks.waits import check_waits
from phaseledger.replay.evidence.verify.checks.witnesses import check_witnesses
from phaseledger.replay.evidence.verify.codes import (
    BROKEN_WORD,
    CODES,
    DAMAGED,
    SOUND,
    TOO_LITTLE,
    WRONG,
)
from phaseledger.replay.evidence.verify.compare import compare, is_earlier
from phaseledger.replay.evidence.verify.evidence import Conclusion, Grade, Judgement, SeatReport
from phaseledger.replay.evidence.verify.grades import facets_of, grade_of
from phaseledger.replay.evidence.verify.headline import headline
from phaseledger.replay.evidence.verify.policy import Policy
from phaseledger.replay.evidence.verify.problem_groups import grouped, worded
from phaseledger.replay.evidence.verify.questions.attestations import attestations
from phaseledger.replay.evidence.verify.questions.question import TableQuestion, asked_events
from phaseledger.replay.evidence.verify.sightings import SeenInclusion, Sighting
from phaseledger.replay.formats.bundle.reader import Bundle
from phaseledger.replay.formats.records.source import UnknownGame

_CONCLUSIONS: dict[int, Conclusion] = {
    DAMAGED: "damaged",
    WRONG: "wrong",
    BROKEN_WORD: "operator",
    TOO_LITTLE: "too_little",
}
"""Exit codes, the one that counts first."""


class ExaminedBundle(NamedTuple):
    """A verified bundle: the case with the details, and the judgement."""

    case: Case
    judgement: Judgement


def verify(
    bundles: Sequence[Bundle],
    policy: Policy | None = None,
    receipts: Iterable[KeptReceipt] = (),
    sightings: Iterable[Sighting] = (),
    question: TableQuestion | None = None,
    *,
    bots: bool = True,
) -> list[ExaminedBundle]:
    """Verify bundles, of one game or several, and answer a question about each.

    Without ``bots`` none is made to move again, and their moves are `unproven`.

    Raises:
        UnknownGame: a receipt, or a sighting of the log, is of a game that no bundle is about.
        UsageError: the question is about nothing that any of the games has.

    """
    cases = [Case(bundle, policy, bots=bots) for bundle in bundles]
    kept_receipts, kept_sightings = list(receipts), list(sightings)
    require_games({bundle.header.game for bundle in bundles}, kept_receipts, kept_sightings)
    seats = [
        _examine(case, kept_receipts, [other for other in cases if is_earlier(case, other)])
        for case in cases
    ]
    for number, case in enumerate(cases):
        for earlier in cases[:number]:
            compare(earlier, case)
    for case in cases:
        check_history(case, kept_sightings)
        check_waits(case, [other for other in cases if other is not case], kept_sightings)
    examined = [
        ExaminedBundle(case, _judge(case, reports))
        for case, reports in zip(cases, seats, strict=True)
    ]
    return answered(examined, kept_receipts, question) if question else examined


def answered(
    examined: Sequence[ExaminedBundle],
    receipts: Sequence[KeptReceipt],
    question: TableQuestion,
    lang: Language = "en",
) -> list[ExaminedBundle]:
    """The bundles with a question answered about each; what happened is told in that language.

    Raises:
        UsageError: the question is about nothing that any of the games has.

    """
    asked = asked_events([case for case, _ in examined], question)
    return [
        ExaminedBundle(
            case,
            replace(
                judgement,
                question=question.text,
                answers=tuple(attestations(case, judgement.seats, receipts, seqs, lang)),
            ),
        )
        for (case, judgement), seqs in zip(examined, asked, strict=True)
    ]


def in_language(examined: Iterable[ExaminedBundle], lang: Language) -> list[ExaminedBundle]:
    """The bundles with the events of their problems called as people do in that language."""
    if lang == "en":
        return list(examined)
    spoken = []
    for case, judgement in examined:
        problems = worded(case, lang)
        spoken.append(
            ExaminedBundle(case, replace(judgement, problems=problems, findings=grouped(problems)))
        )
    return spoken


def require_games(
    games: Collection[str], receipts: Iterable[KeptReceipt], sightings: Iterable[Sighting]
) -> None:
    """Require that kept receipts and sightings are of these games.

    Raises:
        UnknownGame: a receipt, or an inclusion proof, is of another one.

    """
    for source, line, receipt, _ in receipts:
        if receipt.game not in games:
            reason = Phrase("evidence.line.other_receipt", id=receipt.game)
            raise UnknownGame(Phrase("evidence.line", title=source, seq=line, reason=reason))
    for kept in sightings:
        if isinstance(kept, SeenInclusion) and kept.proof.game not in games:
            reason = Phrase("evidence.line.other_proof", id=kept.proof.game)
            raise UnknownGame(
                Phrase("evidence.line", title=kept.source, seq=kept.line, reason=reason)
            )


def exit_code(codes: Iterable[int]) -> int:
    """The exit code that counts among several."""
    distinct = set(codes)
    return next((code for code in _CONCLUSIONS if code in distinct), SOUND)


def _examine(
    case: Case, receipts: Iterable[KeptReceipt], later: Sequence[Case]
) -> tuple[SeatReport, ...]:
    seats: tuple[SeatReport, ...] = ()
    case.read_events()
    check_chain(case)
    check_header(case)
    if case.read:
        check_ruleset(case)
        check_seals(case)
        check_commitments(case)
        opened = not any(problem.code == "sealed" for problem in case.problems)
        if case.bundle.over and opened:
            check_game(case)
            check_referee(case)
        elif not case.bundle.over:
            check_running(case)
        seats = check_bots(case, check_signatures(case))
        check_times(case)
    check_commands(case)
    check_receipts(case)
    of_game = [kept for kept in receipts if kept.receipt.game == case.bundle.header.game]
    check_held(case, of_game, later)
    check_checkpoint(case)
    check_witnesses(case)
    check_policy(case, seats)
    if not case.keys:
        case.notes.append(Phrase("evidence.note.nothing_binds"))
    return seats


def _ruleset(case: Case) -> str:
    opening = case.events[0] if case.read else None
    return opening.ruleset.id if isinstance(opening, GameOpened) else ""


def _judge(case: Case, seats: tuple[SeatReport, ...]) -> Judgement:
    header, status = case.bundle.header, case.bundle.status
    facets = facets_of(case, seats)
    if facets:
        check_demands(case, facets, seats)
    grade: Grade = grade_of(facets) if facets else "none"
    code = exit_code(CODES[problem.code].exit_code for problem in case.problems)
    problems, names = worded(case), case.names()
    sound: Conclusion = "sound_so_far" if status == "unfinished" else "sound"
    conclusion = _CONCLUSIONS.get(code, sound)
    judgement = Judgement(
        source=case.bundle.source,
        game=header.game,
        conclusion=conclusion,
        grade=grade,
        headline="",
        facets=facets,
        status=status,
        ruleset=_ruleset(case),
        events=len(case.bundle.events),
        head=case.bundle.events[-1].leaf,
        seat=case.viewer,
        owing=owing_seats(case),
        checks=tuple(replace(check, text=named(check.text, names)) for check in case.checks),
        seats=seats,
        signers=signers(case),
        problems=problems,
        findings=grouped(problems),
        notes=tuple(named(note, names) for note in case.notes),
    )
    return replace(judgement, headline=headline(judgement, "en"))
