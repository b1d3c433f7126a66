"""What settles a dispute: the audit of a log, the verification of a bundle, a second referee.

`audit.audit` and `verify.verify` are the entries, for programs `phaseledger.audit` and
`phaseledger.verify`. May import `transcript` and what is below; knows nothing of `laboratory`.
"""
