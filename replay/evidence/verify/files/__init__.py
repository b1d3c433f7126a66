"""Files beside bundles: kept receipts, and dispute files of both sides' bundles and receipts.

`evidence.read_evidence` is the entry. May import the `checks` of `verify`, and what stands below.
"""
