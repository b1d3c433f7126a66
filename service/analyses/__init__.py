"""Analyses of finished games, on request: made beside the event loop, one at a time, and kept.

`analyses.Analyses` has the kept analyses and the ones under way; ``hints`` judges the open decision
of a seat at a practice table; ``errors`` says what has neither. May
import `games`, `schemas`, `runtime` and what is below; of replay the public face
`phaseledger.analysis` alone. Knows nothing of HTTP.
"""
