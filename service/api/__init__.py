"""The HTTP layer: requests, authentication, rate limits, responses, problems.

`routes` has a module for each part of the API, `openapi` the document that describes it, `limits`
what one caller may ask, and `problems` turns every refusal into RFC 9457, as the room that raises
it has declared it. May import all rooms of the service below it; nothing below it imports it, and
Litestar is known here, in `app` and in `lifespan` only.
"""
