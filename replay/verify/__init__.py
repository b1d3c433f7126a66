"""Verification of bundles: one file for each check, the findings, and the policy.

`verify.verify` is the entry. The checks do not know one another: what two of them share stands in
`case`. May import everything of `replay` but `cli` and `report`.
"""
