"""The campaign of restores, once: a backup under play, the loss of all, and going on from it."""

from benchmarks.restores import restore


def test_a_ledger_goes_on_from_its_backup(postgres_dsn: str) -> None:
    played = restore(postgres_dsn, 0, clients=2, seed="ci")
    assert played.kept > 0
    assert played.lost > 0
    assert played.voided > 0
