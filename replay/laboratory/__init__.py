"""The study of games in bulk: simulation, columns, analysis, reports.

Knows nothing of `evidence`.
"""
