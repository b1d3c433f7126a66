"""Files of games that people bring: read and judged in a process of its own, and not kept.

`reading.read_replay` makes the viewer's document of one. May import `runtime` and what is below;
knows nothing of HTTP.
"""
