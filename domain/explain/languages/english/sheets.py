"""Rule sets as a referee reads them out."""

from collections.abc import Mapping

from phaseledger.domain.explain.sentences import ACTION_SAYS

SHEETS: Mapping[str, str] = {
    "sheet.title.deal": "The deal",
    "sheet.title.turn": "The turn",
    "sheet.title.groups": "Phases and groups",
    "sheet.title.wilds": "Wilds and jokers",
    "sheet.title.skips": "Skips",
    "sheet.title.round_end": "The end of a round",
    "sheet.title.game_end": "The end of the game",
    "sheet.players": "{least} to {most} players.",
    "sheet.hand": "Each player holds {hand} cards at the start.",
    "sheet.turned_up": "The next card is turned up: the discard pile.",
    "sheet.laid_open": "{laid} more are laid face up as the discard pile, so that only the top one "
    "is seen.",
    "sheet.stock": "The rest is the stock.",
    "sheet.ender_s_left": "After that, the player left of whoever ended the round starts the next "
    "one.",
    "sheet.draw": "First, draw one card: the top of the stock or of the discard pile.",
    "sheet.dice": "First, the dice are thrown. Move your pawn clockwise by one of them or, after a "
    "double, by one or by both; spaces with other pawns on them do not count.",
    "sheet.action": "Carry out the action of the space that the pawn reaches.",
    "sheet.lay": "Then you may lay your phase, whole, and only one in a round.",
    "sheet.hit": "Once you have laid it, you may add cards to any group on the table, your own or "
    "another's, in this turn and in later ones.",
    "sheet.no_further_group": "No further group is ever laid.",
    "sheet.discard": "At last, discard one card.",
    "sheet.discards_when_full": "When every group on the table is full, who has laid may discard "
    "{discards} cards.",
    "sheet.in_order": "Everybody makes the phases in order, each as often as it takes.",
    "sheet.by_round": "In each round everybody attempts its phase, and goes on, made or not.",
    "sheet.free": "Whoever lays may lay any phase that is not made yet.",
    "sheet.marker": "The marker shows your phase: it goes two phases on for who ended the round, "
    "laid or not, one for others who have laid, and stays for the rest.",
    "sheet.wild": "A wild stands for any number card.",
    "sheet.joker": "A joker stands for any number card.",
    "sheet.wild_in_run": "In a run it has the rank of its place; once laid, it stays there and "
    "stands for nothing else.",
    "sheet.skip_in_group": "A skip never lies in a group.",
    "sheet.skip_discarded": "A skip is played as the discard: name another player, who loses the "
    "next turn.",
    "sheet.skip_in_front": "A skip is played instead of a discard: lay it in front of another "
    "player, whose next turn is lost.",
    "sheet.skip_to_top": "That turn is only to put the skip on top of the discard pile.",
    "sheet.skip_to_bottom": "That turn is only to put the skip under the discard pile.",
    "sheet.ends_empty": "The round ends at once for everybody when a hand is empty.",
    "sheet.ends_discarded": "The round ends at once for everybody when somebody discards the last "
    "card.",
    "sheet.points": "Everybody else scores the cards left in hand; low is good.",
    "sheet.no_points": "Cards left in hand cost nothing.",
    "sheet.keep": "Whoever has not laid may keep up to {kept} cards and is dealt the rest.",
    "sheet.last_phase": "The game ends with the round in which somebody completes the last phase; "
    "of those who do, the one with the fewest points wins.",
    "sheet.rounds": "The game ends after {rounds} rounds; the fewest points win.",
    "sheet.laurel": "The first marker past the last phase wins at once, counted from who ended the "
    "round (or began it, where nobody ended it) and on clockwise.",
    "sheet.title.ring": "The ring, clockwise from the start",
    "sheet.max_turns": "The round is broken off after {count} turns.",
    "sheet.cards": "Cards: {count}",
    "sheet.phases": "Phases: {count}",
    "sheet.house_rules": "House rules (--option name=value)",
    "sheet.row.cards": "{count} cards",
    "sheet.row.copies": "{count} of each",
    "sheet.row.points": "{count} points",
    "sheet.takes": "It takes {values}.",
    "sheet.no_ruleset": "There is no rule set {name}; there are {names}.",
    "sheet.no_game": "The house rules make no game: {reason}.",
    "sheet.senseless": "That cannot be asked: {reason}.",
    "sheet.legal": "legal",
    "sheet.illegal": "illegal",
    "sheet.left": "in hand",
    "sheet.nothing": "nothing",
    "sheet.ways": "ways to lay it: {count}",
    "sheet.many_ways": "ways to lay it: {count} or more",
    "sheet.has": "has {cards}",
    "sheet.lacks": "lacks {count}, such as {example}",
    "sheet.complete": "is complete",
    **{f"action_says.{action}": meaning for action, meaning in ACTION_SAYS.items()},
}
