"""The command `verifier`: the page that checks a bundle in a browser."""

from pathlib import Path

from phaseledger.replay.batch.inputs import Out
from phaseledger.replay.terminal import SOUND, guarded, output, tell

PAGE = Path(__file__).parents[1] / "verify" / "verifier.html"


@guarded
def verifier(*, out: Out = None) -> int:
    """Write a page that checks bundles in a browser, a second implementation of docs/evidence.md.

    One HTML file, which needs no server and connects to nothing: open it from disk and drop a
    bundle on it. It computes commitments, deals, dice, hash chain, seals, proofs and signatures
    again, but does not know the rules of play; `phaseledger verify` does.

    For example: phaseledger verifier --out verifier.html
    """
    with output(out) as file:
        file.write(PAGE.read_bytes())
    if out:
        tell(f"Open {out} in a browser.")
    return SOUND
