"""Groups of cards: what makes one, the ways to lay a phase from a hand, the search's bounds.

`forms` is the table of kinds, `melds` checks a group to lay or to hit, `lays` finds all groups,
`plans` lists the ways to fill a phase, `work` bounds the search. May import policies, states, rule
sets and the modules below them; the rules of play import this package.
"""
