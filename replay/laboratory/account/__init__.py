"""The account of luck and error: what a seat's result is made of, and which moves cost how much.

`account.account` splits each seat's result exactly; `errors` judges moves by rollouts; `analysis`
has both as one document, `tables` as rows, `position` reads a table laid out by hand. May import
`domain`, its kernel included, `columns`, `replay.formats` and `replay.batch`.
"""
