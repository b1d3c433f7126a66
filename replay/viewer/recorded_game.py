"""A recorded game, read from a file or a store up to its last good event, and judged."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from io import BytesIO
from pathlib import PurePath
from typing import NamedTuple

import msgspec
from msgspec import Struct

from phaseledger.domain.events import GameOpened, belongs
from phaseledger.domain.evidence.codec import seal_key
from phaseledger.domain.state import Stage
from phaseledger.domain.words import LANGUAGES, Amount, Language, Phrase, reason_of, spoken
from phaseledger.replay.evidence.verify.checks.game import game_course
from phaseledger.replay.evidence.verify.codes import BROKEN_WORD, CODES, DAMAGED, AnyCode
from phaseledger.replay.evidence.verify.evidence import Conclusion, Grade
from phaseledger.replay.evidence.verify.files import dispute
from phaseledger.replay.evidence.verify.grades import grade_meaning
from phaseledger.replay.evidence.verify.headline import headline, headline_words
from phaseledger.replay.evidence.verify.verify import ExaminedBundle, verify
from phaseledger.replay.evidence.walk import WalkedGame, one_game, walk
from phaseledger.replay.formats.bundle.lines import VERSION
from phaseledger.replay.formats.bundle.reader import Bundle, parse_bundle
from phaseledger.replay.formats.records import bundled
from phaseledger.replay.formats.records.findings import AuditVerdict, SourceRow
from phaseledger.replay.formats.records.source import DamagedSource, UnreadableFile, read_stream
from phaseledger.replay.text import Viewer, clean
from phaseledger.replay.transcript.table import Step
from phaseledger.replay.viewer.findings import (
    BadEvent,
    DisputedEvent,
    audited_findings,
    group_text,
    judged_findings,
    unread_rest,
)
from phaseledger.replay.viewer.limits import (
    NotAGame,
    NothingGood,
    OtherVersion,
    TooMuch,
    WorkBudget,
)


class ViewerVerdict(Struct, frozen=True):
    """The verdict on a game: a headline, the grade of its proof, and its grounds."""

    headline: str
    grade: Grade
    sound: bool
    lines: tuple[str, ...]


class GameConclusion(NamedTuple):
    """The verdict on a game with its findings, in one language."""

    verdict: ViewerVerdict
    findings: tuple[DisputedEvent, ...]


class RecordedGame(NamedTuple):
    """A game up to its last good event, with the verdict on all of it."""

    title: str
    steps: list[Step]
    stage: Stage
    """The stage by the events, bad ones included."""
    known_to: Viewer
    """The audience of everything that was read: ``all`` or, of a view, its one viewer."""
    conclusions: Mapping[Language, GameConclusion]
    """The verdict and the findings in the words of each language."""

    @property
    def verdict(self) -> ViewerVerdict:
        """The verdict in English."""
        return self.conclusions["en"].verdict

    @property
    def findings(self) -> tuple[DisputedEvent, ...]:
        """The findings in English."""
        return self.conclusions["en"].findings

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, so that no player's cards are hidden any more."""
        return self.stage in ("ended", "voided")


def read_recorded(content: bytes, name: str, game: str | None, budget: WorkBudget) -> RecordedGame:
    """The game in the bytes of an export, a bundle, or a view of a game that goes on.

    ``name`` is the file's, ``game`` the id or place of one of several.

    Raises:
        UnviewableGame: there is none, or too much of it.
        UnknownGame: ``game`` is not there.
        UsageError: there are several, and ``game`` is None.

    """
    title = clean(PurePath(name).name) or "game"
    first = content[: content.find(b"\n") + 1]
    if first.startswith(dispute.BEGINS):
        raise NotAGame(Phrase("evidence.file.dispute", title=title))
    if first.startswith(bundled.BEGINS):
        _require_version(first, title)
        try:
            return recorded_bundle(parse_bundle(BytesIO(content), title), budget)
        except DamagedSource as damage:
            rows = read_stream(BytesIO(content), title)
            return recorded_rows(rows, title, game, budget, reason_of(damage))
    return recorded_rows(read_stream(BytesIO(content), title), title, game, budget)


class _HeaderVersion(Struct):
    v: str


class _HeaderLine(Struct):
    bundle: _HeaderVersion


def _require_version(first: bytes, title: str) -> None:
    try:
        version = msgspec.json.decode(first, type=_HeaderLine).bundle.v
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return  # damaged: the reader says where
    if version != VERSION:
        raise OtherVersion(
            Phrase(
                "evidence.file.version",
                title=title,
                version=repr(clean(version[:40])),
                other_version=repr(VERSION),
            )
        )


# --- a bundle -----------------------------------------------------------------------------------


def recorded_bundle(bundle: Bundle, budget: WorkBudget) -> RecordedGame:
    """The game of a bundle, verified without a policy; raises UnviewableGame."""
    budget.require_events(len(bundle.events))
    (examined,) = verify([bundle])
    budget.require_time()
    case, judgement = examined
    course = game_course(case)
    steps = list(course.steps)
    known_to: Viewer = "all" if bundle.over else case.viewer
    bad = BadEvent(steps[-1].state if steps else None, course.recorded, course.expected)
    conclusions = {
        lang: GameConclusion(
            _judged(examined, lang),
            tuple(judged_findings(case, judgement, steps, bad, known_to, lang)),
        )
        for lang in LANGUAGES
    }
    reasons = [(group.problem.code, group_text(group)) for group in judgement.findings]
    _require_start(steps, bundle.source, reasons)
    stage = _STAGES.get(bundle.events[-1].form.type) or steps[-1].state.stage
    return RecordedGame(
        title=bundle.source,
        steps=steps,
        stage=stage,
        known_to=known_to,
        conclusions=conclusions,
    )


def _judged(examined: ExaminedBundle, lang: Language) -> ViewerVerdict:
    judgement = examined.judgement
    checks = (
        Phrase(f"evidence.topic.{check.topic}", text=check.text) for check in judgement.checks
    )
    lines = (grade_meaning(judgement.grade), *checks, *judgement.notes)
    return ViewerVerdict(
        headline=headline(judgement, lang),
        grade=judgement.grade,
        sound=not judgement.problems,
        lines=tuple(spoken(line, lang) for line in lines),
    )


# --- an export, a store, a view -----------------------------------------------------------------


def recorded_rows(
    rows: Iterable[SourceRow], title: str, game: str | None, budget: WorkBudget, damage: str = ""
) -> RecordedGame:
    """The game in stored events, audited up to the last readable one.

    ``damage`` is another fault of their source.

    Raises:
        UnviewableGame, UnknownGame, UsageError: as `read_recorded` does.

    """
    ending = _Ending()
    try:
        walked = walk(ending.watched(budget.counted(one_game(rows, title, game))), title)
    except UnreadableFile:
        raise
    except DamagedSource as error:
        raise NotAGame(Phrase("evidence.file.no_game", title=title, text=error)) from None
    if isinstance(walked.damage, TooMuch):
        raise walked.damage
    steps = walked.steps
    known_to: Viewer = _known_to(steps) if walked.is_view else "all"
    bad = BadEvent(steps[-1].state if steps else None, walked.recorded, walked.expected)
    damage = damage or (clean(reason_of(walked.damage)) if walked.damage else "")
    conclusions = {}
    for lang in LANGUAGES:
        findings = (*audited_findings(walked.verdict, steps, bad, _key(steps), known_to, lang),)
        if damage and not any(finding.code == "unreadable" for finding in findings):
            findings += (unread_rest(damage, len(steps) + 1, lang),)
        conclusions[lang] = GameConclusion(_audited(walked, damage, lang), findings)
    reasons = [(finding.code, finding.text) for finding in walked.verdict.findings]
    _require_start(steps, title, reasons or [("unreadable", damage)] * bool(damage))
    stage = steps[-1].state.stage if walked.is_view else ending.stage or steps[-1].state.stage
    return RecordedGame(
        title=title,
        steps=steps,
        stage=stage,
        known_to=known_to,
        conclusions=conclusions,
    )


_STAGES: dict[str, Stage] = {"GameEnded/1": "ended", "GameVoided/1": "voided"}
"""The stage of a game by the type of its last event."""


class _Ending:
    """The end of a game among its rows, also after the first bad one."""

    def __init__(self) -> None:
        self.stage: Stage | None = None

    def watched(self, rows: Iterable[SourceRow]) -> Iterator[SourceRow]:
        """The rows, unchanged."""
        for row in rows:
            self.stage = _STAGES.get(row.topic, self.stage)
            yield row


def _known_to(steps: list[Step]) -> int | None:
    """The seat of a view: the audience of all opened values; None for no seat's view."""
    opened = {audience for event, _ in steps for audience in event.hidden}
    seats = range(len(steps[0].state.seats)) if steps and opened else ()
    fitting = [seat for seat in seats if all(belongs(audience, seat) for audience in opened)]
    return fitting[0] if len(fitting) == 1 else None


def _key(steps: list[Step]) -> bytes | None:
    """The key of the game's seals; None where the server's secret is missing."""
    opening = steps[0].event if steps else None
    if not isinstance(opening, GameOpened) or "server" not in opening.hidden:
        return None
    return seal_key(opening.game, opening.hidden["server"].secret)


def _require_start(steps: list[Step], title: str, reasons: Sequence[tuple[AnyCode, str]]) -> None:
    if steps:
        return
    code, reason = reasons[0] if reasons else ("", Phrase("evidence.file.there_is_none"))
    if code == "unknown_topic":
        raise OtherVersion(Phrase("evidence.file.other_version", title=title, text=reason))
    raise NothingGood(Phrase("evidence.file.nothing_good", title=title, text=reason))


def _audited(walked: WalkedGame, damage: str, lang: Language) -> ViewerVerdict:
    verdict = walked.verdict
    words = partial(headline_words, lang)
    conclusion = _conclusion(verdict, is_damaged=bool(damage))
    grade: Grade = "none"
    sentence = words(conclusion)
    if conclusion == "sound":
        grade = "test" if walked.steps[-1].state.terms.test else "consistent"
        ending = words(verdict.status)
        sound = words("verdict", conclusion=sentence, grade=words(f"grade.{grade}"), ending=ending)
        sound = words("test", verdict=sound) if grade == "test" else sound
        sentence = words("nobody", verdict=sound)
        if verdict.status == "unfinished":
            sentence = words("ungraded", conclusion=words("sound_so_far"), ending=ending)
    done = Phrase(
        "evidence.done.followed" if walked.is_view else "evidence.done.decided",
        count=Amount(verdict.events),
    )
    lines = (grade_meaning(grade), done, *verdict.notes)
    return ViewerVerdict(
        sentence, grade, conclusion == "sound", tuple(spoken(line, lang) for line in lines)
    )


def _conclusion(verdict: AuditVerdict, *, is_damaged: bool) -> Conclusion:
    codes = {CODES[finding.code].exit_code for finding in verdict.findings}
    if DAMAGED in codes or (is_damaged and not codes):
        return "damaged"
    if codes:
        return "operator" if codes == {BROKEN_WORD} else "wrong"
    return "sound"
