"""Who sits down gets a token, shows it over and over, and is nobody else by it."""

from contextlib import suppress
from typing import NamedTuple
from uuid import UUID

from phaseledger.service.credentials.store import Credential
from phaseledger.service.credentials.tokens import digest
from phaseledger.service.eventlog.errors import StoreUnavailable
from tests.simulation.chance import Chance
from tests.simulation.history import History, Violation
from tests.simulation.nodes import Node, Unreachable

IN_DOUBT = (Unreachable, StoreUnavailable)


class HeldToken(NamedTuple):
    """A token that somebody was given."""

    token: str
    credential: Credential


class Wallet:
    """All tokens that the service has given out."""

    def __init__(self, nodes: list[Node], history: History, chance: Chance) -> None:
        self._nodes = nodes
        self._history = history
        self._chance = chance
        self._held: list[HeldToken] = []

    async def issue(self, game: UUID, seat: int, since: int, key: str) -> None:
        """Have a token issued for a seat that was taken, unless that fails."""
        node = self._chance.pick(self._nodes)
        with suppress(*IN_DOUBT):
            epoch = self._history.epoch
            token: str = await node.ask(lambda _: node.credentials.issue(game, seat, since, key))
            self._held.append(HeldToken(token, Credential(game, seat, since)))
            if epoch == self._history.epoch and not self._is_stored(token):
                raise Violation(
                    f"a token of seat {seat} of {game} was given out, and is not stored"
                )

    def _is_stored(self, token: str) -> bool:
        return digest(token) in self._history.tables.credentials

    async def show(self) -> None:
        """Show any token to any node. Raises Violation where it is taken for another's, or was lost
        and counts all the same, though the node knows that the database went back.
        """
        if not self._held:
            return
        held, node = self._chance.pick(self._held), self._chance.pick(self._nodes)
        epoch, has_noticed = self._history.epoch, node.has_noticed
        try:
            credential = await node.ask(lambda _: node.credentials.find(held.token))
        except IN_DOUBT:
            return
        if credential not in (None, held.credential):
            raise Violation(f"a token of {held.credential} is taken for {credential}")
        is_sure = epoch == self._history.epoch and has_noticed
        if is_sure and (credential is not None) != self._is_stored(held.token):
            effect = "counts" if credential else "does not count"
            raise Violation(f"a token {effect}, which the database does not have so")
