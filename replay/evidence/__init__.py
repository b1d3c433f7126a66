"""What settles a dispute: the audit of a log, the verification of a bundle, a second referee.

`phaseledger.audit` and `phaseledger.verify` are the public faces. Knows nothing of `laboratory`.
"""
