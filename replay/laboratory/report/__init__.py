"""The report of many games: counts, figures, tables, and the page that shows them.

`page` is the entry; `counts` goes through the games. May import everything of `replay` but `cli`
and `verify`.
"""
