"""The HTTP layer: requests, responses, problem details and the OpenAPI description.

Commands and looks at games take the short path of `exchange`, to `commands` and `reads`; every
other request that of the `middleware` to a handler in `routes`, and the operator's come in at
`operator`. `auth` says whose seat a token is, `problems` turns every refusal into RFC 9457, as the
room that raises it has declared it. From the top: `commands`, `operator`, `reads` and `routes`,
which do not know one another; `auth`, `readiness`, `reference` and `responses`; `exchange`;
`dependencies`, `middleware` and `openapi`; `health_monitor` and `limits`, `problems`, `requests`,
`errors`. Every import runs down this list. May import all rooms of the service below it; nothing
below it imports it, and Litestar is known here, in `app` and in `lifespan` only.
"""
