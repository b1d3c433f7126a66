"""The write path: load a game, decide, append, answer.

`writer.GameService` is the entry: `send` takes a command, `look` gives a snapshot. It writes; the
`reader` below it folds games from their log, and the `cache` keeps them. `play` carries out a
seat's command, after what is `overdue`. Idempotency, integrity and receipts stand beside it, each
in a module of that name; `replay.formats.signing` signs receipts. May import `schemas` and what is
below; knows nothing of HTTP but the status of a refusal.
"""
