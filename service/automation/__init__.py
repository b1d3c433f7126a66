"""What happens at a table without a request: bots, turn clocks, reveal deadlines, takeover.

`game_tasks` runs one task for each game that waits for something, `bots` and `turn_clocks` answer
for seats, `takeover` finds the games that another process left, `due_games` notes when games are
due. May import `games` and what is below; knows nothing of HTTP.
"""
