"""Analysis of games: SQL queries and exact odds.

`query` and `odds` are the entries. May import `columns`, `simulate` and what is below `laboratory`.
"""
