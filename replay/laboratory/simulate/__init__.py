"""Simulation without a service: a game, a run (the same bytes on any cores), a tournament.

`game` plays one, `run` many, `tournament` each deal for every way to seat the bots. May import
`account`, `batch`, `columns` and the packages below them.
"""
