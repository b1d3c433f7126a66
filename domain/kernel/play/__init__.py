"""The rules: what a move does to a game, entered by `turns.play` and `rounds.open_game`.

May import `layout`, and nothing else.
"""
