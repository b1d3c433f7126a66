"""The check of a lay or of hits without a game: a game's own commands, on a table of one seat.

The verdict is the one of `decide.step` for a seat that holds the cards asked about, and one more.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain.cards import (
    NAMES,
    OWN,
    PLAYABLE,
    UNKNOWN,
    UnreadableCard,
    face_down,
    parse,
    remove,
)
from phaseledger.domain.commands import RejectCode as Code
from phaseledger.domain.decide import step
from phaseledger.domain.events import CardsHit
from phaseledger.domain.explain.holdings import copies, holdable_cards, number_jokers, shortage
from phaseledger.domain.explain.wording import (
    CheckedGroup,
    card_phrase,
    card_words,
    checked_group,
    group_words,
    list_of,
    need_words,
    needs_words,
    suit_word,
)
from phaseledger.domain.groups.melds import TOP, GroupEnd, Misfit, arrange, enough_naturals
from phaseledger.domain.resolve import Unplayable, read_phase
from phaseledger.domain.ruleset import Kind, Need, Phase, RuleSet, phase_number
from phaseledger.domain.rulesets import cite
from phaseledger.domain.state import Group, Question, SeatState, State
from phaseledger.domain.wording import how_written, rank_name
from phaseledger.domain.words import Language, Phrase, message, reason_of

PhaseNumber = Annotated[int, Meta(ge=1, le=99)]
PhaseText = Annotated[str, Meta(min_length=1, max_length=100)]


class _Part(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """Part of a question."""


class LaidAlready(_Part, frozen=True):
    """A group that lies on the table, cards of a run in run order.

    ``size`` is the least size it was laid for: without it, the least that any phase asks for.
    ``value`` says what no natural shows, as in a `GroupToLay`.
    """

    kind: Kind
    cards: c.CardText
    parity: Literal["", "odd", "even"] = ""
    size: Annotated[int, Meta(ge=1, le=40)] | None = None
    value: Annotated[int, Meta(ge=1, le=12)] | None = None


class HitOnIt(_Part, frozen=True):
    """Cards to add at once; ``end`` may be left out where only one is possible."""

    cards: c.CardText
    end: Literal["", "low", "high"] = ""


class LayQuestion(Struct, frozen=True, gc=False):
    """Whether the groups make the phase: one of the rule set's, by number, or one as text."""

    phase: PhaseNumber | PhaseText
    groups: Annotated[tuple[c.GroupToLay, ...], Meta(min_length=1, max_length=8)]


class HitQuestion(Struct, frozen=True, gc=False):
    """Whether the hits can be made on the group, one after the other, by who has laid a phase."""

    group: LaidAlready
    hits: Annotated[tuple[HitOnIt, ...], Meta(min_length=1, max_length=24)]


class Senseless(ValueError):
    """The question is invalid and has no verdict; the message says why."""


class NoSuchPhase(Senseless):
    """The rule set has no such phase, or its text cannot be read."""


class ImpossibleGroup(Senseless):
    """No such group can lie on the table."""


class Verdict(Struct, frozen=True, gc=False):
    """Whether it is legal, and why or why not.

    ``rule`` is the rule book's ID, empty where no rule is involved. ``at`` is the group or the hit
    that is at fault, counted from 0, where it is one of them. ``groups`` are as they would lie, and
    ``ends`` where each hit went.
    """

    legal: bool
    code: Code | None
    rule: str
    sentence: str
    at: int | None = None
    groups: tuple[CheckedGroup, ...] = ()
    ends: tuple[GroupEnd, ...] = ()


def check(ruleset: RuleSet, question: LayQuestion | HitQuestion, lang: Language = "en") -> Verdict:
    """The verdict of the rules on a lay or on hits.

    Raises:
        NoSuchPhase, ImpossibleGroup: for a phase or a group that cannot be checked.

    """
    if isinstance(question, LayQuestion):
        return _check_lay(ruleset, question, lang)
    return _check_hits(ruleset, question, lang)


def _table(ruleset: RuleSet, hand: bytes, *, phase: int = 1, laid: tuple[Group, ...] = ()) -> State:
    """A seat on turn that has drawn; with a group on the table it has laid its phase."""
    # One card beside those asked about, which no command can name: so the turn goes on.
    seat = SeatState(name="", hand=hand + bytes([UNKNOWN]), phase=phase, laid=phase if laid else 0)
    return State(
        game="",
        ruleset=ruleset,
        server_commit="",
        server_secret="",
        dealer=0,
        seats=(seat,),
        stage="playing",
        waits=(Question(0, "play"),),
        round=1,
        players=(0,),
        active=0,
        turn=1,
        groups=laid,
    )


# --- laying -------------------------------------------------------------------------------------


def find_phase(
    ruleset: RuleSet, phase_ref: int | str, lang: Language = "en"
) -> tuple[RuleSet, int, str]:
    """The rule set that has the phase asked for, the phase's number there, and what to call it."""
    if isinstance(phase_ref, int):
        if not 1 <= phase_ref <= len(ruleset.phases):
            raise NoSuchPhase(
                Phrase("detail.phase.number", most=len(ruleset.phases), value=phase_ref)
            )
        return ruleset, phase_ref, _title(ruleset, phase_ref, lang)
    try:
        needs = read_phase(phase_ref).needs
    except Unplayable as error:
        raise NoSuchPhase(reason_of(error)) from None
    for number, phase in enumerate(ruleset.phases, 1):
        if phase.needs == needs:
            return ruleset, number, _title(ruleset, number, lang)
    return replace(ruleset, phases=(Phase("", needs),)), 1, message(lang, "check.the_phase")


def _title(ruleset: RuleSet, number: int, lang: Language) -> str:
    return message(lang, "check.phase", number=phase_number(ruleset, number))


def _check_lay(ruleset: RuleSet, question: LayQuestion, lang: Language) -> Verdict:
    ruleset, number, title = find_phase(ruleset, question.phase, lang)
    phase = ruleset.phases[number - 1]
    texts = number_jokers([group.cards for group in question.groups])
    groups = tuple(
        replace(group, cards=text) for group, text in zip(question.groups, texts, strict=True)
    )
    state = _table(ruleset, holdable_cards(ruleset, texts), phase=number)
    try:
        state_after, _ = step(state, c.Act(c.Lay(groups, number), 0))
    except c.Rejected as refusal:
        at = _group_at_fault(ruleset, phase.needs, groups, refusal.code)
        question_text = " ".join(group.cards for group in question.groups)
        sentence = message(
            lang,
            "check.no_lay" if at is None else "check.no_lay_at",
            phase=phase_words(ruleset, number, title, lang),
            reason=reason_words(ruleset, refusal, question_text),
            number=0 if at is None else at + 1,
            cards="" if at is None else quoted(question.groups[at].cards, lang),
        )
        return Verdict(legal=False, code=refusal.code, rule=refusal.rule, sentence=sentence, at=at)
    groups_text = list_of((group_words(group, ruleset, lang) for group in state_after.groups), lang)
    return Verdict(
        legal=True,
        code=None,
        rule=phase.rule,
        sentence=message(lang, "check.lay", phase=title, groups=groups_text),
        groups=tuple(checked_group(group, ruleset, lang) for group in state_after.groups),
    )


def phase_words(ruleset: RuleSet, number: int, title: str, lang: Language) -> str:
    """The phase by its title and what it asks for: ``Phase 2 (a set of 3 and a run of 4)``."""
    needs = needs_words(ruleset.phases[number - 1].needs, ruleset, lang)
    return message(lang, "check.phase_words", phase=title, needs=needs)


def quoted(cards: str, lang: Language) -> str:
    """Cards behind the number of their group, the first ten of them; nothing for none."""
    words = [card_words(word, lang)[:60] for word in cards.split()[:10]]
    return f" ({', '.join(words)})" if words else ""


def _group_at_fault(
    ruleset: RuleSet, needs: tuple[Need, ...], groups: tuple[c.GroupToLay, ...], code: Code
) -> int | None:
    """The first group that the refusal is about; None where it is about the phase."""
    if code is Code.INCOMPLETE_PHASE and len(groups) < len(needs):
        return None
    padded = needs + needs[-1:] * len(groups)
    faults = [_fault(ruleset, need, group) for need, group in zip(padded, groups, strict=False)]
    codes = [fault and fault.code for fault in faults]
    return codes.index(code) if code in codes else None


def _fault(ruleset: RuleSet, need: Need, group: c.GroupToLay) -> c.Rejected | None:
    """The fault of a group by itself, apart from the hand and the phase's other groups."""
    by_group = ruleset.options.wild_min_scope == "group"
    try:
        cards = parse(group.cards, ruleset.deck.notation)
        arrange(need, cards, group.value, ruleset)
    except UnreadableCard as error:
        return c.Rejected(Code.UNKNOWN_CARD, detail=str(error)[:20])
    except Misfit as misfit:
        if not cards:
            return c.Rejected(Code.CARDS_NEEDED)
        if by_group and misfit.code is Code.VALUE_NEEDED:
            return c.Rejected(Code.NEEDS_NATURAL)
        name = NAMES[ruleset.deck.notation][misfit.card] if misfit.card else ""
        return c.Rejected(misfit.code, detail=name)
    enough = not by_group or enough_naturals([cards], "group")
    return None if enough else c.Rejected(Code.NEEDS_NATURAL)


def reason_words(ruleset: RuleSet, refusal: c.Rejected, question_text: str) -> Phrase:
    """The reason of a refusal in words; a joker is called as in the text of the question."""
    notation, card = ruleset.deck.notation, refusal.detail.partition(";")[0]
    if PLAYABLE[notation].get(card, 0) > OWN and card not in question_text.split():
        card = "J"
    is_surplus = refusal.code is Code.NOT_IN_HAND
    return Phrase(
        f"reason.{refusal.code}",
        notation,
        card=card if refusal.code is Code.UNKNOWN_CARD else card_phrase(card),
        held=copies(ruleset, refusal.detail) if is_surplus else "",
        suit=suit_word(ruleset),
        written=how_written(card, ruleset),
        lowest=rank_name(notation, 1),
        highest=rank_name(notation, TOP),
    )


# --- hits ---------------------------------------------------------------------------------------


def _check_hits(ruleset: RuleSet, question: HitQuestion, lang: Language) -> Verdict:
    group = laid_group(ruleset, question.group)
    # Each hit is a command of its own, and the jokers left in hand are counted anew for it.
    texts = [text for hit in question.hits for text in number_jokers([hit.cards])]
    state = _table(ruleset, holdable_cards(ruleset, texts, group.cards), laid=(group,))
    ends: list[GroupEnd] = []
    for at, (hit, text) in enumerate(zip(question.hits, texts, strict=True)):
        try:
            state, events = step(state, c.Act(c.Hit(0, text, hit.end), 0))
        except c.Rejected as refusal:
            sentence = message(
                lang,
                "check.no_hit" if question.hits[1:] else "check.no_add",
                number=at + 1,
                cards=quoted(hit.cards, lang),
                group=group_words(state.groups[0], ruleset, lang),
                reason=reason_words(ruleset, refusal, hit.cards),
            )
            return Verdict(
                legal=False,
                code=refusal.code,
                rule=refusal.rule,
                sentence=sentence,
                at=at,
                ends=tuple(ends),
            )
        assert isinstance(events[0], CardsHit)
        ends.append(events[0].end)
    sentence = message(lang, "check.hit", group=group_words(state.groups[0], ruleset, lang))
    rule = cite(ruleset.name, Code.DOES_NOT_FIT)
    groups = (checked_group(state.groups[0], ruleset, lang),)
    return Verdict(
        legal=True, code=None, rule=rule, sentence=sentence, groups=groups, ends=tuple(ends)
    )


def laid_group(ruleset: RuleSet, laid: LaidAlready) -> Group:
    """The group on the table, owned by seat 0.

    Raises:
        ImpossibleGroup: the rules do not allow it.

    """
    need = _need_of(ruleset, laid)
    (text,) = number_jokers([laid.cards])
    # A group may have grown by hits, whatever may be laid at once (O-18).
    oversize_rules = replace(ruleset, options=replace(ruleset.options, lay_oversize=True))
    fault = _fault(oversize_rules, need, c.GroupToLay(text, laid.value))
    if fault and fault.code is Code.INCOMPLETE_PHASE:
        raise _impossible(laid, Phrase("check.takes", need=need_words(need, ruleset)))
    if fault:
        raise _impossible(laid, reason_words(ruleset, fault, laid.cards))
    named_cards = parse(text, ruleset.deck.notation)
    cards = face_down(named_cards)
    if remove(holdable_cards(ruleset, [text]), cards) is None:
        raise _impossible(laid, shortage(ruleset, [text]))
    arranged = arrange(need, cards, laid.value, oversize_rules)
    return Group(0, need, arranged.cards, arranged.low, arranged.high)


def _impossible(laid: LaidAlready, reason: str) -> ImpossibleGroup:
    return ImpossibleGroup(
        Phrase(
            "check.impossible",
            kind=Phrase(f"kind.{laid.kind}", laid.parity),
            cards=Phrase("list.all", parts=tuple(map(card_phrase, laid.cards[:60].split()))),
            reason=reason,
        )
    )


def _need_of(ruleset: RuleSet, laid: LaidAlready) -> Need:
    """The need that the group was laid for: of its kind, and of the least size if none is given."""
    if laid.size is not None:
        parity = laid.parity and f", {laid.parity}"
        try:
            return read_phase(f"{laid.kind}({laid.size}{parity})").needs[0]
        except Unplayable as error:
            raise ImpossibleGroup(reason_of(error)) from None
    candidates = [
        need
        for phase in ruleset.phases
        for need in phase.needs
        if (need.kind, need.parity) == (laid.kind, laid.parity)
    ]
    if not candidates:
        kinds = dict.fromkeys(
            Phrase(f"kind.{need.kind}", need.parity)
            for phase in ruleset.phases
            for need in phase.needs
        )
        raise _impossible(laid, Phrase("check.no_kind", kinds=Phrase("list.all", parts=(*kinds,))))
    return min(candidates, key=lambda need: need.size)
