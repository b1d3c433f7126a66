"""The verdict in one sentence: the grade, and what an operator who lies could have done unseen."""

from collections.abc import Iterator, Mapping, Sequence

from phaseledger.domain.wording import word_list
from phaseledger.replay.records.findings import Status
from phaseledger.replay.verify.evidence import Conclusion, Facets, Grade, Judgement, SeatReport
from phaseledger.replay.verify.grades import signs, unproven, unsigned

ENGLISH: Mapping[str, str] = {
    "sound": "SOUND",
    "sound_so_far": "NOTHING WRONG SO FAR",
    "too_little": "TOO LITTLE",
    "wrong": "WRONG: this is no game played by its rules from its secrets",
    "damaged": "DAMAGED: this cannot be judged",
    "operator": "NOT VOUCHED FOR: the operator's evidence does not hold",
    "finished": "the game is over and kept its rules",
    "voided": "the game was broken off, and kept its rules up to there",
    "unfinished": "the game is not over, and not all can be checked",
    "asks_for_more": "nothing is wrong, but the policy asks for more: {ending}",
    "verdict": "{conclusion}, grade {grade}: {ending}",
    "ungraded": "{conclusion}: {ending}",
    "nobody": "{verdict}; nobody vouches for this file, so anybody could have made it all up",
    "unseen": "{verdict}; unseen, a lying operator could have {deeds}",
    "and": "and",
    "deed.none": "changed neither its cards nor its moves",
    "deed.deck": "chosen the deck",
    "deed.deck_with": "chosen the deck if seats {seats} are its own",
    "deed.deck_with@1": "chosen the deck if seat {seats} is its own",
    "deed.dealt": "dealt cards of its choice, which shows once the game is over",
    "deed.moves": "made the moves of seats {seats}",
    "deed.moves@1": "made the moves of seat {seats}",
    "deed.table": "made up this table, at which nobody sat to play",
    "deed.seated": "entered the players of seats {seats} itself",
    "deed.seated@1": "entered the player of seat {seats} itself",
    "deed.end": "replaced the end",
    "deed.rewritten": "rewritten the game before it signed this",
    "deed.bots": "played for the bots of seats {seats}",
    "deed.bots@1": "played for the bot of seat {seats}",
    "deed.answers": "lost the answers of seats that were timed out",
    "deed.times": "timed seats out too early, or lost their answers",
    "grade.proven": "proven",
    "grade.attested": "attested",
    "grade.recorded": "recorded",
    "grade.consistent": "consistent",
    "grade.none": "none",
}
"""What is said of a verdict, by code; ``@1`` is the form for one seat."""


def headline(
    conclusion: Conclusion,
    status: Status,
    grade: Grade,
    facets: Facets | None,
    seats: Sequence[SeatReport],
    words: Mapping[str, str] = ENGLISH,
) -> str:
    """The verdict in one sentence, which claims no more than was checked.

    ``words`` are those of a language, by the codes of `ENGLISH`.
    """
    if facets is None:
        return words[conclusion]
    ending = words[status]
    if conclusion == "too_little":
        ending = words["asks_for_more"].format(ending=ending)
    parts = [_deed(words, code, actors) for code, actors in _deeds(facets, seats)]
    verdict = words["verdict"].format(
        conclusion=words[conclusion], grade=words[f"grade.{grade}"], ending=ending
    )
    if facets.story == "nobody":
        verdict = words["nobody"].format(verdict=verdict)
    elif not parts:
        parts = [words["deed.none"]]
    if not parts:
        return verdict
    return words["unseen"].format(verdict=verdict, deeds=word_list(parts, words["and"]))


def judgement_headline(judgement: Judgement, words: Mapping[str, str]) -> str:
    """The verdict on one bundle in one sentence, without a full stop, in these words."""
    return headline(
        judgement.conclusion,
        judgement.status,
        judgement.grade,
        judgement.facets,
        judgement.seats,
        words,
    )


def _deed(words: Mapping[str, str], code: str, seats: Sequence[SeatReport]) -> str:
    form = f"{code}@1" if len(seats) == 1 else code
    numbers = [str(seat.seat) for seat in seats]
    return words[form].format(seats=word_list(numbers, words["and"]) if numbers else "")


def _deeds(
    facets: Facets, seats: Sequence[SeatReport]
) -> Iterator[tuple[str, Sequence[SeatReport]]]:
    """What an operator who lies could have done, and nothing in the bundle would show."""
    match facets.secrets:
        case "server":
            yield "deed.deck", ()
        case "seats":
            yield "deed.deck_with", [seat for seat in seats if seat.secret_by == "seat"]
        case "unrevealed":
            yield "deed.dealt", ()
    if facets.moves == "unsigned":
        yield from _unsigned_deeds(seats)
    if facets.story == "operator":
        yield ("deed.end" if facets.moves == "signed" else "deed.rewritten"), ()
    if facets.bots == "unproven":
        yield "deed.bots", unproven(seats)
    match facets.times:
        case "witnessed":
            yield "deed.answers", ()
        case "recorded":
            yield "deed.times", ()


def _unsigned_deeds(seats: Sequence[SeatReport]) -> Iterator[tuple[str, Sequence[SeatReport]]]:
    """As `_deeds`, of who sat there and what they did."""
    mute = unsigned(seats)
    # Where all sign with keys that are named, some signatures are over what is still sealed.
    movers = [seat for seat in mute if seat.commands] if mute else list(filter(signs, seats))
    absent = [seat for seat in mute if not seat.commands]
    if movers:
        yield "deed.moves", movers
    if absent:
        yield "deed.seated", absent
    if not movers and not absent:
        yield "deed.table", ()
