"""What the names in a table that was laid out stand for: its rules, seats and cards."""

from collections.abc import Mapping
from typing import Any

from phaseledger.domain.cards import OWN, PLAYABLE, TURNED, UNKNOWN, face_down, owner_names
from phaseledger.domain.explain.holdings import has_jokers, number_jokers
from phaseledger.domain.resolve import Unplayable, resolve
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.rulesets import GAMES, find_game
from phaseledger.domain.words import Phrase, reason_of
from phaseledger.replay.laboratory.account.laid_out import (
    ImpossiblePosition,
    LaidOutSeat,
    LaidOutTable,
    impossible,
)


def house_rules(name: str, options: Mapping[str, Any]) -> RuleSet:
    """The rule set of that name with the options."""
    game = find_game(name)
    if game is None:
        raise ImpossiblePosition(
            Phrase("sheet.no_ruleset", name=repr(name), names=", ".join(GAMES))
        )
    try:
        return resolve(game.rules, options, game.settings)
    except Unplayable as error:
        raise ImpossiblePosition(Phrase("sheet.no_game", reason=reason_of(error))) from None


class Reading:
    """One table under its rules; ``you`` is the number of the seat that sees it."""

    def __init__(self, table: LaidOutTable) -> None:
        self.table = table
        self.ruleset = ruleset = house_rules(table.ruleset, table.options)
        self.names = [
            seat.name or Phrase("seat", seat=number) for number, seat in enumerate(table.seats)
        ]
        least, most, count = ruleset.seats_min, ruleset.seats_max, len(table.seats)
        if not least <= count <= most:
            raise impossible("seats", ruleset=ruleset.name, least=least, most=most, count=count)
        self._require_own_keys()
        self.you = self.seat_number(table.you)
        self.hand = self._own_hand()
        """The cards of the seat; its jokers without their faces."""

    def _require_own_keys(self) -> None:
        """Require that nothing is laid out which the game does not have."""
        ruleset, table, plain = self.ruleset, self.table, LaidOutSeat()
        lacking = {
            "dice action jokers pawn": not ruleset.track,
            "playing replay": ruleset.finish == "laurel",
            "points": ruleset.scoring == "none",
            "skips": not ruleset.deck.skips,
            "taken spurned": ruleset.pile == "covered",
        }
        foreign = " ".join([keys for keys, lacks in lacking.items() if lacks]).split()
        laid_out = [key for key in ("dice", "action", "replay") if getattr(table, key)]
        for seat in table.seats:
            laid_out += [key for key in foreign if getattr(seat, key, 0) != getattr(plain, key, 0)]
        for key in laid_out:
            if key in foreign:
                raise impossible("foreign", ruleset=ruleset.name, key=key)

    def _own_hand(self) -> bytes:
        named = self.cards(self.table.hand, "hand", jokers=True)
        hand = face_down(named)
        if owner_names(hand) != named:
            raise impossible("numbered", cards=self.table.hand)
        return hand

    def seat_number(self, value: int | str) -> int:
        """The seat of a number or a name."""
        if isinstance(value, int) and 0 <= value < len(self.names):
            return value
        if value not in self.names:
            raise impossible("seat", value=value)
        if self.names.count(str(value)) > 1:
            raise impossible("namesakes", name=value)
        return self.names.index(str(value))

    def cards(self, text: str, place: str, *, jokers: bool = False, unknown: bool = False) -> bytes:
        """The cards of a text, in capitals or not, with or without commas; jokers as their owner
        names them, and ``?`` for unknown ones, where such may lie.
        """
        plain = text.replace(",", " ").upper()
        (numbered,) = number_jokers([plain])
        playable, cards = PLAYABLE[self.ruleset.deck.notation], bytearray()
        for word, name in zip(plain.split(), numbered.split(), strict=True):
            card = UNKNOWN if unknown and word == "?" else playable.get(name, TURNED)
            if card == TURNED or (card > OWN and not (jokers and has_jokers(self.ruleset))):
                raise impossible("card", place=place, card=word)
            cards.append(card)
        return bytes(cards)

    def has_laid(self, number: int) -> bool:
        """Whether a seat has laid its phase: it owns groups then."""
        owns = any(self.seat_number(group.owner) == number for group in self.table.groups)
        if self.table.seats[number].laid not in (None, owns):
            raise impossible("owner", name=self.names[number])
        return owns
