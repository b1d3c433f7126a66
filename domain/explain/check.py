"""Cards checked against the rules without a game: the very commands of a game, on a table of one.

The verdict is what `decide.step` says to a seat that holds the cards asked about, and one more.
"""

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain.cards import (
    OWN,
    PLAYABLE,
    TURNED,
    UNKNOWN,
    UnreadableCard,
    parse,
    remove,
    show,
)
from phaseledger.domain.commands import RejectCode as Code
from phaseledger.domain.decide import step
from phaseledger.domain.events import CardsHit
from phaseledger.domain.explain.sentences import REASONS
from phaseledger.domain.melds import TOP, GroupEnd, Misfit, arrange, enough_naturals
from phaseledger.domain.resolve import Unplayable, read_phase
from phaseledger.domain.ruleset import Kind, Need, Phase, RuleSet
from phaseledger.domain.rulesets import cite
from phaseledger.domain.state import Group, Question, SeatState, State
from phaseledger.domain.wording import (
    CheckedGroup,
    checked_group,
    group_words,
    how_written,
    need_words,
    needs_words,
    rank_name,
    suit_word,
    word_list,
)

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
    """A question that has no answer. The code is stable; the message says what is wrong."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


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


def check(ruleset: RuleSet, question: LayQuestion | HitQuestion) -> Verdict:
    """The verdict of the rules.

    Raises:
        Senseless: there is no such phase, or no such group can lie on the table.

    """
    if isinstance(question, LayQuestion):
        return _check_lay(ruleset, question)
    return _check_hits(ruleset, question)


# --- the table of one ---------------------------------------------------------------------------


def number_jokers(texts: Sequence[str]) -> list[str]:
    """The texts with every plain ``J`` as one of ``J1``, ``J2`` ... that stands nowhere yet."""
    words = [text.split() for text in texts]
    named = {word for some in words for word in some}
    free = (f"J{n}" for n in range(1, 128) if f"J{n}" not in named)
    return [" ".join(next(free, w) if w == "J" else w for w in some) for some in words]


def has_jokers(ruleset: RuleSet) -> bool:
    """Whether number cards are ever turned round in the game (B-03, B-29)."""
    return "JOKER" in ruleset.track


def holdable_cards(ruleset: RuleSet, texts: Sequence[str], lying: bytes = b"") -> bytes:
    """Of the cards named, those that a hand can hold while others lie on the table."""
    deck, jokers, held = ruleset.deck.cards(), 0, bytearray()
    for text in texts:
        try:
            cards = parse(text, ruleset.deck.notation)
        except UnreadableCard:
            continue
        jokers += max((card ^ OWN for card in cards if card > OWN), default=0)
        for card in cards:
            if held.count(card) < deck.count(card) - lying.count(card):
                held.append(card)
    turned = min(jokers, len(deck)) if has_jokers(ruleset) else 0
    return bytes(held) + bytes([TURNED]) * turned


def shortage(ruleset: RuleSet, texts: Sequence[str]) -> str:
    """Which of the cards named are more than a hand can hold, in words."""
    named = b"".join(parse(text, ruleset.deck.notation) for text in texts)
    held = holdable_cards(ruleset, texts)
    beyond = next((n for n in named if n < OWN and named.count(n) > held.count(n)), None)
    if beyond is None:
        jokers = "the jokers of a hand are J1, J2 and so on, each once"
        return jokers if has_jokers(ruleset) else "this game has no jokers"
    name = show(bytes([beyond]), ruleset.deck.notation)
    return f"{name} is more than anybody can hold, for {_held(ruleset, name)}"


def _table(
    ruleset: RuleSet, hand: bytes, *, phase: int = 1, lying: tuple[Group, ...] = ()
) -> State:
    """A seat on turn that has drawn; with a group on the table it has laid its phase."""
    # One card more than those asked about, which nobody can name: so the turn goes on.
    seat = SeatState(name="", hand=hand + bytes([UNKNOWN]), phase=phase, laid=phase if lying else 0)
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
        groups=lying,
    )


# --- laying -------------------------------------------------------------------------------------


def find_phase(ruleset: RuleSet, asked: int | str) -> tuple[RuleSet, int, str]:
    """The rule set that has the phase asked for, the phase's number there, and what to call it."""
    if isinstance(asked, int):
        if not 1 <= asked <= len(ruleset.phases):
            has = f"the rule set has phases 1 to {len(ruleset.phases)}"
            raise Senseless("no_such_phase", f"{has}, not {asked}")
        return ruleset, asked, f"Phase {asked}"
    try:
        needs = read_phase(asked).needs
    except Unplayable as unreadable:
        raise Senseless("no_such_phase", str(unreadable)) from None
    for number, phase in enumerate(ruleset.phases, 1):
        if phase.needs == needs:
            return ruleset, number, f"Phase {number}"
    return replace(ruleset, phases=(Phase("", needs),)), 1, "The phase"


def _check_lay(ruleset: RuleSet, question: LayQuestion) -> Verdict:
    ruleset, number, called = find_phase(ruleset, question.phase)
    phase = ruleset.phases[number - 1]
    texts = number_jokers([group.cards for group in question.groups])
    groups = tuple(
        replace(group, cards=text) for group, text in zip(question.groups, texts, strict=True)
    )
    state = _table(ruleset, holdable_cards(ruleset, texts), phase=number)
    try:
        after, _ = step(state, c.Act(c.Lay(groups, number), 0))
    except c.Rejected as refusal:
        at = _group_at_fault(ruleset, phase.needs, groups, refusal.code)
        where = "" if at is None else f"in group {at + 1}{_named(question.groups[at].cards)}, "
        reason = _reason(ruleset, refusal, " ".join(group.cards for group in question.groups))
        asked = f"{called} ({needs_words(phase.needs, ruleset)})"
        told = f"{asked} cannot be laid like this: {where}{reason}."
        return Verdict(False, refusal.code, refusal.rule, told, at)
    told = word_list(group_words(group, ruleset) for group in after.groups)
    return Verdict(
        True,
        None,
        phase.rule,
        f"{called} can be laid: {told}.",
        groups=tuple(checked_group(group, ruleset) for group in after.groups),
    )


def _named(cards: str) -> str:
    return f" ({cards[:60]})" if cards.strip() else ""


def _group_at_fault(
    ruleset: RuleSet, needs: tuple[Need, ...], groups: tuple[c.GroupToLay, ...], code: Code
) -> int | None:
    """The first group that the refusal is about; None where it is about the phase."""
    if code is Code.INCOMPLETE_PHASE and len(groups) < len(needs):
        return None
    padded = needs + needs[-1:] * len(groups)
    faults = [_fault(ruleset, need, group) for need, group in zip(padded, groups, strict=False)]
    return faults.index(code) if code in faults else None


def _fault(ruleset: RuleSet, need: Need, group: c.GroupToLay) -> Code | None:
    """What is wrong with a group by itself, whatever the hand and the rest of the phase."""
    alone = ruleset.options.wild_min_scope == "group"
    try:
        cards = parse(group.cards, ruleset.deck.notation)
        arrange(need, cards, group.value, ruleset)
    except UnreadableCard:
        return Code.UNKNOWN_CARD
    except Misfit as misfit:
        if not cards:
            return Code.CARDS_NEEDED
        return Code.NEEDS_NATURAL if alone and misfit.code is Code.VALUE_NEEDED else misfit.code
    return None if not alone or enough_naturals([cards], "group") else Code.NEEDS_NATURAL


def _reason(ruleset: RuleSet, refusal: c.Rejected, said: str) -> str:
    """Why not, in words; a joker is called as it was in what was said."""
    notation, card = ruleset.deck.notation, refusal.detail.partition(";")[0]
    if PLAYABLE[notation].get(card, 0) > OWN and card not in said.split():
        card = "J"
    return REASONS[refusal.code].format(
        card=card,
        held=_held(ruleset, refusal.detail) if refusal.code is Code.NOT_IN_HAND else "",
        suit=suit_word(ruleset),
        written=how_written(card, ruleset),
        lowest=rank_name(notation, 1),
        highest=rank_name(notation, TOP),
    )


def _held(ruleset: RuleSet, card: str) -> str:
    """How often a card is there at all."""
    code = PLAYABLE[ruleset.deck.notation][card]
    if code > OWN:
        return "a joker is one card" if has_jokers(ruleset) else "this game has no jokers"
    count = ruleset.deck.cards().count(code)
    return f"the deck has only {count} of them" if count else "the deck has no such card"


# --- hits ---------------------------------------------------------------------------------------


def _check_hits(ruleset: RuleSet, question: HitQuestion) -> Verdict:
    group = _lying(ruleset, question.group)
    # Each hit is a command of its own, and the jokers left in hand are counted anew for it.
    texts = [text for hit in question.hits for text in number_jokers([hit.cards])]
    state = _table(ruleset, holdable_cards(ruleset, texts, group.cards), lying=(group,))
    ends: list[GroupEnd] = []
    for at, (hit, text) in enumerate(zip(question.hits, texts, strict=True)):
        try:
            state, events = step(state, c.Act(c.Hit(0, text, hit.end), 0))
        except c.Rejected as refusal:
            before = group_words(state.groups[0], ruleset)
            reason = _reason(ruleset, refusal, hit.cards)
            told = f"Hit {at + 1}{_named(hit.cards)} cannot be made on {before}: {reason}."
            return Verdict(False, refusal.code, refusal.rule, told, at, ends=tuple(ends))
        assert isinstance(events[0], CardsHit)
        ends.append(events[0].end)
    told = f"It fits, and makes {group_words(state.groups[0], ruleset)}."
    rule = cite(ruleset.name, Code.DOES_NOT_FIT)
    groups = (checked_group(state.groups[0], ruleset),)
    return Verdict(True, None, rule, told, groups=groups, ends=tuple(ends))


def _lying(ruleset: RuleSet, asked: LaidAlready) -> Group:
    """The group on the table, which the rules must allow."""
    need = _need_of(ruleset, asked)
    (text,) = number_jokers([asked.cards])
    # A group may have grown by hits, whatever may be laid at once (O-18).
    grown = replace(ruleset, options=replace(ruleset.options, lay_oversize=True))
    code = _fault(grown, need, c.GroupToLay(text, asked.value))
    if code is Code.INCOMPLETE_PHASE:
        raise _impossible(asked, f"it takes {need_words(need, ruleset)}")
    if code:
        raise _impossible(asked, code.sentence.rstrip("."))
    named = parse(text, ruleset.deck.notation)
    cards = bytes(TURNED if card > OWN else card for card in named)
    if remove(holdable_cards(ruleset, [text]), cards) is None:
        raise _impossible(asked, shortage(ruleset, [text]))
    lies = arrange(need, cards, asked.value, grown)
    return Group(0, need, lies.cards, lies.low, lies.high)


def _impossible(asked: LaidAlready, reason: str) -> Senseless:
    return Senseless("impossible_group", f"{asked.kind} {asked.cards[:60]}: {reason}")


def _need_of(ruleset: RuleSet, asked: LaidAlready) -> Need:
    """What the group was laid for."""
    if asked.size is not None:
        parity = asked.parity and f", {asked.parity}"
        try:
            return read_phase(f"{asked.kind}({asked.size}{parity})").needs[0]
        except Unplayable as unreadable:
            raise Senseless("impossible_group", str(unreadable)) from None
    fitting = [
        need
        for phase in ruleset.phases
        for need in phase.needs
        if (need.kind, need.parity) == (asked.kind, asked.parity)
    ]
    if not fitting:
        kinds = {f"{need.kind} {need.parity}": None for p in ruleset.phases for need in p.needs}
        has = word_list(kind.strip() for kind in kinds)
        raise _impossible(asked, f"no phase asks for that; the phases ask for {has}")
    return min(fitting, key=lambda need: need.size)
