"""The problems of a case as people read them: events in table words, and what is alike as one."""

from collections.abc import Iterable

from msgspec.structs import replace

from phaseledger.replay.verify.case import Case
from phaseledger.replay.verify.evidence import ProblemGroup, VerificationProblem


def worded(case: Case) -> tuple[VerificationProblem, ...]:
    """The problems of the case, each with what people at the table call its event."""
    return tuple(replace(problem, event=_words(case, problem)) for problem in case.problems)


def _words(case: Case, problem: VerificationProblem) -> str:
    """The words for the event; empty where the bundle has none of that number in its place."""
    index = problem.seq - 1
    if not 0 <= index < len(case.places):
        return ""
    is_in_place = case.bundle.events[index].form.seq == problem.seq
    return case.places[index].words if is_in_place else ""


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


def event_label(problem: VerificationProblem) -> str:
    """The problem's event in table words with its number; empty where it is about none."""
    if not problem.seq:
        return ""
    return f"{problem.event} (event {problem.seq})" if problem.event else f"event {problem.seq}"


def others_label(group: ProblemGroup) -> str:
    """How many more problems are alike, and up to which event; empty for none."""
    if group.count == 1:
        return ""
    upto = f", up to event {group.last_seq}" if group.last_seq > group.problem.seq else ""
    return f"{group.count - 1:,} more like this{upto}"
