"""The document of a position: a table as one seat sees it, in TOML or JSON.

The names are those of the service's table (`domain.view.TableView`), so that such a table is a
position too; most may be left out (docs/how-to/analyse-a-game.md).
"""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from phaseledger.domain.options import Options
from phaseledger.domain.rulesets import find_game
from phaseledger.domain.state import Question, QuestionKind
from phaseledger.domain.view import GroupView, SeatView, TableView
from phaseledger.domain.words import Phrase, reason_of
from phaseledger.replay.formats.text_files import text_of

_Number = Annotated[int, Meta(ge=0, le=1_000)]
_Phase = Annotated[int, Meta(ge=1, le=99)]
_Die = Annotated[int, Meta(ge=1, le=6)]


class ImpossiblePosition(ValueError):
    """A text that is no position, or cards that cannot lie so; the message is a phrase."""


def impossible(key: str, /, **arguments: object) -> ImpossiblePosition:
    """The fault ``position.KEY`` of the catalogues."""
    return ImpossiblePosition(Phrase(f"position.{key}", **arguments))


class _Part(Struct, frozen=True, forbid_unknown_fields=True):
    """Part of a position."""


class LaidOutSeat(_Part, frozen=True):
    """One seat; what is left out is as at the beginning of a game."""

    name: str = ""
    phase: _Phase | None = None
    points: Annotated[int, Meta(ge=-10_000, le=10_000)] = 0
    made: tuple[_Phase, ...] = ()
    """Phases made; read only where they are not made in order."""
    laid: bool | None = None
    cards: _Number | None = None
    taken: str = ""
    spurned: str = ""
    skips: Annotated[int, Meta(ge=0, le=8)] = 0
    playing: bool = True
    jokers: str = ""
    """The faces of the jokers in hand, in their order; of the own ones ``?``."""
    pawn: _Number | None = None


class LaidOutGroup(_Part, frozen=True):
    """A group on the table, a run's cards in run order."""

    owner: int | str
    kind: str
    cards: str
    low: Annotated[int, Meta(ge=1, le=12)] | None = None
    """What a group of wilds alone stands for."""


class LaidOutTable(_Part, frozen=True):
    """The table as the seat ``you`` sees it, which is asked for a decision."""

    ruleset: str
    seats: Annotated[tuple[LaidOutSeat, ...], Meta(min_length=1, max_length=16)]
    hand: str
    discard: str | UnsetType | None = UNSET
    discards: _Number | None = None
    pile: str = ""
    """The whole discard pile from its bottom, as far as it is remembered."""
    groups: Annotated[tuple[LaidOutGroup, ...], Meta(max_length=32)] = ()
    you: int | str = 0
    active: int | str | None = None
    ask: QuestionKind | None = None
    number: _Number | None = None
    """What else the answer depends on, as in ``waits``."""
    waits: tuple[Question, ...] = ()
    dice: Annotated[tuple[_Die, ...], Meta(max_length=2)] = ()
    action: str = ""
    taken: str = ""
    """The cards of the hand that were taken from the pile in this turn."""
    options: dict[str, Any] = {}
    dealer: int | str | None = None
    round: _Number = 0
    replay: bool = False
    stock: _Number | None = None


def read_table(text: bytes) -> LaidOutTable:
    """The table of a text; raises ImpossiblePosition with the place that cannot be read."""
    try:
        plain = text_of(text)
        decode = msgspec.json.decode if plain.lstrip().startswith("{") else msgspec.toml.decode
        return msgspec.convert(_without_the_rest(decode(plain)), LaidOutTable)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise impossible("unread", reason=reason_of(error)) from None


def _without_the_rest(tree: Any) -> Any:  # noqa: ANN401 - JSON or TOML
    """The document without the names of a service's table that say nothing here."""
    if isinstance(tree, dict) and isinstance(tree.get("table"), dict):
        # As the service answers, with its options beside it, and as `replay --json` prints it.
        tree = {"options": _house_rules(tree), **tree["table"]}
    table = _without(tree, LaidOutTable, TableView)
    for name, kind, view in (
        ("seats", LaidOutSeat, SeatView),
        ("groups", LaidOutGroup, GroupView),
    ):
        if isinstance(table, dict) and isinstance(table.get(name), list):
            table[name] = [_without(part, kind, view) for part in table[name]]
    return table


def _house_rules(tree: dict[str, Any]) -> Any:  # noqa: ANN401
    """The options that were chosen: an answer of the service has a version, and all that hold."""
    options, game = tree.get("options", {}), find_game(str(tree["table"].get("ruleset")))
    if "version" not in tree or game is None:
        return options
    holding, usual = msgspec.convert(options, Options), game.rules.options
    return {
        name: value
        for name in game.settings
        if (value := getattr(holding, name)) != getattr(usual, name)
    }


def _without(tree: Any, kind: type[Struct], view: type[Struct]) -> Any:  # noqa: ANN401
    if not isinstance(tree, dict):
        return tree
    unread = {*view.__struct_fields__} - {*kind.__struct_fields__}
    return {name: value for name, value in tree.items() if name not in unread}
