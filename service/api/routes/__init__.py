"""The operations of the API, a module for each part of it.

Each module lists its handlers in ``HANDLERS``; `service.app` puts them together. Routes do not know
one another: what two of them share stands in `api.requests`, `api.responses` or below. May import
what `api` may, but for one another, `api.commands` and `api.operator`.
"""
