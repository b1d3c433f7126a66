"""Openings: what the service adds to what an opener asks for."""

from collections.abc import Sequence

from msgspec.structs import replace

from phaseledger.domain.commands import Act, OpenGame, TakeSeat

TURNS_OF_BOTS = 2_000
"""The turns of a round in which bots are alone, where the opening says nothing (O-39).

No rule ends a round in which no seat goes out, and bots never leave. Of 806,715 rounds of all games
(benchmarks/campaign.py) two reached the limit; no seat could go out any more in either.
"""


def completed(acts: Sequence[Act]) -> list[Act]:
    """The acts of an opening, of which the first opens the game, with all that it says.

    Where bots take all seats, a round has `TURNS_OF_BOTS` unless the options say how many.
    """
    first, *others = acts
    bots = [act for act in others if isinstance(act.command, TakeSeat) and act.command.bot]
    if isinstance(first.command, OpenGame) and len(bots) == first.command.seats:
        first = with_turns(first, first.command)
    return [first, *others]


def with_turns(act: Act, command: OpenGame) -> Act:
    """The opening with `TURNS_OF_BOTS`, unless its options say how many turns a round has."""
    options = {"max_turns_per_round": TURNS_OF_BOTS, **command.options}
    return replace(act, command=replace(command, options=options))
