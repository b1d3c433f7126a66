"""The command that writes a game's records, or a bundle of them."""

import os
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from phaseledger.replay.batch import inputs
from phaseledger.replay.batch.inputs import (
    HERE,
    GameOption,
    GameTarget,
    Out,
    StoreOptions,
    optional,
    viewer_of,
)
from phaseledger.replay.evidence.export import bundled_lines, exported_lines, is_over, require_seat
from phaseledger.replay.evidence.walk import one_game
from phaseledger.replay.formats.records.source import UnknownGame
from phaseledger.replay.terminal import SOUND, UsageError, guarded, output, tell


@guarded
def export(
    target: GameTarget,
    /,
    *,
    game: GameOption = None,
    seat: Annotated[
        int | None,
        Parameter(help="Seal what this seat (from 0) may not see; nothing of a finished game."),
    ] = None,
    public: Annotated[
        bool, optional("Seal what not everybody may see; nothing of a finished game.")
    ] = False,
    bundle: Annotated[
        bool,
        optional("Write a bundle, for `phaseledger verify`; the public's unless --seat is given."),
    ] = False,
    keys_dir: Annotated[
        Path | None,
        optional("The operator's keys: with them, a bundle gets receipts (PHASELEDGER_KEYS_DIR)."),
    ] = None,
    out: Out = None,
    store: StoreOptions = HERE,
) -> int:
    """Write a game's records as NDJSON, as they are stored, without judging them.

    The stored form holds every hidden card and the server's secret: while a game goes on, it is
    not for its players. With --seat or --public the sealed form is written.

    With --bundle: one file that settles a dispute (docs/reference/evidence.md). Only the service's
    own, GET /v1/games/{id}/bundle, has a checkpoint of the public log and its proofs too. Receipts
    are signed only for a game that `audit` finds sound.

    For example: phaseledger export 0f8b5a3e-6d0c-4b7e-9a53-5c1f2f1f7d11 --out game.ndjson

    Or: phaseledger export games.ndjson --game 3 --public

    Or: phaseledger export 0f8b5a3e-6d0c-4b7e-9a53-5c1f2f1f7d11 --bundle --out game.bundle
    """
    viewer = viewer_of(seat, public=public)
    if keys_dir and not bundle:
        raise UsageError("--keys-dir is for --bundle: nothing else is signed.")
    inputs.require_distinct([target], [out])
    with inputs.rows(target, store, "reading") as rows:
        game_rows = list(one_game(rows, target, game))
    if not game_rows:
        raise UnknownGame(f"{target} holds no game.")
    require_seat(game_rows, viewer)
    if bundle:
        configured_dir = os.environ.get("PHASELEDGER_KEYS_DIR")
        keys_dir = keys_dir or (Path(configured_dir) if configured_dir else None)
        lines = bundled_lines(game_rows, None if viewer == "all" else viewer, keys_dir)
        with output(out) as file:
            file.writelines(lines)
        receipts = (
            "receipts, but no" if keys_dir else "no receipts (give --keys-dir for them) and no"
        )
        tell(f"The bundle has {receipts} checkpoint: only GET /v1/games/{{id}}/bundle has that.")
        return SOUND
    with output(out) as file:
        file.writelines(line + b"\n" for line in exported_lines(game_rows, viewer))
    if viewer == "all" and not is_over(game_rows):
        tell("This game is not over: the export holds its secret and every hidden card.")
    elif viewer != "all" and is_over(game_rows):
        tell(
            "This game is over, so nothing of it is sealed; what one seat saw is told by "
            "`phaseledger replay --seat`."
        )
    return SOUND
