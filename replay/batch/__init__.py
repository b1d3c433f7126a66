"""Processing of many games on all cores: inputs, work units, pools of workers.

`inputs` finds the games, `work` cuts them into units, `pool.in_order` runs the units and gives
results in order, on the cores of this machine or on a Dask `cluster`, to which large data passes as
`parts` in a shared folder. `results` keeps results in a file, from which a later run goes on. May
import `formats`, `text` and `terminal`.
"""
