"""The kernel held to the domain: a game is recorded in one and followed in the other."""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import islice
from typing import NamedTuple

from phaseledger.domain import deal
from phaseledger.domain import events as e
from phaseledger.domain.cards import face_up, remove
from phaseledger.domain.commands import Act, Command, OpenGame, Start, TakeSeat
from phaseledger.domain.decide import step
from phaseledger.domain.evolve import evolve
from phaseledger.domain.kernel import entries as kernel
from phaseledger.domain.kernel import layout as at
from phaseledger.domain.kernel.pack import Workspace, command, pack
from phaseledger.domain.kernel.table import compile_rules
from phaseledger.domain.legal import legal
from phaseledger.domain.options import OptionValue
from phaseledger.domain.resolve import revision_of
from phaseledger.domain.state import State
from tests.support.chance import Pick, chooser

GAME = "11111111-1111-4111-8111-111111111111"
_IGNORED = (at.OUT, at.SHUFFLES)
"""Numbers that the domain forgets, or keeps for longer, when a round or a turn ends."""


class Scene(NamedTuple):
    """What a game is recorded from."""

    ruleset: str
    seats: int
    options: Mapping[str, OptionValue]
    seed: str


class Moment(NamedTuple):
    """One decision of the domain."""

    state: State
    game: list[object]
    """The `meaning` of the state."""
    listed: list[Command]
    number: int
    """The place in the list of the command that is played."""
    brought: list[int]
    """What chance brings after it."""
    dealt: Sequence[int] = ()
    """What chance brought when the game was opened; empty where it goes on from a state."""


def opened(scene: Scene) -> tuple[State, Sequence[int]]:
    """A game whose first round is dealt, and what chance brought."""

    def secret(name: str) -> str:
        return sha256(f"{scene.seed}/{name}".encode()).hexdigest()

    options = dict(scene.options)
    opening = OpenGame(
        GAME,
        scene.ruleset,
        scene.seats,
        options,
        secret=secret("-"),
        revision=revision_of(options),
    )
    acts = [Act(TakeSeat("A", "random", secret=secret(str(n))), n) for n in range(scene.seats)]
    state, _ = step(None, Act(opening))
    for act in acts:
        state, _ = step(state, act)
    following, events = step(state, Act(Start()))
    return following, _brought(state, events)


def recorded(scene: Scene, start: State | None = None) -> Iterator[Moment]:
    """The decisions of a random game, or of one that goes on from a state."""
    chance = sha256(scene.seed.encode()).digest()
    state, dealt = (start, ()) if start else opened(scene)
    for count in range(1_000_000):
        listed = list(legal(state, state.waits[0].seat)) if state.waits else []
        if state.stage != "playing":
            yield Moment(state, meaning(pack(state)), [], 0, [])
            return
        number = _choice(chooser(chance, count), listed)
        following, events = step(state, Act(listed[number], state.waits[0].seat))
        words = _brought(state, events)
        yield Moment(state, meaning(pack(state)), listed, number, words, dealt)
        state, dealt = following, ()


def _choice(pick: Pick, listed: list[Command]) -> int:
    """Any choice, but lays and hits more often than not, so that rounds come to an end."""
    return 0 if pick(10) < 7 else pick(len(listed))


def _brought(state: State, events: tuple[e.Event, ...]) -> list[int]:
    """What chance brought in the events: whole stocks from the top down, dice less one, and places
    of starters.
    """
    words: list[int] = []
    for event in events:
        after = evolve(state, event)
        if isinstance(event, e.RoundDealt):
            kept = b"".join([state.seat(n).kept or b"" for n in range(len(state.seats))])
            deck, options = remove(state.ruleset.deck.cards(), face_up(kept)), state.ruleset.options
            assert deck is not None
            secret, transcript = bytes.fromhex(state.server_secret), bytes.fromhex(state.transcript)
            key = deal.deal_key(secret, transcript)
            words += deal.shuffled(key, event.round, 0, deck)
            is_drawn = event.round == 1 and options.board_first_starter == "random"
            if options.first_player == "random" or is_drawn:
                words.append(deal.starter(key, event.round, len(event.players)))
        elif isinstance(event, e.StockShuffled):
            words += after.stock
        elif isinstance(event, e.DiceRolled):
            words += [die - 1 for die in event.dice]
        state = after
    return words


def meaning(game: "array[int]") -> list[object]:
    """A game as far as its numbers mean something."""

    def cards(count_at: int, cards_at: int) -> list[int]:
        return list(game[cards_at : cards_at + game[count_at]])

    numbers = [game[place] for place in range(at.TAKEN_AT) if place not in _IGNORED]
    taken = sorted(game[at.TAKEN_AT : at.TAKEN_AT + at.MOST_TAKEN])
    blocks = range(at.SEAT_AT, at.SEAT_AT + game[at.SEATS] * at.SEAT, at.SEAT)
    return [
        numbers,
        taken if game[at.ASK] in (at.ASK_DRAW, at.ASK_PLAY) else [],
        cards(at.PLAYERS, at.ORDER),
        cards(at.STOCK, at.STOCK_AT),
        cards(at.PILE, at.PILE_AT),
        list(game[at.TABLE : at.TABLE + 2 * at.CODES]),
        list(game[at.GROUP_AT : at.GROUP_AT + game[at.GROUPS] * at.GROUP]),
        *(
            (
                list(game[seat : seat + at.KEPT_AT]),
                list(game[seat + at.KEPT_AT :][: max(0, game[seat + at.KEPT] - 1)]),
                cards(seat + at.HAND, seat + at.HAND_AT),
                cards(seat + at.OPEN, seat + at.OPEN_AT),
                cards(seat + at.SPURNED, seat + at.SPURNED_AT),
            )
            for seat in blocks
        ),
    ]


def given(words: Sequence[int]) -> "array[int]":
    """A source that brings these words."""
    return array("q", (at.GIVEN, at.CHANCE, at.CHANCE + len(words), 0, *words))


def follow(moments: Iterator[Moment] | Sequence[Moment], rules: "array[int] | None" = None) -> int:
    """Play a recorded game in the kernel, and compare at each decision. Returns their number.

    ``rules`` are the scene's own where none are given.

    Raises:
        AssertionError: at the first difference.

    """
    game, space = None, Workspace()
    count = 0
    for moment in moments:
        if game is None:
            game, rules = pack(moment.state), rules or compile_rules(moment.state.ruleset)
            if moment.dealt:
                seats = len(moment.state.seats)
                kernel.open_game(rules, game, given(moment.dealt), seats, moment.state.dealer)
        assert rules is not None
        assert meaning(game) == moment.game
        if not moment.listed:
            return count
        kernel.list_moves(rules, game, space.moves, space.work, at.LISTED)
        listed = [command(space.moves, n, moment.state) for n in range(space.moves[0])]
        assert listed == moment.listed
        source = given(moment.brought)
        kernel.play(rules, game, source, space.moves, 1 + moment.number * at.MOVE)
        assert source[at.NEXT] == source[at.END]
        count += 1
    return count


def held(scene: Scene, most: int) -> int:
    """Record decisions of a scene, ``most`` at most, and follow them."""
    return follow(islice(recorded(scene), most))


def cards_of(game: "array[int]") -> list[int]:
    """All cards of a game, sorted, jokers by their faces."""
    table = game[at.TABLE : at.TABLE + 2 * at.CODES]
    cards = [card for card, count in enumerate(table) for _ in range(count)]
    cards += game[at.STOCK_AT : at.STOCK_AT + game[at.STOCK]]
    cards += game[at.PILE_AT : at.PILE_AT + game[at.PILE]]
    for seat in range(at.SEAT_AT, at.SEAT_AT + game[at.SEATS] * at.SEAT, at.SEAT):
        cards += game[seat + at.HAND_AT : seat + at.HAND_AT + game[seat + at.HAND]]
        cards += [at.SKIP] * game[seat + at.FRONT]
    return sorted([card % at.CODES for card in cards])
