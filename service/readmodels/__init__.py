"""The read side: the follower that feeds the projections.

`follower` is a catch-up subscription to the log, `soundness` the check of one game's record. May
import `eventlog`, `refusals`, `runtime` and `projections`.
"""
