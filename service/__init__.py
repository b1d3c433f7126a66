"""The server: HTTP in front, the event log behind, and the use cases between them.

A process starts in `cli`; `app` composes the service, starts it and stops it. From the top: `cli`,
`app`, then `api` beside `database`, `notices`, the rooms of the other use cases (`analyses`,
`automation`, `streams`, `lobby`, `replays`, `signin`, `webhooks`), `applications`, `client`,
`games` and `players`, `schemas`, `readmodels`, `transparency`, `credentials`, `operations`,
`quotas` and `web`, `settings`, `eventlog`, `refusals`, `runtime`.
Every import runs down this list; the contracts in pyproject.toml hold it.
"""
