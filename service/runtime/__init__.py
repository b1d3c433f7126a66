"""Logs, metrics, tracing, tasks and the process: what any service needs.

Knows nothing of the game, and imports no other room of the service.
"""
