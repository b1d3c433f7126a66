"""ASGI middleware around the routes: what every request goes through, whatever it asks.

A module for each concern has a ``with_...`` that wraps an application, in the order that
`service.app` gives them; limits have theirs in `api.limits`. May import `api.limits`,
`api.problems`, `api.requests`, `api.errors`, and the rooms below `api`.
"""
