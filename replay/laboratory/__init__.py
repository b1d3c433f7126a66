"""The study of games in bulk: simulation, columns, analysis, reports.

`simulate.run` plays, `columns` writes tables, `analysis.query` asks them, `report` draws. May
import `transcript` and what is below; knows nothing of `evidence`.
"""
