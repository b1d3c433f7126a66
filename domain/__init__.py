"""The game: pure functions over frozen values. Standard library and msgspec, nothing else.

`decide.step` takes a command, `evolve.evolve` an event, `legal.legal` lists what may be done and
`view.view` shows a table to a seat; a game is a row of data in `rulesets`. What a seat may do is in
`play`, what makes a group or a lay in `groups`, and why a command is refused in `rejections`.
Beside this core stand `evidence` (canonical bytes, hash chain, trees), `bots` (everything that
chooses), `rollouts` (worlds that fit what a seat knows) and `explain` (the rules in words).
"""
