"""A game against a bot, over the client of openapi-generator's python."""

import sys
from uuid import UUID

from openapi_client import (
    ApiClient,
    BotSeat,
    Configuration,
    GameOpenedRecord,
    GamesApi,
    Hit,
    JoinTable,
    OpenTable,
    PersonSeat,
    Play,
    Problem,
    Stage,
    TableSeat,
)
from openapi_client.exceptions import ApiException


def play(origin: str) -> None:
    """Open a table, sit down, and take the first of the commands each time."""

    def api(token: str | None = None) -> GamesApi:
        return GamesApi(ApiClient(Configuration(host=origin, access_token=token)))

    anybody = api()
    seats = [TableSeat(PersonSeat(kind="person")), TableSeat(BotSeat(kind="bot"))]
    options = {"variant": "n_phases(1)"}
    opened = anybody.open_game(OpenTable(ruleset="classic", seats=seats, options=options))
    game = UUID(opened.game)
    joined = anybody.take_seat(game, JoinTable(name="Ada"))
    api(opened.host_token).start_game(game)
    seat = api(joined.token)
    try:
        seat.send_command(game, Play(Hit(type="hit", group=0, cards="R1")))
    except ApiException as error:
        print("refused", Problem.from_json(error.body).code)

    stage = joined.table.stage
    while stage not in (Stage.STAGE_ENDED, Stage.STAGE_VOIDED):
        asked = seat.list_actions(game)
        version = asked.version + 1
        if asked.commands:
            version = seat.send_command(game, asked.commands[0]).version
        stage = seat.get_game(game, at_least=version).table.stage
    first = seat.list_events(game).events[0].actual_instance
    assert isinstance(first, GameOpenedRecord), first
    print("opened", first.data.ruleset.id)
    print(stage.value)


if __name__ == "__main__":
    play(sys.argv[1])
