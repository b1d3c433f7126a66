"""The game: pure functions over frozen values. Standard library and msgspec, nothing else.

`decide.step` takes a command, `evolve.evolve` an event, `legal.legal` lists what may be done and
`view.view` shows a table to a seat; a game is a row of data in `rulesets`. What a seat may do is in
`play`, what makes a group or a lay in `groups`, and why a command is refused in `rejections`.
Beside this core stand `evidence` (canonical bytes, hash chain, trees), `explain` (the rules in
words), and the `kernel`, which plays the same games on flat arrays, with the `bots` that it has.
"""
