"""The result of a verification as text: the verdict first, then what it rests on."""

import re
from collections.abc import Iterator

from msgspec.structs import asdict

from phaseledger.domain.words import Phrase, message, spoken
from phaseledger.replay.evidence.verify.codes import BY_THE_CLOCK
from phaseledger.replay.evidence.verify.evidence import (
    CheckResult,
    Facets,
    Judgement,
    ProblemGroup,
    SeatReport,
)
from phaseledger.replay.evidence.verify.grades import grade_meaning
from phaseledger.replay.evidence.verify.headline import headline
from phaseledger.replay.evidence.verify.problem_groups import event_label
from phaseledger.replay.evidence.verify.questions.answer_text import answer_lines
from phaseledger.replay.evidence.verify.verdict_words import IN_ENGLISH, VerdictWords, seat_name
from phaseledger.replay.text import quoted

TOPIC_WIDTH = 18
"""Width of the column of topics where none is longer."""

_PLAIN = re.compile(r"[a-z0-9-]*(@[0-9]+)?")


def is_blamed_in_vain(judgement: Judgement) -> bool:
    """Whether the seats that a voided game names owe nothing, since it was not due yet."""
    return any(problem.code in BY_THE_CLOCK for problem in judgement.problems)


def owing_word(judgement: Judgement) -> str:
    """How to speak of the seats that a voided game names."""
    if is_blamed_in_vain(judgement):
        return "blamed"
    signed = {seat.seat for seat in judgement.seats if seat.word == "signed"}
    return "owing" if signed.issuperset(judgement.owing) else "owing_unsigned"


def facet_values(facets: Facets) -> list[tuple[str, str]]:
    """Each facet's name and value."""
    return list(asdict(facets).items())


def judgement_lines(judgement: Judgement, words: VerdictWords = IN_ENGLISH) -> Iterator[str]:
    """The lines on one bundle's judgement, whose answers are in the same language."""
    yield headline(judgement, words.lang)
    view = (
        ""
        if judgement.seat is None
        else words.line("view", seat=seat_name(judgement, judgement.seat))
    )
    ruleset = judgement.ruleset or words.line("no_rules")
    if judgement.ruleset and not _PLAIN.fullmatch(judgement.ruleset):
        ruleset = quoted(judgement.ruleset)
    game = words.line(
        "game",
        source=judgement.source,
        game=judgement.game,
        ruleset=ruleset,
        status=words.line(judgement.status),
        view=view,
    )
    yield f"  {game}"
    events = words.line("events", count=judgement.events, head=judgement.head)
    yield f"  {events}"
    if judgement.facets:
        yield f"  {', '.join(f'{name}: {value}' for name, value in facet_values(judgement.facets))}"
        meaning = spoken(grade_meaning(judgement.grade), words.lang)
        grade = words.text(f"headline.grade.{judgement.grade}")
        yield f"  {words.line('grade', grade=grade, text=meaning)}"
    if judgement.owing:
        yield f"  {words.line(owing_word(judgement), seats=words.owing(judgement))}"
    for group in judgement.findings:
        yield from _finding_lines(group, words)
    if judgement.question:
        yield from answer_lines(judgement, words)
    else:
        yield from _ground_lines(judgement, words)
    yield from (f"  {words.line('note', text=words.say(note))}" for note in judgement.notes)


def _ground_lines(judgement: Judgement, words: VerdictWords) -> Iterator[str]:
    """What the verdict rests on."""
    yield f"  {words.line('checked')}"
    rows: list[tuple[str, str, str]] = []
    for check in judgement.checks:
        outcome = "-" if check.outcome == "not_checked" else words.line(check.outcome)
        rows.append((outcome, *check_text(check, words)))
    width = max([TOPIC_WIDTH, *(len(topic) for _, topic, _ in rows)])
    yield from (f"    {outcome:6}  {topic:{width}}  {text}" for outcome, topic, text in rows)
    if judgement.seats:
        yield f"  {words.line('seats')}"
        yield from (f"    {_seat_line(seat, words)}" for seat in judgement.seats)
    for signer in judgement.signers:
        trust = words.trust(trusted=signer.trusted)
        yield f"  {words.line('key', key=signer.key, trust=trust)}"


def check_text(check: CheckResult, words: VerdictWords) -> tuple[str, str]:
    """What was looked at, and the sentence on it."""
    sentence = Phrase(f"evidence.topic.{check.topic}", text=check.text)
    topic, _, text = spoken(sentence, words.lang).partition(": ")
    return topic.rstrip(), text


def _finding_lines(group: ProblemGroup, words: VerdictWords) -> Iterator[str]:
    problem = group.problem
    yield "  " + words.line(
        "finding_of_event" if problem.seq else "finding",
        code=problem.code,
        rule=f" [{problem.rule}]" if problem.rule else "",
        event=event_label(problem, words),
        place=f"{problem.source}:{problem.line}" if problem.line else problem.source,
        text=words.say(problem.text),
    )
    for code, claim in (("expected", problem.expected), ("recorded", problem.recorded)):
        if claim:
            yield f"    {message(words.lang, f'replay.{code}', text=words.say(claim))}"
    if group.count > 1:
        is_far = group.last_seq > problem.seq
        last = words.line("upto", seq=group.last_seq) if is_far else ""
        yield f"    {words.line('more', count=group.count - 1, last=last)}"


def _seat_line(seat: SeatReport, words: VerdictWords) -> str:
    code = "program" if seat.word == "bot" and seat.program else seat.word
    word = words.line(code, key=seat.key[:16], trust=words.trust(trusted=seat.named))
    stood_in = ""
    if seat.stood_in:
        stood_in = words.line("stood_in", count=seat.stood_in)
    own = "own_secret" if seat.word == "signed" else "claimed_secret"
    return words.line(
        "seat",
        seat=seat.seat,
        name=quoted(seat.name),
        count=seat.commands,
        word=word,
        stood_in=stood_in,
        secret=words.line(own if seat.secret_by == "seat" else "made_secret"),
    )
