"""The verdict in one sentence: the grade, and what an operator who lies could have done unseen."""

from collections.abc import Iterator, Sequence
from functools import partial

from phaseledger.domain.wording import word_list
from phaseledger.domain.words import Language, message
from phaseledger.replay.evidence.verify.evidence import Facets, Judgement, SeatReport
from phaseledger.replay.evidence.verify.grades import signs, unproven, unsigned
from phaseledger.replay.text import quoted


def headline(judgement: Judgement, lang: Language) -> str:
    """The verdict on one bundle in one sentence, which claims no more than was checked, without a
    full stop.
    """
    words = partial(headline_words, lang)
    conclusion, facets = judgement.conclusion, judgement.facets
    if facets is None:
        return words(conclusion)
    ending = words(judgement.status)
    if conclusion == "too_little":
        is_worthless = all(p.code == "worthless_receipt" for p in judgement.problems)
        ending = words("worthless" if is_worthless else "asks_for_more", ending=ending)
    parts = [_deed(lang, code, actors) for code, actors in _deeds(facets, judgement.seats)]
    grade = words(f"grade.{judgement.grade}")
    verdict = words("verdict", conclusion=words(conclusion), grade=grade, ending=ending)
    if facets.secrets == "test":
        verdict = words("test", verdict=verdict)
    if facets.story == "nobody":
        verdict = words("nobody", verdict=verdict)
    elif not parts:
        parts = [words("deed.none")]
    if not parts:
        return verdict
    return words("unseen", verdict=verdict, deeds=word_list(parts, words("and")))


def headline_words(lang: Language, code: str, variant: object = "", /, **values: object) -> str:
    """What a headline says by that code."""
    return message(lang, f"headline.{code}", variant, **values)


def _deed(lang: Language, code: str, seats: Sequence[SeatReport]) -> str:
    names = [quoted(seat.name) for seat in seats]
    listed = word_list(names, headline_words(lang, "and")) if names else ""
    return headline_words(lang, code, len(seats), seats=listed)


def _deeds(
    facets: Facets, seats: Sequence[SeatReport]
) -> Iterator[tuple[str, Sequence[SeatReport]]]:
    """What an operator who lies could have done, and nothing in the bundle would show."""
    match facets.secrets:
        case "server" | "test":
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
