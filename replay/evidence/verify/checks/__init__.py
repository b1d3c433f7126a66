"""The checks of a bundle, one module for each: what it looks at, and the findings.

Each has a function of a `case`, called by `verify.verify`. The checks do not know one another. May
import what of `replay` stands below `verify`, and of `verify` what is no check.
"""
