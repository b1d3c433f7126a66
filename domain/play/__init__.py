"""The play after the deal: a seat's turn, the actions of the ring, the rounds.

`turn` and `board_actions` have one function for each command, `rounds` the automatic steps that
follow, from served skips to the end of the game. `decide` calls them with a draft; `legal` asks the
same functions for the choices. May import drafts, groups and the modules below them.
"""
