"""The second referee: judges a recorded game by the rule book, without the code that played it.

Written from the catalogue (docs/reference/catalogue.md) alone. It reads the events in order, keeps
a table of its own and objects to the first event that the rules do not allow; ``referee.judge`` is
the entry. Of the domain it may import the shapes of events, commands and rule sets, and no
decisions.
"""
