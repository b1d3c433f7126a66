"""The verdict in one sentence: the grade, and what an operator who lies could have done unseen."""

from collections.abc import Iterator, Sequence

from phaseledger.domain.wording import word_list
from phaseledger.replay.records.findings import Status
from phaseledger.replay.verify.evidence import Conclusion, Facets, Grade, SeatReport
from phaseledger.replay.verify.grades import signs, unproven, unsigned

BAD: dict[Conclusion, str] = {
    "wrong": "WRONG: this is no game played by its rules from its secrets",
    "damaged": "DAMAGED: this cannot be judged",
    "operator": "NOT VOUCHED FOR: the operator's evidence does not hold",
}
_GOOD: dict[Conclusion, str] = {
    "sound": "SOUND",
    "sound_so_far": "NOTHING WRONG SO FAR",
    "too_little": "TOO LITTLE",
}
ENDINGS: dict[Status, str] = {
    "finished": "the game is over and kept its rules",
    "voided": "the game was broken off, and kept its rules up to there",
    "unfinished": "the game is not over, and not all can be checked",
}


def headline(
    conclusion: Conclusion,
    status: Status,
    grade: Grade,
    facets: Facets | None,
    seats: Sequence[SeatReport],
) -> str:
    """The verdict in one sentence, which claims no more than was checked."""
    if facets is None:
        return BAD[conclusion]
    ending = ENDINGS[status]
    if conclusion == "too_little":
        ending = f"nothing is wrong, but the policy asks for more: {ending}"
    parts = list(_deeds(facets, seats))
    deeds = word_list(parts) if parts else ""
    verdict = f"{_GOOD[conclusion]}, grade {grade}: {ending}"
    if facets.story == "nobody":
        verdict += "; nobody vouches for this file, so anybody could have made it all up"
    else:
        deeds = deeds or "changed neither its cards nor its moves"
    return verdict + f"; unseen, a lying operator could have {deeds}" * bool(deeds)


def _deeds(facets: Facets, seats: Sequence[SeatReport]) -> Iterator[str]:
    """What an operator who lies could have done, and nothing in the bundle would show."""
    match facets.secrets:
        case "server":
            yield "chosen the deck"
        case "seats":
            bringing = [seat for seat in seats if seat.secret_by == "seat"]
            yield f"chosen the deck if {_seats(bringing)} {_are(bringing)} its own"
        case "unrevealed":
            yield "dealt cards of its choice, which shows once the game is over"
    if facets.moves == "unsigned":
        # Where all sign with keys that are named, some signatures are over what is still sealed.
        yield f"made the moves of {_seats(unsigned(seats) or list(filter(signs, seats)))}"
    if facets.story == "operator":
        signed = facets.moves == "signed"
        yield "replaced the end" if signed else "rewritten the game before it signed this"
    if facets.bots == "unproven":
        bots = unproven(seats)
        yield f"played for the bot{'s' * (len(bots) > 1)} of {_seats(bots)}"
    match facets.times:
        case "witnessed":
            yield "lost the answers of seats that were timed out"
        case "recorded":
            yield "timed seats out too early, or lost their answers"


def _seats(seats: Sequence[SeatReport]) -> str:
    return f"seat{'s' * (len(seats) > 1)} {word_list(str(seat.seat) for seat in seats)}"


def _are(seats: Sequence[SeatReport]) -> str:
    return "are" if len(seats) > 1 else "is"
