"""A game in words, and the table as it stood after any event.

`transcript` has the sentences, `walk` goes through a game, `table` is a look as plain data. May
import `audit` and what is below.
"""
