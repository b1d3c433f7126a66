"""A batch of events being built: each one is applied as it is written (law 3)."""

from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain.cards import NAMES, UnreadableCard, owner_names, parse, remove, show
from phaseledger.domain.commands import RejectCode as Code
from phaseledger.domain.events import Event, Secret
from phaseledger.domain.evolve import evolve
from phaseledger.domain.options import Options
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.rulesets import cite
from phaseledger.domain.state import Question, QuestionKind, SeatState, State
from phaseledger.domain.wording import how_written
from phaseledger.domain.words import Phrase

_DUE: dict[QuestionKind, Code] = {
    "reveal": Code.SECRETS_DUE,
    "draw": Code.MUST_DRAW,
    "play": Code.NOT_ASKED,
    "move": Code.MUST_MOVE,
    "choose": Code.ACTION_DUE,
    "search": Code.ACTION_DUE,
    "swap": Code.ACTION_DUE,
    "ask": Code.ACTION_DUE,
    "give": Code.MUST_GIVE,
    "keep": Code.MUST_KEEP,
}
"""The kind of the open question to the refusal of a command that answers another kind."""


class Draft:
    """The events of one command so far, and the state after them."""

    __slots__ = ("events", "now")

    def __init__(self, state: State) -> None:
        self.now = state
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        """Append the event, and apply it to the state."""
        self.now = evolve(self.now, event)
        self.events.append(event)

    @property
    def ruleset(self) -> RuleSet:
        """The game's resolved rule set."""
        return self.now.ruleset

    @property
    def options(self) -> Options:
        """The game's house rules."""
        return self.now.ruleset.options

    def seat(self, number: int) -> SeatState:
        """The seat as it is now."""
        return self.now.seat(number)

    def text(self, cards: bytes) -> str:
        """Cards in the notation of the game's deck."""
        return show(cards, self.now.ruleset.deck.notation)

    def refuse(
        self, code: Code, detail: str = "", rule: str = "", *, doing: str = ""
    ) -> c.Rejected:
        """The refusal, with the game's rule for it; ``rule`` where the code cites none.

        ``doing`` names what was tried, where the rule depends on it.
        """
        ruleset = self.now.ruleset
        cited = cite(ruleset.name, code, doing or ruleset.progress)
        return c.Rejected(code, cited or rule, detail)

    def refuse_card(self, code: Code, card: int, rule: str = "") -> c.Rejected:
        """The refusal that names one card; 0 for none in particular."""
        name = NAMES[self.now.ruleset.deck.notation][card] if card else ""
        return self.refuse(code, name, rule)

    def host(self, seat: int | None) -> None:
        """Require that the host speaks, in a game that is not over."""
        if seat is not None:
            raise self.refuse(Code.NOT_FOR_SEATS)
        if self.now.is_over:
            raise self.refuse(Code.GAME_OVER)

    def speaker(self, seat: int | None) -> int:
        """The number of the seat that speaks, which must exist, in a game that is not over."""
        if seat is None or not 0 <= seat < len(self.now.seats):
            raise self.refuse(Code.NO_SUCH_SEAT, "" if seat is None else str(seat))
        if self.now.is_over:
            raise self.refuse(Code.GAME_OVER)
        return seat

    def asked(self, seat: int | None, kind: QuestionKind) -> Question:
        """The question of that kind to the speaker, if the game waits for its answer."""
        for question in self.now.waits:
            if question.kind == kind and question.seat == seat:
                return question  # a seat with a question exists, and its game is not over
        number = self.speaker(seat)
        if self.now.stage == "lobby":
            raise self.refuse(Code.NOT_STARTED)
        due = [question for question in self.now.waits if question.seat == number]
        if kind == "reveal":
            raise self.refuse(Code.NO_SECRET_DUE)
        if self.now.stage == "sealed":
            raise self.refuse(Code.SECRETS_DUE)
        if not due:
            keeping = kind == "keep" and self._has_kept(number)
            if keeping:
                raise self.refuse(Code.NOTHING_TO_KEEP)
            raise self.refuse(Code.NOT_YOUR_TURN, self._awaited_gift(number))
        drawn = kind == "draw" and due[0].kind == "play"
        raise self.refuse(Code.ALREADY_DRAWN if drawn else _DUE[due[0].kind])

    def _has_kept(self, number: int) -> bool:
        """Whether it is time to keep cards, and the seat has chosen or has no choice."""
        seat, choosing = self.seat(number), any(q.kind == "keep" for q in self.now.waits)
        return choosing and (seat.laid > 0 or seat.kept is not None or not seat.hand)

    def _awaited_gift(self, number: int) -> str:
        """The sentence on a card that the seat waits for in its own turn (B-33); or empty."""
        awaited = number == self.now.active and any(q.kind == "give" for q in self.now.waits)
        return Phrase("detail.gift") if awaited else ""

    def read(self, text: str) -> bytes:
        """The cards that a command names; one or more."""
        try:
            cards = parse(text, self.ruleset.deck.notation)
        except UnreadableCard as error:
            word = str(error)[:20]
            hint = how_written(word, self.ruleset)
            detail = Phrase("detail.card", card=word, hint=hint)
            raise self.refuse(Code.UNKNOWN_CARD, detail) from None
        if not cards:
            raise self.refuse(Code.CARDS_NEEDED)
        return cards

    def read_one(self, text: str, doing: str) -> bytes:
        """The one card that a command names."""
        cards = self.read(text)
        if len(cards) != 1:
            raise self.refuse(Code.ONE_CARD, Phrase(f"detail.one_{doing}"), doing=doing)
        return cards

    def hold(self, number: int, cards: bytes, kin: Code) -> bytes:
        """The seat's hand, as its owner knows it, without the cards, which must all be in it.

        A refusal cites the rule of ``kin``, a code of the same act.
        """
        hand = owner_names(self.seat(number).hand)
        remaining = remove(hand, cards)
        if remaining is None:
            missing = next(card for card in cards if cards.count(card) > hand.count(card))
            name = NAMES[self.ruleset.deck.notation][missing]
            raise c.Rejected(Code.NOT_IN_HAND, cite(self.ruleset.name, kin), name)
        return remaining


_CONCEALED: dict[type[c.Command], dict[str, str]] = {
    c.OpenGame: {"secret": "secret", "script": "script"},
    c.TakeSeat: {"secret": "secret"},
    c.Swap: {"cards": "said"},
    c.Keep: {"cards": "said"},
    c.Search: {"card": "said"},
    c.Give: {"card": "said"},
}
"""Commands with hidden arguments: the field of `Secret` where the log has each of them."""
_NOTHING = Secret()


def with_decision(event: Event, act: c.Act) -> Event:
    """The event with the decision that led to it, hidden arguments left out.

    A signature over a hidden argument is hidden beside it: a reader could otherwise try all cards.
    A player who sits down signs without the secret that the server makes.
    """
    concealed = _CONCEALED.get(type(act.command))
    if concealed is None:
        return replace(event, act=act)
    hidden = event.hidden
    if act.sig and hidden and not isinstance(act.command, c.TakeSeat):
        audience, secret = next(iter(hidden.items()))
        hidden = {**hidden, audience: replace(secret, sig=act.sig)}
        act = replace(act, sig="")
    blank = {argument: getattr(_NOTHING, field) for argument, field in concealed.items()}
    act = replace(act, command=replace(act.command, **blank))
    return replace(event, act=act, hidden=hidden)


def decision(event: Event) -> c.Act | None:
    """The decision that an event carries, hidden arguments put back from their place in the log."""
    act = event.act
    if act is None or not event.hidden:
        return act
    if concealed := _CONCEALED.get(type(act.command)):
        # Such an event hides one value, which only the audience of the arguments may read.
        secret = next(iter(event.hidden.values()))
        hidden = {argument: getattr(secret, field) for argument, field in concealed.items()}
        command = replace(act.command, **hidden)
        act = replace(act, command=command, sig=act.sig or secret.sig)
    return act
