"""The one path of a command, from the bytes of its request to those of its answer.

`path` has their short route (`api.exchange`); `request` reads what came, `replies` has the command
carried out or tried out. May import what `api` may, but for `routes`, `reads` and `operator`.
"""
