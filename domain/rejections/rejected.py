"""The exception of a command that the rules refuse."""

from phaseledger.domain.rejections.codes import RejectCode


class Rejected(Exception):
    """The rules refuse a command; nothing has happened.

    ``rule`` is the rule's ID (empty where no rule is involved); ``detail`` names the card, seat or
    value, for the sentence made at the edge.
    """

    def __init__(self, code: RejectCode, rule: str = "", detail: str = "") -> None:
        super().__init__(f"{code} ({rule}) {detail}" if rule else f"{code} {detail}")
        self.code = code
        self.rule = rule
        self.detail = detail
