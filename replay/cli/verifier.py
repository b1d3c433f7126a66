"""The command `verifier`: the page that checks a bundle in a browser."""

from phaseledger.replay.batch.inputs import Out
from phaseledger.replay.evidence.verify.verifier_page import verifier_page
from phaseledger.replay.terminal import SOUND, guarded, output, tell


@guarded
def verifier(*, out: Out = None) -> int:
    """Write a page that checks bundles in a browser, by docs/reference/evidence.md alone.

    One HTML file, which needs no server and connects to nothing: open it from disk and drop a
    bundle on it. It computes commitments, deals, dice, hash chain, seals, proofs and signatures
    again, and judges every move, the points and the winner by the rules of play. It speaks English,
    German and French: the browser's language, or the one that is chosen on the page.

    For example: phaseledger verifier --out verifier.html
    """
    with output(out) as file:
        file.write(verifier_page())
    if out:
        tell(f"Open {out} in a browser.")
    return SOUND
