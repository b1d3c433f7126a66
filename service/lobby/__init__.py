"""Before a game: opening a table, joining it, join codes, rematch.

`opening.opening` has the commands that open a table, `joining.join` seats a player,
`rematch.open_rematch` opens the next game. May import `games` and the packages below it; knows
nothing of HTTP.
"""
