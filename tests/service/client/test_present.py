"""A seat's word that it was there, by the client: confirmed, checked, and of nobody else."""

import msgspec
import pytest

from phaseledger.replay.formats.seat import Distrusted, Seat
from phaseledger.service.client.client import Client
from phaseledger.service.schemas.games import JoinTable, OpenTable, PersonSeat
from tests.support.service.server import Served


def test_a_seat_that_is_there_has_it_confirmed(served: Served) -> None:
    """With a key and without; a later move of another seat in between is caught up with."""
    with Client(served.url) as client:
        opened = client.open(OpenTable(ruleset="classic", seats=(PersonSeat(), PersonSeat())))
        keys = [key.public for key in served.parts.keys.signers]
        guard = Seat(opened.game, 0, opened.server_commit, keys)
        ann = client.at(opened, guard=guard)
        ann = ann.at(ann.join(JoinTable(name="Ann")), guard=guard)
        taken = msgspec.json.decode(ann.events(limit=2).events[1])
        assert len(taken["data"]["act"]["sig"]) == 128, "a guard signs joining, too (F1)"
        bob = client.at(client.at(opened).join(JoinTable(name="Bob")))
        there, plain = ann.present(), bob.present()
    assert (there.seat, there.seq, there.leaf) == (0, guard.version, guard.head)
    assert (plain.seat, plain.seq, plain.signature) == (1, guard.version, "")
    guard.confirmed(there)
    for change in ({"at": there.at - 1}, {"seat": 1}, {"leaf": "0" * 64}, {"signature": ""}):
        with pytest.raises(Distrusted):
            guard.confirmed(msgspec.structs.replace(there, **change))
    with pytest.raises(Distrusted, match="something else"):
        guard.confirmed(plain)
    with pytest.raises(Distrusted, match="no key that counts"):
        Seat(opened.game, 0, opened.server_commit, ()).confirmed(there)
