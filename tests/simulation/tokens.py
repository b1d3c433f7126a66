"""Who sits down gets a token, shows it over and over, and is nobody else by it."""

from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import UUID

from phaseledger.service.credentials.credential import Credential
from phaseledger.service.credentials.tokens import digest
from phaseledger.service.eventlog.errors import StoreUnavailable
from tests.simulation.chance import Chance
from tests.simulation.history import Violation
from tests.simulation.nodes import Unreachable, World

IN_DOUBT = (Unreachable, StoreUnavailable)


class HeldToken(NamedTuple):
    """A token that somebody was given."""

    token: str
    credential: Credential


@dataclass(eq=False)
class Wallet:
    """All tokens that the service has given out."""

    world: World
    chance: Chance
    held: list[HeldToken] = field(default_factory=list)

    async def issue(self, game: UUID, seat: int, since: int, key: str) -> None:
        """Have a token issued for a seat that was taken, unless that fails."""
        node = self.chance.pick(self.world.nodes)
        with suppress(*IN_DOUBT):
            epoch = self.world.history.epoch
            token: str = await node.ask(lambda _: node.credentials.issue(game, seat, since, key))
            self.held.append(HeldToken(token, Credential(game, seat, since)))
            if epoch == self.world.history.epoch and not self._is_stored(token):
                raise Violation(
                    f"a token of seat {seat} of {game} was given out, and is not stored"
                )

    def _is_stored(self, token: str) -> bool:
        return digest(token) in self.world.history.tables.credentials

    async def show(self) -> None:
        """Show any token to any node. Raises Violation where it is taken for another's, or was lost
        and counts all the same, though the node knows that the database went back.
        """
        if not self.held:
            return
        held, node = self.chance.pick(self.held), self.chance.pick(self.world.nodes)
        epoch, has_noticed = self.world.history.epoch, node.has_noticed
        try:
            credential = await node.ask(lambda _: node.credentials.find(held.token))
        except IN_DOUBT:
            return
        if credential not in (None, held.credential):
            raise Violation(f"a token of {held.credential} is taken for {credential}")
        if credential is None:
            self.world.reached.note("a token was lost with the database")
        is_sure = epoch == self.world.history.epoch and has_noticed
        if is_sure and (credential is not None) != self._is_stored(held.token):
            effect = "counts" if credential else "does not count"
            raise Violation(f"a token {effect}, which the database does not have so")
