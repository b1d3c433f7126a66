"""Games and seats have one address each."""

import pytest

from tests.support.service.api_tables import PERSON, bearer, open_table
from tests.support.service.problems import problem


@pytest.mark.parametrize(
    "written",
    [
        "{{{game}}}",
        "urn:uuid:{game}",
        "uuid:{game}",
        "{plain}",
        "{game}-",
        "{plain:.4}-{plain:.28}",
        "x",
    ],
)
def test_a_game_has_one_address(client, written):
    table = open_table(client)
    named = written.format(game=table.game, plain=table.game.replace("-", ""))
    problem(client.get(f"/games/{named}"), 404, "not_found")
    problem(client.get(f"/games/{named}/events"), 404, "not_found")


def test_the_digits_of_a_game_s_address_may_be_capital_letters(client):
    table = open_table(client)
    assert client.get(f"/games/{table.game.upper()}").json()["game"] == table.game


@pytest.mark.parametrize("seat", ["+1", "0_1", "01", " 1", "1 ", "-0", "1.0", "\u0661"])
def test_a_seat_has_one_address(client, seat):
    table = open_table(client, (PERSON, PERSON))
    refused = client.delete(f"/games/{table.game}/seats/{seat}", headers=bearer(table.host))
    problem(refused, 404, "not_found")
    kicked = client.delete(f"/games/{table.game}/seats/1", headers=bearer(table.host))
    assert kicked.status_code == 200
