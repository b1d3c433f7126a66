"""Read models: the events' content, arranged for reading.

`views.Views` reads them from PostgreSQL, which has two sets: one is read, and a rebuild
fills the other. `games` and `scoreboard` fold events into rows. May import `domain`, and
knows neither the service nor `replay`.
"""
