"""Logs, metrics, tracing, tasks and the process: the needs of any service.

Knows nothing of the game, and imports no other room of the service.
"""
