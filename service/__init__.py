"""The server: HTTP in front, the event log behind, and everything that goes on between them.

Whoever runs it starts at `cli`; `app` wires the parts and `lifespan` starts and stops them. From
the top: `cli`, `app`, `lifespan`, `components`, then `api` beside `database`, the rooms of the use
cases (`automation`, `streams`, `lobby`, `replays`, `webhooks`), `client` and `games`, `schemas`,
`readmodels`, `transparency` and `settings`, `credentials`, `operations`, `quotas` and `web`,
`eventlog`, `refusals`, `runtime`. Every import runs down this list; the contracts in pyproject.toml
hold it.
"""
