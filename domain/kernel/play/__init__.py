"""The rules: what a move does to a game."""
