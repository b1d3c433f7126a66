"""Positions drawn by number: hands with what a phase needs, groups on the table, any house rules.

Games of bots hardly ever come to a full group, half a pair or a run past its end, and never to a
move that the rules refuse. Here each number is a position (what it stands for never changes), and
moves of all kinds are tried in it: good ones, and good ones with a fault.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain.cards import SINGLES, SKIP, TURNED, WILD, owner_names, remove, show
from phaseledger.domain.commands import Act, Rejected
from phaseledger.domain.decide import step
from phaseledger.domain.groups.forms import FORMS
from phaseledger.domain.groups.lays import Effort, lays
from phaseledger.domain.groups.melds import Misfit, arrange
from phaseledger.domain.resolve import resolve
from phaseledger.domain.ruleset import Need, RuleSet
from phaseledger.domain.rulesets import GAMES
from phaseledger.domain.state import Group, Question, SeatState, State
from tests.support.chance import Pick, chooser
from tests.support.command_fuzzing import Thrower
from tests.support.replay.option_pairs import option_rows
from tests.support.table import GAME, SECRET

_SPACES = (" ", "  ", "\t", "\u2028", "\x1c", "\u3000")
"""What a player may put between the cards of a command."""


class _Dealer:
    """Takes chosen cards out of a deck as long as it has them."""

    def __init__(self, rules: RuleSet, pick: Pick) -> None:
        self.pick, self.rules = pick, rules
        self.deck = rules.deck.cards()
        self.turns_cards = not rules.deck.wilds and "JOKER" in rules.track

    def take(self, card: int) -> bytes:
        """That card, or none."""
        left = remove(self.deck, SINGLES[card])
        if left is None:
            return b""
        self.deck = left
        return SINGLES[card]

    def any(self) -> bytes:
        """Some card of the deck."""
        return self.take(self.deck[self.pick(len(self.deck))]) if self.deck else b""

    def wild(self) -> bytes:
        """A wild, or on the ring a joker."""
        if not self.turns_cards:
            return self.take(WILD)
        return bytes(card | TURNED for card in self.any())

    def group(self, need: Need, count: int) -> bytes:
        """So many cards that might make the group, wilds among them."""
        form, pick = FORMS[need.kind], self.pick
        low, colour = 1 + pick(12), pick(4)
        if need.parity and low % 2 != (need.parity == "odd"):
            low = low % 12 + 1
        cards = b""
        for place in range(count):
            rank = low
            if not form.alike:
                rank = (low - 1 + place // form.copies * form.step) % 12 + 1
            elif form.alike != "rank":
                rank = (low - 1 + 2 * pick(6)) % 12 + 1
            colours = [colour, *range(4)]
            if not (form.alike == "colour" or form.one_colour):
                colours = colours[1 + pick(4) :] + colours
            card = b"" if not pick(5) else next(
                filter(None, (self.take(colour << 4 | rank) for colour in colours)), b""
            )  # fmt: skip
            cards += card or self.wild()
        return cards


def drawn_position(ruleset: str, number: int) -> State:
    """The position of that number."""
    game, rows = GAMES[ruleset], option_rows(ruleset)
    rules = replace(resolve(game.rules, rows[number % len(rows)], game.settings), revision=1)
    pick = chooser(f"position of {ruleset}".encode(), number)
    dealer = _Dealer(rules, pick)
    seats = rules.seats_min + pick(2)
    phases = [1 + pick(len(rules.phases)) for _ in range(seats)]
    if rules.progress == "by_round":
        phases = phases[:1] * seats
    laid = [phase if pick(2) else 0 for phase in phases]
    groups = list(_laid_groups(dealer, phases, laid))
    needs = rules.phases[phases[0] - 1].needs
    hand = b"".join(dealer.group(need, need.size * FORMS[need.kind].copies) for need in needs)
    hand += b"".join(dealer.any() for _ in range(1 + pick(4)))
    if rules.deck.skips and not pick(3):
        hand += dealer.take(SKIP)
    if dealer.turns_cards and not pick(3):  # a joker with the face of another card of the hand
        hand = bytes(card | TURNED for card in dealer.take(hand[-1] & ~TURNED)) + hand
    hands = [hand, *(b"".join(dealer.any() for _ in range(1 + pick(3))) for _ in phases[1:])]
    discard = b"".join(dealer.any() for _ in range(pick(4)))
    state = State(
        game=GAME,
        ruleset=rules,
        server_commit="d" * 64,
        server_secret=SECRET,
        transcript="e" * 64,
        dealer=seats - 1,
        seats=tuple(
            SeatState(
                name=f"seat {place}",
                commit="c" * 64,
                secret="ab" * 32,
                hand=hands[place],
                phase=phase,
                laid=laid[place],
                made=(1 << phase - 1) - 1 | (1 << phase - 1 if laid[place] else 0),
                points=5 * pick(20),
                skips=int(place > 0 and not pick(4) and bool(rules.deck.skips)),
                pawn=place,
            )
            for place, phase in enumerate(phases)
        ),
        stage="playing",
        waits=(Question(0, "play"),),
        round=phases[0] if rules.progress == "by_round" else 1,
        players=tuple(range(seats)),
        active=0,
        turn=1,
        discard=discard,
        groups=tuple(groups),
        taken=bytes(card for card in hand[-2:] if card < TURNED and not pick(2)),
        stock=bytes(dealer.deck) if pick(3) else b"",
        action="TAKE1" if rules.track else "",
        dice=(1, 2) if rules.track else (),
        rolls=1 if rules.track else 0,
    )
    return state if state.stock else replace(state, discard=bytes(dealer.deck) + discard)


def _laid_groups(dealer: _Dealer, phases: list[int], laid: list[int]) -> Iterator[Group]:
    """What the seats that have laid may have on the table, some of it long since added to."""
    for owner, phase in enumerate(laid):
        for need in dealer.rules.phases[phase - 1].needs if phase else ():
            longest = need.size * FORMS[need.kind].copies
            more = dealer.pick(8) if dealer.pick(2) else 0
            for count in range(longest + more, longest - 1, -1):
                before = dealer.deck
                cards = dealer.group(need, count)
                roomy = replace(dealer.rules.options, lay_oversize=True, pairrun_hit="whole_pairs")
                try:
                    made = arrange(need, cards, None, replace(dealer.rules, options=roomy))
                except Misfit:
                    dealer.deck = before
                    continue
                yield Group(owner, need, made.cards, made.low, made.high)
                break


def attempts(state: State, pick: Pick, count: int) -> Iterator[Act]:
    """So many moves to try: most by who is asked, of all kinds, some of them good."""
    good = _good_lays(state)
    for _ in range(count):
        seat = state.waits[pick(len(state.waits))].seat
        kind = pick(8)
        command: c.Command
        if kind < 3 and good:
            command = _spoilt_lay(state, seat, good[pick(len(good))], pick)
        elif kind < 6 and state.groups:
            command = _some_hit(state, seat, pick)
        else:
            command = Thrower(state, seat, pick).command()
        yield Act(command, seat if pick(20) else pick(len(state.seats)))


def _names(state: State, seat: int) -> list[str]:
    return show(owner_names(state.seat(seat).hand), state.ruleset.deck.notation).split()


def _good_lays(state: State) -> list[tuple[int, list[str]]]:
    """Some lays of any phase from the asked seat's hand."""
    question = state.waits[0]
    hand, rules = owner_names(state.seat(question.seat).hand), state.ruleset
    return [
        (number, [show(group.cards, rules.deck.notation) for group in groups])
        for number, phase in enumerate(rules.phases, 1)
        for groups in islice(lays(hand, phase.needs, rules, Effort(300)), 3)
    ]


def _spoilt_lay(state: State, seat: int, lay: tuple[int, list[str]], pick: Pick) -> c.Lay:
    """A lay with so many faults as there are, often none."""
    phase, texts = lay
    groups, hand = [text.split() for text in texts], _names(state, seat)
    for word in (word for group in groups for word in group):
        if word in hand:
            hand.remove(word)
    for _ in range(pick(3)):
        _FAULTS[pick(len(_FAULTS))](groups, pick(len(groups)), hand, pick)
    values = [1 + pick(12) if not pick(9) else None for _ in groups]
    named = (None, None, phase, 1 + pick(len(state.ruleset.phases)))[pick(4)]
    space = _SPACES[pick(len(_SPACES))] if not pick(4) else " "
    laid = zip(groups, values, strict=True)
    return c.Lay(tuple(c.GroupToLay(space.join(group), value) for group, value in laid), named)


_Groups = list[list[str]]


def _turned_round(groups: _Groups, at: int, _: list[str], __: Pick) -> None:
    groups[at].reverse()


def _last_first(groups: _Groups, at: int, _: list[str], pick: Pick) -> None:
    if groups[at]:
        groups[at].append(groups[at].pop(pick(len(groups[at]))))


def _longer(groups: _Groups, at: int, hand: list[str], pick: Pick) -> None:
    if hand:
        groups[at].insert(pick(len(groups[at]) + 1), hand.pop(pick(len(hand))))


def _shorter(groups: _Groups, at: int, hand: list[str], pick: Pick) -> None:
    if groups[at]:
        hand.append(groups[at].pop(pick(len(groups[at]))))


def _other_card(groups: _Groups, at: int, hand: list[str], pick: Pick) -> None:
    if hand and groups[at]:
        groups[at][pick(len(groups[at]))] = hand[pick(len(hand))]


def _other_order(groups: _Groups, at: int, _: list[str], pick: Pick) -> None:
    groups.append(groups.pop(at if pick(2) else 0))


_FAULTS = (_turned_round, _last_first, _longer, _longer, _shorter, _other_card, _other_order)


def _some_hit(state: State, seat: int, pick: Pick) -> c.Hit:
    """A hit of one to three cards on some group."""
    hand = _names(state, seat)
    cards = [hand.pop(pick(len(hand))) for _ in range(min(len(hand), 1 + pick(6) // 3))]
    if len(cards) == 2 and not pick(2):  # two of one rank, as a run of pairs takes them
        cards = [cards[0], next((card for card in hand if card[1:] == cards[0][1:]), cards[1])]
    end = ("low", "high", "")[pick(3)]
    return c.Hit(pick(len(state.groups)), " ".join(cards), end)  # type: ignore[arg-type]


def explored(
    ruleset: str, number: int, tries: int = 24, moves: int = 3
) -> Iterator[tuple[State, Act]]:
    """Moves tried in a drawn position and in those that some good ones of them lead to."""
    state = drawn_position(ruleset, number)
    pick = chooser(f"moves of {ruleset}".encode(), number)
    for _ in range(moves):
        following = None
        for act in attempts(state, pick, tries):
            yield state, act
            if isinstance(act.command, c.Lay | c.Hit):
                try:
                    after, _events = step(state, act)
                except Rejected:
                    continue
                if after.round == state.round and after.stage == "playing":
                    following = after
        if following is None:
            return
        state = following


def played_on(
    state: State, pick: Pick, moves: int, tried: Callable[[State], Iterable[Act]]
) -> Iterator[tuple[State, Act]]:
    """Moves tried in a position, and in so many after it, each of which a good one led to."""
    for _ in range(moves):
        following = []
        for act in tried(state):
            yield state, act
            try:
                after, _events = step(state, act)
            except Rejected:
                continue
            if after.stage == "playing" and after.waits:
                following.append(after)
        if not following:
            return
        state = following[pick(len(following))]
