"""Check the evidence of games by the documents alone: python examples/verifier.py BUNDLE...

Written from docs/reference/evidence.md, format.md, deal.md, ruleset.md and openapi/openapi.json,
which it reads for the fields of events; it shares no code with phaseledger. verifying/ has its
parts. It judges the form of a bundle, the hash chain, seals and salts, commitments and secrets, the
deal and every card after it, decisions against what is recorded of them, signatures, receipts,
checkpoint, inclusion and cosignatures, keys, and times. Of a running game it judges what the file
tells. It does not judge the rules of play: which moves were allowed, points, phases and winners;
nor what bots would have done. It knows no policy: nobody vouches for the keys that it names.

Exit codes: 0 nothing is wrong, 1 a game is wrong, 2 usage, 5 a file is no bundle, 6 the operator's
evidence does not hold. Of several, 5 counts first, then 1 and 6.
"""

import argparse
import json
import sys
from pathlib import Path

from verifying.basics import Damaged, Untrue, Wrong, claim
from verifying.evidence import checkpoint, keys_of, receipts
from verifying.form import LARGEST, Description, parsed
from verifying.game import Game, chained, unsealed

OPENAPI = Path(__file__).resolve().parent.parent / "openapi" / "openapi.json"


def described(path: Path) -> Description:
    """The fields of events, as the service's description has them."""
    return Description(json.loads(path.read_bytes())["components"]["schemas"])


def judge(content: bytes, description: Description) -> str:
    """Say what a good bundle holds; raises Damaged, Wrong or Untrue for any other."""
    bundle = parsed(content, description)
    keys = keys_of(bundle)
    chained(bundle)
    game = Game(bundle)
    unsealed(bundle, game.secret)
    game.play()
    used = receipts(bundle, keys) | checkpoint(bundle, keys)
    claim(used == set(keys), "the first line names keys by which nothing is signed")
    dealt = "Every card follows from the secrets" if game.secret else "The cards were counted"
    return (
        f"game {game.id}, {bundle.ruleset['name']}, {bundle.header['status']}, "
        f"{len(bundle.events)} events. {dealt if game.cards else 'No card was dealt'}; "
        f"{len(bundle.receipts)} receipts, {len(bundle.notes)} checkpoints, by "
        f"{', '.join(sorted(used)) or 'nobody'}. The rules of play were not judged."
    )


def verdict(path: str, description: Description) -> tuple[int, str]:
    """The exit code that a file is worth, and a sentence on it."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(LARGEST + 1)
        return 0, judge(content, description)
    except OSError as error:
        return 5, f"it cannot be read: {error.strerror}"
    except Damaged as damage:
        return 5, f"it is no bundle: {damage}"
    except Wrong as error:
        return 1, f"the game is wrong: {error}"
    except Untrue as error:
        return 6, f"the operator's evidence does not hold: {error}"


def main() -> int:
    """Judge the files that the command line names."""
    summary, _, more = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(
        description=f"{summary.partition(':')[0]}.",
        epilog=more,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("bundle", nargs="+", help="a file of the form p10-bundle/v1")
    parser.add_argument("--openapi", type=Path, default=OPENAPI, help="openapi.json of the project")
    given = parser.parse_args()
    try:
        description = described(given.openapi)
    except (OSError, ValueError, KeyError, TypeError):
        parser.error(f"{given.openapi} is not the description of the service")
    codes = set()
    for path in given.bundle:
        code, sentence = verdict(path, description)
        print(f"{'BAD ' if code else 'GOOD'} {path}: {sentence}")
        codes.add(code)
    return next((code for code in (5, 1, 6) if code in codes), 0)


if __name__ == "__main__":
    sys.exit(main())
