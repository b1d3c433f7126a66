"""The server: HTTP in front, the event log behind.

`cli` runs it, `app` wires the parts, `lifespan` starts and stops them. From the top: `cli`, `app`,
`lifespan`, `components`, then `api` beside `database`, the rooms of the use cases (`automation`,
`streams`, `lobby`, `replays`, `webhooks`), `client` and `games`, `schemas`,
`readmodels`, `transparency` and `settings`, `credentials`, `operations`, `quotas` and `web`,
`eventlog`, `refusals`, `runtime`. Every import runs down this list; the contracts in pyproject.toml
hold it.
"""
