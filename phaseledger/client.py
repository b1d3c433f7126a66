"""What a program needs to play over HTTP: a client, the requests, the commands.

::

    from phaseledger.client import Client, JoinTable, OpenTable, PersonSeat, play

`Client` and `AsyncClient` have the same methods; `play` and `play_async` play a seat by a function
of yours. A `Seat` trusts no server: given as ``guard``, it brings its own secret into the deal,
checks receipts and signs commands. Nothing of the server is loaded.
"""

from phaseledger.domain.commands import (
    Ask,
    Choose,
    Discard,
    Draw,
    Give,
    GroupToLay,
    Hit,
    Keep,
    Lay,
    Move,
    Pass,
    Play,
    Search,
    Swap,
)
from phaseledger.domain.script import ScriptedDeal
from phaseledger.domain.state import Question
from phaseledger.domain.terms import Clock
from phaseledger.domain.view import TableView
from phaseledger.replay.formats.seat import Distrusted, Seat
from phaseledger.service.client.bot import play, play_async
from phaseledger.service.client.client import AsyncClient, Client
from phaseledger.service.client.protocol import Refused, Retry, Unreachable, Unreadable
from phaseledger.service.client.stream import Moment
from phaseledger.service.client.webhook_messages import BadMessage, verified_message
from phaseledger.service.schemas.games import (
    BotSeat,
    ForTests,
    GameView,
    Joined,
    JoinTable,
    Opened,
    OpenTable,
    PersonSeat,
)
from phaseledger.service.schemas.lobby import Claim, FillTable, JoinByCode, PlayAgain
from phaseledger.service.schemas.players import PutPlayer, SignInWith
from phaseledger.service.schemas.terms import TableTerms
from phaseledger.service.schemas.webhooks import NewWebhook

__all__ = [
    "Ask",
    "AsyncClient",
    "BadMessage",
    "BotSeat",
    "Choose",
    "Claim",
    "Client",
    "Clock",
    "Discard",
    "Distrusted",
    "Draw",
    "FillTable",
    "ForTests",
    "GameView",
    "Give",
    "GroupToLay",
    "Hit",
    "JoinByCode",
    "JoinTable",
    "Joined",
    "Keep",
    "Lay",
    "Moment",
    "Move",
    "NewWebhook",
    "OpenTable",
    "Opened",
    "Pass",
    "PersonSeat",
    "Play",
    "PlayAgain",
    "PutPlayer",
    "Question",
    "Refused",
    "Retry",
    "ScriptedDeal",
    "Search",
    "Seat",
    "SignInWith",
    "Swap",
    "TableTerms",
    "TableView",
    "Unreachable",
    "Unreadable",
    "play",
    "play_async",
    "verified_message",
]
