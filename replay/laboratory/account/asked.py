"""What the seat of a table that was laid out is asked, whose turn it is, and where pawns stand."""

from phaseledger.domain.cards import remove
from phaseledger.domain.groups.melds import TOP
from phaseledger.domain.play.board_actions import ASKING, TAKES
from phaseledger.domain.state import Question, QuestionKind
from phaseledger.replay.laboratory.account.laid_out import impossible
from phaseledger.replay.laboratory.account.readings import Reading

_IN_ANOTHERS_TURN: tuple[QuestionKind, ...] = ("give", "keep")
"""Questions that a seat may be asked while another one is on turn."""
_OF_CARDS: tuple[QuestionKind, ...] = ("draw", "play")
_OF_RING: tuple[QuestionKind, ...] = ("move", *_OF_CARDS, *ASKING.values(), *_IN_ANOTHERS_TURN)


class AskedSeat:
    """The seat's question, and what belongs to the turn."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        kind = self._kind()
        self.active = self._active(kind)
        self.pawns = self._pawns()
        self.action = self._action(kind)
        self.taken = self._taken(kind)
        self.question = Question(reading.you, kind, self._number(kind))
        if len(reading.table.dice) not in ((2,) if kind == "move" else (0, 2)):
            raise impossible("dice", name=reading.names[reading.you])

    def _kind(self) -> QuestionKind:
        """The kind that is laid out, or else the only one that there can be."""
        reading, table = self.reading, self.reading.table
        kind = table.ask
        for question in table.waits if kind is None else ():
            if question.seat == reading.you:
                kind = question.kind
        if kind is None and table.waits:
            raise impossible("turn", name=reading.names[reading.seat_number(table.waits[0].seat)])
        if kind is None and reading.ruleset.track:
            kind = "move" if table.dice and not table.action else None
        elif kind is None and not reading.has_laid(reading.you):
            kind = "play" if len(reading.hand) > reading.ruleset.hand else "draw"
        kinds = [*_OF_RING] if reading.ruleset.track else [*_OF_CARDS]
        if not reading.ruleset.options.ask_giver_chooses and "give" in kinds:
            kinds.remove("give")
        if not reading.hand and "keep" in kinds:
            kinds.remove("keep")
        if kind not in kinds:
            raise impossible("ask", name=reading.names[reading.you], kinds=", ".join(kinds))
        return kind

    def _active(self, kind: QuestionKind) -> int:
        """The seat on turn, or whose turn was the last of the round."""
        reading, active = self.reading, self.reading.table.active
        number = reading.you if active is None else reading.seat_number(active)
        if kind not in _IN_ANOTHERS_TURN:
            if number != reading.you:
                raise impossible("turn", name=reading.names[number])
        elif active is None and len(reading.names) == 2:
            number = 1 - reading.you
        elif number == reading.you and (active is None or kind == "give"):
            raise impossible("active", name=reading.names[number], ask=kind)
        return number

    def _pawns(self) -> list[int]:
        """Each seat's space on the ring; two pawns share none but the start."""
        reading = self.reading
        spaces = [seat.pawn or 0 for seat in reading.table.seats]
        for number, space in enumerate(spaces):
            name, last = reading.names[number], len(reading.ruleset.track) - 1
            if space > max(last, 0):
                raise impossible("space", name=name, space=space, last=last)
            first = spaces.index(space)
            if space and first < number:
                raise impossible("crowded", name=reading.names[first], other=name, space=space)
        return spaces

    def _action(self, kind: QuestionKind) -> str:
        """The action of the space where the active pawn stands, once it has moved."""
        reading, space = self.reading, self.pawns[self.active]
        if not reading.ruleset.track:
            return ""
        action = reading.ruleset.track[space]
        asking = {"draw": {*TAKES}, "give": {"ASK"}} | {ask: {on} for on, ask in ASKING.items()}
        place = {"name": reading.names[self.active], "space": space, "action": action, "ask": kind}
        if action not in asking.get(kind, {action}):
            raise impossible("unasked", **place)
        expected = "" if kind == "move" else action
        if reading.table.action not in ("", expected):
            raise impossible("action", **place | {"action": reading.table.action})
        return expected

    def _taken(self, kind: QuestionKind) -> bytes:
        """The cards that the seat took from the pile in this turn, or since its last throw."""
        reading = self.reading
        taken = reading.cards(reading.table.taken, "taken")
        most = TAKES.get(self.action, self.action == "SEARCH") if reading.ruleset.track else 1
        most -= kind == "draw"  # one at least is still to be taken
        is_held = self.active == reading.you and remove(reading.hand, taken) is not None
        if taken and (len(taken) > most or not is_held):
            name = reading.names[reading.you]
            raise impossible("taken", name=name, cards=reading.table.taken)
        return taken

    def _number(self, kind: QuestionKind) -> int:
        """What else the answer depends on: all of an action, unless it is laid out."""
        reading, table = self.reading, self.reading.table
        given = [table.number, *(wait.number for wait in table.waits if wait.seat == reading.you)]
        least, most = 0, 0
        if kind == "draw" and reading.ruleset.track:
            least, most = 1, TAKES[self.action] - len(self.taken)
        elif kind == "give":
            least, most = 1, TOP
        elif kind == "keep":
            least = most = reading.ruleset.keep
        default = 0 if kind == "give" else most
        number = next(filter(None, given), default)
        if not least <= number <= most:
            raise impossible("number", number=number, ask=kind, least=least, most=most)
        if kind == "give" and not any(card & 15 == number for card in reading.hand):
            raise impossible("give", name=reading.names[reading.you], number=number)
        if kind == "keep" and reading.has_laid(reading.you):
            raise impossible("keep", name=reading.names[reading.you])
        return number
