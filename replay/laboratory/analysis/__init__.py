"""Analysis of games: SQL queries, exact odds, and rejudging under other house rules.

`query`, `odds` and `rejudge` are the entries. May import `audit`, `simulate` and packages below.
"""
