"""Concerns of every request, a module each, which `api.stack` puts in their order.

May import `api.limits`, `api.problems`, `api.requests`, `api.errors`, and the rooms below `api`.
"""
