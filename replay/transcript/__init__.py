"""A game in words, and the table after any event.

`transcript` has the sentences, `frames` and `table` give the table as plain data. May import
`batch` and what is below.
"""
