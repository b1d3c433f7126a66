"""What a seat may do once the cards are dealt: its turn, the actions of the ring, the rounds.

`turn` and `board_actions` have one function for each command, `rounds` the automatic steps that
follow, from skips that are served to the end of the game. `decide` calls them with a draft; `legal`
asks the same functions what there is to choose.
May import drafts, groups and what is below them.
"""
