"""The numbers by which bots that play as `kernel.expert` are tuned (`kernel.outlook`), in order."""

EXPERT = (1.0, 0.5, 0.01, 1.2, 1.0, 0.3, 512.0, 0.7, 4.0)
"""The numbers of the bot `expert`."""
