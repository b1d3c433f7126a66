"""A verdict as one HTML file: what was checked, who played, how it went, and what is wrong."""

from collections.abc import Iterable, Sequence

from phaseledger.domain.state import State
from phaseledger.replay.pages.page import Html, document, element, name, section, table, text
from phaseledger.replay.records.findings import Status
from phaseledger.replay.text import Viewer
from phaseledger.replay.verify.check_game import game_course
from phaseledger.replay.verify.codes import CODES
from phaseledger.replay.verify.difference import side_by_side
from phaseledger.replay.verify.evidence import (
    Check,
    CheckOutcome,
    Conclusion,
    Document,
    Judgement,
    Problem,
    SeatWord,
)
from phaseledger.replay.verify.timeline import scores, timeline, timeline_events
from phaseledger.replay.verify.verify import ExaminedBundle

_CONCLUSIONS: dict[Conclusion, str] = {
    "sound": "Sound: the game is over, and everything about it is right",
    "sound_so_far": "Sound so far: nothing is wrong with what can be checked of a game not over",
    "wrong": "Wrong: this is not a game played by its rules from its secrets",
    "damaged": "Damaged: this cannot be judged",
    "operator": "The operator's word does not hold",
    "too_little": "Too little: nothing is wrong, but the policy asks for more than there is",
}
_NO_POLICY = (
    "Without a policy: nobody vouches for the operator's keys, so no signature in the file proves "
    "anything against the operator."
)
_STATUS: dict[Status, str] = {
    "finished": "played to its end",
    "voided": "broken off",
    "unfinished": "none yet",
}
_OUTCOMES: dict[CheckOutcome, Html] = {
    "passed": Html('<span class="good">passed</span>'),
    "failed": Html('<strong class="bad">failed</strong>'),
    "not_checked": Html("not checked"),
}
_WORDS: dict[SeatWord, str] = {
    "signed": "signed by the seat",
    "repudiable": "authenticated, repudiable",
    "bot": "said to be a bot's: the operator could have made them",
}


def html_report(found: Document, examined: Sequence[ExaminedBundle]) -> str:
    """The report on a verification; ``examined`` are the bundles that the document judges."""
    games = ", ".join(dict.fromkeys(judged.game for judged in found.bundles)) or "no game"
    parts = [
        part
        for number, each in enumerate(examined, 1)
        for part in _on_bundle(each, str(number) * (len(examined) > 1))
    ]
    return document(f"phaseledger verify: {games}", *_verdict(found), *parts)


def _verdict(found: Document) -> list[Html]:
    """The verdict in one sentence, and under which policy it was reached."""
    judged = found.bundles
    worst = next((each for each in judged if each.problems), judged[0] if judged else None)
    if found.damage or worst is None:
        said = f"{_CONCLUSIONS['damaged']}. {' '.join(found.damage)}"
        kind = "damaged"
    else:
        first = worst.problems[0] if worst.problems else None
        said, kind = _CONCLUSIONS[worst.conclusion], worst.conclusion.replace("_", " ")
        said += f": {_where(first)}{first.text}" if first else "."
    word = "good" if found.sound else "bad"
    under = f"Under the policy {found.policy}." if found.policy else _NO_POLICY
    return [
        element("h1", "Verdict of phaseledger verify"),
        element("p", said, attributes=f'class="verdict {word}"'),
        element("p", f"Class: {kind}; exit code {found.exit_code}. {under}"),
    ]


def _where(problem: Problem) -> str:
    return f"event {problem.seq}: " if problem.seq else ""


def _on_bundle(examined: ExaminedBundle, number: str) -> list[Html]:
    """All that there is to say of one bundle; with several, they are numbered."""
    case, judged = examined
    events, known = timeline_events(case), game_course(case)
    viewer: Viewer = "all" if case.bundle.over else judged.seat
    last = next((each.state for each in reversed(events) if each.state), None)
    which = f"Bundle {number}: " * bool(number)

    def part(key: str, title: str, *content: object) -> Html:
        return section(f"{key}{number}", f"{which}{title}", *content)

    parts = [part("checked", "What was checked", *_checked(judged))]
    if judged.problems:
        parts.append(part("findings", "Findings", *map(_problem, judged.problems)))
    bad = next((each.seq for each in judged.problems if each.seq), 0)
    if known.expected or known.recorded:
        bad = len(known.steps) + 1
        shown = side_by_side(known.expected, known.recorded)
        parts.append(part("bad", f"The first bad event: {bad}", shown))
    if last:
        parts.append(part("seats", "Seats", _seats(judged, last)))
        if last.round:
            parts.append(part("rounds", "Rounds", scores(events, last)))
    return [*parts, part("events", "Events", timeline(events, viewer, bad))]


def _checked(judged: Judgement) -> Iterable[Html]:
    facts = (
        ("file", judged.source),
        ("game", judged.game),
        ("rule set", judged.ruleset or "unknown"),
        ("ending", _STATUS[judged.status]),
        ("still owed by", ", ".join(f"seat {seat}" for seat in judged.owing)),
        ("events", f"{judged.events:,}"),
        ("head", element("code", judged.head)),
        (
            "shows",
            "what everybody may see" if judged.seat is None else f"what seat {judged.seat} may see",
        ),
    )
    yield table("The bundle", (), [fact for fact in facts if fact[1]])
    yield table("The checks", ("check", "outcome", "in words"), map(_check, judged.checks))
    keys = [
        (
            element("code", each.key),
            "named by the policy" if each.trusted else "nobody vouches for it",
        )
        for each in judged.signers
    ]
    if keys:
        yield table("The keys whose signatures are in the bundle", ("key", "trust"), keys)
    yield from (element("p", note) for note in judged.notes)


def _check(check: Check) -> tuple[object, ...]:
    return check.topic.replace("_", " "), _OUTCOMES[check.outcome], check.text


def _problem(problem: Problem) -> Html:
    """A finding with what `phaseledger explain` says of its code."""
    explained = CODES[problem.code]
    place = f"{problem.source}:{problem.line}" if problem.line else problem.source
    told = (
        ("event", f"{problem.seq}" if problem.seq else ""),
        ("line", place),
        ("rule", problem.rule),
        ("refused with", problem.reject),
        ("expected", problem.expected),
        ("recorded", problem.recorded),
        ("what it means", explained.means),
        ("what it proves", explained.proves),
        ("what to do", explained.advice),
    )
    caption = Html(f"<code>{text(problem.code)}</code>: {text(problem.text)}")
    return table(caption, (), [row for row in told if row[1]])


def _seats(judged: Judgement, state: State) -> Html:
    """Who sat where, and what of it can be proved to others."""
    rows = []
    for each in judged.seats:
        seat = state.seats[each.seat] if each.seat < len(state.seats) else None
        bot = f"bot ({seat.bot})" if seat and seat.bot else "a client"
        secret = "brought by the seat" if each.secret_by == "seat" else "made by the server"
        word = "a bot's, whose program makes the same" if each.program else _WORDS[each.word]
        moves = Html(
            f"{word}{f' with <code>{text(each.key)}</code>' * bool(each.key)}"
            f"{f'; a bot sent {each.stood_in:,} in its place' * bool(each.stood_in)}"
        )
        rows.append((each.seat, name(each.name), bot, each.commands, moves, secret))
    head = ("seat", "name", "played by", "commands", "its moves are", "its secret was")
    return table("Who sat at the table", head, rows)
