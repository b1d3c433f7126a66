"""Play a game against two bots of the service: python examples/remote_bot.py URL RULESET."""

import sys

from phaseledger.client import BotSeat, Client, JoinTable, Lay, OpenTable, PersonSeat, play


def choose(view, questions, commands):
    """Lay as soon as it is possible, else do whatever is listed first."""
    return next((command for command in commands if isinstance(command, Lay)), commands[0])


with Client(sys.argv[1]) as client:
    seats = (PersonSeat(), BotSeat(), BotSeat(level="expert"))
    rules = {"max_turns_per_round": 200}  # or a round in which nobody can go out would go on
    opened = client.open(OpenTable(ruleset=sys.argv[2], seats=seats, dealer=2, options=rules))
    joined = client.at(opened).join(JoinTable(name="Remote"))
    client.at(opened).start()
    print("winners:", play(client.at(joined), choose).table.winners)
