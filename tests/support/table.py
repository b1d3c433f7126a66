"""Tables laid out by hand: a state in the middle of a turn, without the deal before it."""

from typing import Any

from msgspec.structs import replace

from phaseledger.domain.cards import face_up, parse, remove
from phaseledger.domain.commands import Act, Command, Rejected
from phaseledger.domain.decide import step
from phaseledger.domain.events import Event
from phaseledger.domain.groups.melds import arrange
from phaseledger.domain.resolve import resolve
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.rulesets import preset
from phaseledger.domain.state import Group, Question, SeatState, State

GAME = "11111111-1111-4111-8111-111111111111"
CLASSIC = preset("classic")
BOARD = preset("board")
SECRET = "5e" * 32


def table(
    hands: list[str],
    *,
    question: str = "play",
    number: int = 0,
    waits: tuple[Question, ...] = (),
    active: int = 0,
    phases: list[int] | None = None,
    laid: dict[int, int] | None = None,
    points: list[int] | None = None,
    groups: list[tuple[int, str, str]] | None = None,
    discard: str = "R1",
    stock: str | None = None,
    pawns: list[int] | None = None,
    dice: tuple[int, ...] = (),
    action: str = "",
    ruleset: RuleSet = CLASSIC,
    **options: object,
) -> State:
    """A table of as many seats as hands, with seat ``active`` asked the ``question``.

    ``number`` belongs to the question; ``waits`` are other questions in its place. ``groups``
    holds (owner, kind, cards), the kind with its parity where that matters; ``laid`` the phase
    that seats have laid this round. A seat has made every phase before its own. Without ``stock``
    the stock is whatever of the deck lies nowhere else. A joker is written with its face, J(R5).
    """
    laid = laid or {}
    resolved = resolve(ruleset, options)
    seats = tuple(
        SeatState(
            name=f"seat {n}",
            commit="c" * 64,
            secret="ab" * 32,
            hand=parse(hand),
            phase=(phases or [1] * len(hands))[n],
            laid=laid.get(n, 0),
            made=(1 << (phases or [1] * len(hands))[n] - 1) - 1
            | (1 << laid[n] - 1 if n in laid else 0),
            points=(points or [0] * len(hands))[n],
            pawn=(pawns or [0] * len(hands))[n],
        )
        for n, hand in enumerate(hands)
    )
    lying = []
    for owner, kind, cards in groups or []:
        needs = [need for phase in resolved.phases for need in phase.needs]
        need = next(n for n in needs if kind in (n.kind, f"{n.kind} {n.parity}"))
        need = replace(need, size=min(need.size, len(parse(cards))))
        arranged = arrange(need, parse(cards), None, resolved)
        lying.append(Group(owner, need, arranged.cards, arranged.low, arranged.high))
    state = State(
        game=GAME,
        ruleset=resolved,
        server_commit="d" * 64,
        server_secret=SECRET,
        transcript="e" * 64,
        dealer=len(hands) - 1,
        seats=seats,
        stage="playing",
        waits=waits or (Question(active, question, number),),
        round=1,
        players=tuple(range(len(hands))),
        active=active,
        turn=1,
        stock=b"",
        discard=parse(discard),
        groups=tuple(lying),
        dice=dice,
        rolls=1 if dice else 0,
        action=action,
    )
    rest: bytes | None = resolved.deck.cards()
    for pile in [state.discard, *(s.hand for s in seats), *(g.cards for g in lying)]:
        rest = remove(rest, face_up(pile))
        assert rest is not None, "more copies of a card than the deck has"
    return replace(state, stock=rest if stock is None else parse(stock))


def board(hands: list[str], **laid_out: Any) -> State:
    """A table of the board game; see `table`."""
    return table(hands, ruleset=BOARD, **laid_out)


def landing(action: str, hands: list[str], **laid_out: Any) -> State:
    """A board where seat 0 throws 1 and 2, and a move by 1 leads to that action."""
    space = BOARD.track.index(action, 1)
    pawns = [space - 1, *(space + 2 for _ in hands[1:])]
    return board(hands, **{"question": "move", "dice": (1, 2), "pawns": pawns, **laid_out})


def play(state: State, *acts: tuple[int, Command]) -> State:
    """The state after the decisions, one after the other."""
    for seat, command in acts:
        state, _ = step(state, Act(command, seat))
    return state


def events_of(state: State, seat: int, command: Command) -> tuple[Event, ...]:
    """The events that answer one decision."""
    return step(state, Act(command, seat))[1]


def refused(state: State, seat: int | None, command: Command) -> tuple[str, str, str]:
    """(code, rule ID, detail) of the refusal, which there must be."""
    try:
        step(state, Act(command, seat))
    except Rejected as rejected:
        return rejected.code.value, rejected.rule, rejected.detail
    raise AssertionError(f"accepted: {command}")


def refusal(state: State, seat: int | None, command: Command) -> tuple[str, str]:
    """(code, rule ID) of the refusal, which there must be."""
    return refused(state, seat, command)[:2]
