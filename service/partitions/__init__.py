"""Partitions: several logs as one ledger; a game's id says which partition it is in.

`partition_map` reads the file that names the partitions, `routing` sends each call to the partition
of its game, `availability` remembers which one is away, `health_monitor` checks each. May import
the packages whose ports it spreads.
"""
