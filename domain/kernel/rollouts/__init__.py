"""Games as they may be, played on many times, entered by `rollouts.roll_out` and `values.appraise`.

May import the other rooms of the kernel.
"""
