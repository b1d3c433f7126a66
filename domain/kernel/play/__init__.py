"""The rules: what a move does to a game, entered by `turns.play` and `turns.open_game`.

May import `layout`, and nothing else.
"""
