"""The report of many games: counts, figures, tables, and the page that shows them.

`page` is the entry; `counts` goes through the games. May import `analysis`,
`intervals` and what is below `laboratory`.
"""
