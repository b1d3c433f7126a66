"""The numbers by which bots that play as `expert` are tuned (`outlook`), in order."""

EXPERT = (1.0, 0.5, 0.01, 1.2, 1.0, 0.3, 512.0, 0.7, 4.0, 0.01, -99.0, 0.0, 0.0, 0.0, 0.0, 0.0)
"""The numbers of the bot `expert`."""
MASTER = (
    1.19,
    0.35,
    0.01,
    1.2,
    1.0,
    0.3,
    512.0,
    0.315,
    6.8,
    0.025,
    -3.0,
    4.0,
    -1.9,
    0.9,
    0.77,
    0.0,
)
"""The numbers of the bot `master`, found by games against three of `expert`."""
TUNINGS = (EXPERT, MASTER)
"""All of them, in the order of the policies from EXPERT on."""
