"""The game: pure functions over frozen values. Standard library and msgspec, nothing else."""
