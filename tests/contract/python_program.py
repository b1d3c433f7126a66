"""A game against a bot, over the client of openapi-python-client."""

import sys
from uuid import UUID

from generated_client import AuthenticatedClient, Client
from generated_client.api.games import (
    get_game,
    list_actions,
    list_events,
    open_game,
    send_command,
    start_game,
    take_seat,
)
from generated_client.models import (
    Actions,
    BotSeat,
    Done,
    EventPage,
    GameOpenedRecord,
    GameView,
    Hit,
    Joined,
    JoinTable,
    Opened,
    OpenTable,
    OpenTableOptions,
    PersonSeat,
    Problem,
)


def play(origin: str) -> None:
    """Open a table, sit down, and take the first of the commands each time."""
    anybody = Client(base_url=origin)
    options = OpenTableOptions.from_dict({"variant": "n_phases(1)"})
    table = OpenTable("classic", [PersonSeat("person"), BotSeat("bot")], options=options)
    opened = open_game.sync(client=anybody, body=table)
    assert isinstance(opened, Opened), opened
    game = UUID(opened.game)
    joined = take_seat.sync(game, client=anybody, body=JoinTable("Ada"))
    assert isinstance(joined, Joined), joined
    host = AuthenticatedClient(base_url=origin, token=opened.host_token)
    seat = AuthenticatedClient(base_url=origin, token=joined.token)
    started = start_game.sync(game, client=host)
    assert not isinstance(started, Problem), started
    wrong = send_command.sync(game, client=seat, body=Hit("hit", 0, "R1"))
    assert isinstance(wrong, Problem), wrong
    print("refused", wrong.code)

    view = get_game.sync(game, client=seat)
    assert isinstance(view, GameView), view
    while view.table.stage not in ("ended", "voided"):
        asked = list_actions.sync(game, client=seat)
        assert isinstance(asked, Actions), asked
        version = asked.version
        if asked.commands:
            done = send_command.sync(game, client=seat, body=asked.commands[0])
            assert isinstance(done, Done), done
            version = done.version - 1
        view = get_game.sync(game, client=seat, at_least=version + 1)
        assert isinstance(view, GameView), view
    page = list_events.sync(game, client=seat)
    assert isinstance(page, EventPage), page
    first = page.events[0]
    assert isinstance(first, GameOpenedRecord), first
    print("opened", first.data.ruleset.id)
    print(view.table.stage)


if __name__ == "__main__":
    play(sys.argv[1])
