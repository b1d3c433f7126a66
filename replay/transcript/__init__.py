"""A game in words, and the table after any event.

`transcript` has the sentences, `walk` goes through a game, `table` gives the table as plain data.
May import `audit` and the packages below it.
"""
