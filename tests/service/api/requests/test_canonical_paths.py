"""Games and seats have one address each."""

from tests.support.service.api_tables import PERSON, bearer, open_table
from tests.support.service.problems import problem


def test_a_game_has_one_address(client):
    """Its digits may be capital letters."""
    game = open_table(client).game
    plain = game.replace("-", "")
    others = (f"{{{game}}}", f"urn:uuid:{game}", f"uuid:{game}", plain, f"{game}-", "x")
    for written in (*others, f"{plain:.4}-{plain:.28}"):
        problem(client.get(f"/games/{written}"), 404, "not_found")
        problem(client.get(f"/games/{written}/events"), 404, "not_found")
    assert client.get(f"/games/{game.upper()}").json()["game"] == game


def test_a_seat_has_one_address(client):
    table = open_table(client, (PERSON, PERSON))
    for seat in ("+1", "0_1", "01", " 1", "1 ", "-0", "1.0", "\u0661"):
        refused = client.delete(f"/games/{table.game}/seats/{seat}", headers=bearer(table.host))
        problem(refused, 404, "not_found")
    kicked = client.delete(f"/games/{table.game}/seats/1", headers=bearer(table.host))
    assert kicked.status_code == 200
