"""Rollouts: games played on from worlds that fit what a seat knows, the base of later analysis.

`rollout.rollout` plays one world on by bots, `worlds.world` draws a world. May import the core of
`domain` and `bots`; nothing of the domain imports it.
"""
