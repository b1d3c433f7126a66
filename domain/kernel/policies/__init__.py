"""The bots, entered by `games.choose` and `games.play_on`; `tunings` has the numbers of each.

May import `moves` and `play`.
"""
