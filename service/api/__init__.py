"""The HTTP layer: requests, responses, problem details and the OpenAPI description.

Every request passes the `stack`, which has what `middleware` and `limits` are, and comes to a
handler in `routes`; the operator's come in at `operator`. `auth` says whose seat a token is,
`problems` turns every refusal into RFC 9457, as the room that raises it has declared it. From the
top: `application`; `operator` and `routes`; `commands` and `stack`; `auth`, `readiness`,
`reference` and `responses`; `dependencies`, `middleware` and `openapi`; `health_monitor` and
`limits`; `problems`, `requests`, `errors`. Every import runs down this list.

May import all rooms of the service below it; nothing below it imports it, and Litestar is known
here and in `app` only.
"""
