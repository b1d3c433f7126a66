"""The end of the game after a round, and its winners."""

from phaseledger.domain.events import GameEnded
from phaseledger.replay.evidence.referee.cards import Card
from phaseledger.replay.evidence.referee.table import Foul, RefereeTable


def value(table: RefereeTable, card: Card) -> int:
    """Penalty points of a card left in hand."""
    points = table.ruleset.points
    if card.kind == "wild":
        return points.wild
    return points.skip if card.kind == "skip" else points.ranks[card.rank - 1]


def decide(table: RefereeTable) -> list[int]:
    """The winners after this round; empty where the game goes on, perhaps with a replay.

    Sets ``tied`` to the seats that are tied for a replay.
    """
    if table.is_replay:
        return _after_replay(table)
    match table.ruleset.finish:
        case "rounds":
            return _after_all_rounds(table) if table.round >= table.ruleset.rounds else []
        case "laurel":
            return _first_past_last_phase(table)
        case _:
            return _after_last_phase(table, _past_last_phase(table))


def _past_last_phase(table: RefereeTable) -> list[int]:
    last = len(table.ruleset.phases)
    return [number for number, seat in enumerate(table.seats) if seat.phase > last]


def _first_past_last_phase(table: RefereeTable) -> list[int]:
    """The first marker past the last phase, clockwise from the seat that ended the round (B-74)."""
    past = _past_last_phase(table)
    first = table.players[0] if table.out is None else table.out
    return sorted(past, key=lambda number: (number - first) % len(table.seats))[:1]


def _fewest_points(table: RefereeTable, seats: list[int]) -> list[int]:
    fewest = min(table.seats[number].points for number in seats)
    return [number for number in seats if table.seats[number].points == fewest]


def _after_all_rounds(table: RefereeTable) -> list[int]:
    """The fewest points; then, by `final_tie_10rounds`, the most phases made (O-23)."""
    best = _fewest_points(table, list(range(len(table.seats))))
    if table.options.final_tie_10rounds == "shared":
        return best
    most = max(len(table.seats[number].made) for number in best)
    return [number for number in best if len(table.seats[number].made) == most]


def _after_last_phase(table: RefereeTable, finished: list[int]) -> list[int]:
    """The fewest points of the seats that made the last phase; then by `final_tie` (O-22)."""
    best = _fewest_points(table, finished) if finished else []
    if len(best) < 2 or table.options.final_tie == "shared":
        return best
    if table.options.final_tie == "went_out":
        return [number for number in best if number == table.out] or best
    table.tied = best
    return []


def _after_replay(table: RefereeTable) -> list[int]:
    """The tied player who went out; where another did, the fewest points in hand (O-24)."""
    if table.out in table.tied:
        return [table.out]
    if table.out is None:  # a limit ended it, and would end the next one
        return table.tied
    if not table.ruleset.revision:  # played again, in games opened before O-24 was made clear
        return []
    in_hand = {
        number: sum(value(table, card) for card in table.seats[number].hand)
        for number in table.tied
    }
    return [number for number in table.tied if in_hand[number] == min(in_hand.values())]


def end_game(table: RefereeTable, event: GameEnded) -> None:
    """End the game; its winners must be those of the rules."""
    table.expect("game end")
    due = sorted(table.winners)
    if sorted(event.winners) != due:
        names = tuple(map(table.name, due))
        if not event.winners:
            raise Foul("winner", "won.nobody", name=names)
        raise Foul("winner", "won", name=names, other_name=tuple(map(table.name, event.winners)))
    table.next = "nothing"
