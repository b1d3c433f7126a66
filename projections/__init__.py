"""Read models: the events' content, arranged for reading.

PostgreSQL has two sets of them: one is read, by `service.readmodels.views`, and a rebuild fills the
other. `games` and `scoreboard` fold events into rows. May import `domain`, and
knows neither the service nor `replay`.
"""
