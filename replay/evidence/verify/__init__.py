"""Verification of bundles: the checks, the findings, the policy, and questions to it all.

`verify.verify` is the entry. What two `checks` share stands in `case`. May import `audit`,
`referee`, `transcript` and what is below.
"""
