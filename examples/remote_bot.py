"""Play a game against two bots of the service: python examples/remote_bot.py URL RULESET."""

import sys

from phaseledger import client as api


def choose(view, questions, commands):
    """Lay as soon as it is possible, else do whatever is listed first."""
    return next((command for command in commands if isinstance(command, api.Lay)), commands[0])


if len(sys.argv) != 3:
    sys.exit("Usage: python examples/remote_bot.py http://127.0.0.1:8000 classic")
try:
    with api.Client(sys.argv[1]) as client:
        seats = (api.PersonSeat(), api.BotSeat(), api.BotSeat(level="expert"))
        rules = {"max_turns_per_round": 200}  # or a round in which nobody can go out would go on
        table = api.OpenTable(ruleset=sys.argv[2], seats=seats, dealer=2, options=rules)
        opened = client.open(table)
        joined = client.at(opened).join(api.JoinTable(name="Remote"))
        client.at(opened).start()
        print("winners:", api.play(client.at(joined), choose).table.winners)
except (api.Refused, api.Unreachable, api.Unreadable, ValueError) as error:
    sys.exit(f"{sys.argv[1]}: {error}")
