"""Verification of bundles: the checks, the findings, the policy, and questions to it all.

`verify.verify` is the entry. What two `checks` share stands in `case`. May import everything of
`replay` but `cli` and `report`.
"""
