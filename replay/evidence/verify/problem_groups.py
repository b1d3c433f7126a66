"""The problems of a case as people read them: events in table words, and what is alike as one."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from phaseledger.domain.words import Amount, Language, Phrase
from phaseledger.replay.evidence.seat_names import named
from phaseledger.replay.evidence.verify.case import Case
from phaseledger.replay.evidence.verify.evidence import ProblemGroup, VerificationProblem
from phaseledger.replay.evidence.verify.verdict_words import IN_ENGLISH, VerdictWords
from phaseledger.replay.transcript.event_words import TablePlace


def worded(case: Case, lang: Language = "en") -> tuple[VerificationProblem, ...]:
    """The problems of the case, each with what people at the table call its event."""
    if not case.problems:
        return ()
    places = case.places(lang)
    return tuple(
        replace(
            problem,
            event=_event(case, problem, places),
            text=named(problem.text, names),
            expected=named(problem.expected, names),
            recorded=named(problem.recorded, names),
        )
        for problem in case.problems
        for names in (case.names(problem.seq),)
    )


def _event(case: Case, problem: VerificationProblem, places: Sequence[TablePlace]) -> str:
    """What the event is called; empty where the bundle has none of that number in its place."""
    index = problem.seq - 1
    if not 0 <= index < len(places):
        return ""
    is_in_place = case.bundle.events[index].form.seq == problem.seq
    return places[index].words if is_in_place else ""


def grouped(problems: Iterable[VerificationProblem]) -> tuple[ProblemGroup, ...]:
    """The problems in their order, those of one code, rule and file as one."""
    alike: dict[tuple[str, ...], list[VerificationProblem]] = {}
    for problem in problems:
        key = (problem.code, problem.rule, problem.reject, problem.source)
        alike.setdefault(key, []).append(problem)
    return tuple(
        ProblemGroup(group[0], len(group), max(problem.seq for problem in group))
        for group in alike.values()
    )


def event_label(problem: VerificationProblem, words: VerdictWords = IN_ENGLISH) -> str:
    """The problem's event in table words, which are of the same language, with its number; empty
    where it is about none.
    """
    if not problem.seq:
        return ""
    code = "event_at_table" if problem.event else "event"
    return words.line(code, event=problem.event, seq=problem.seq)


def others_label(group: ProblemGroup) -> str:
    """How many more problems are alike, and up to which event; empty for none."""
    if group.count == 1:
        return ""
    count = Amount(group.count - 1)
    if group.last_seq > group.problem.seq:
        return Phrase("evidence.finding.more_upto", count=count, seq=group.last_seq)
    return Phrase("evidence.finding.more", count=count)
