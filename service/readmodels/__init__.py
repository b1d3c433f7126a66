"""The read side: the follower that feeds the projections, and the views that are read.

`follower` is a catch-up subscription to the log, `soundness` the check of one game's record, and
`views` what the API reads. May import `eventlog`, `refusals`, `runtime` and `projections`.
"""
