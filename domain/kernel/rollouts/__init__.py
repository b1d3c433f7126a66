"""Games played on many times: worlds, equities, chances to win."""
