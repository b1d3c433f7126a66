"""The kernel (`domain/kernel`), from Python to Cython, for the build: ``cython.translate``.

It begins at the entry points, which are the functions that `entries.py` imports, and takes every
module that is imported from there on. Constants are inlined; functions become C functions on 64-bit
ints, doubles, and arrays of both. What the kernel may say:

* Modules of imports, constants (`Final`) and functions. Arguments and results are annotated as
  `int`, `bool`, `float`, `Ints` or `Floats`; locals are ints or floats, of one type each.
* `if`, `while`, `for` over a `range` of constant step; calls of the kernel's functions, `abs`,
  `max`, `min`, `sqrt`, and of `exp`, `log` and `pow`, whose last bit is the C library's;
  arithmetic, comparisons, `and`, `or`, `not`, conditional expressions, swaps.
* `//`, `%` and `>>` of what is not negative, since C rounds otherwise; no number beyond 64 bits.

What is not in this dialect is refused, and so is what C would do otherwise than Python, but for the
last line. Imports nothing but the standard library.
"""
