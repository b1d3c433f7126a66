"""Processing of many games on all cores: inputs, work units, a pool of processes.

`inputs` finds the games, `work` cuts them into units, `pool.in_order` runs these and gives results
in order. May import `signing`, `records`, `text` and the terminal.
"""
