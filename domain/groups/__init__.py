"""Groups of cards: what makes one, the ways to lay a phase from a hand, and the work of that.

`forms` is the table of kinds, `melds` checks a group to lay or to hit, `lays` finds them all,
`work` says what that may cost. May import policies, states, rule sets and what is below them; the
rules of play import it.
"""
