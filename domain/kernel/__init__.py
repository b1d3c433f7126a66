"""The kernel: the games on flat arrays, for simulation, rollouts and the analysis of moves.

Its functions are reached by `entries`, compiled or not. `layout` says what stands where in a game's
array; `table` and `pack` write rule sets and states so. Each room stands on the one before: `play`,
`moves`, `policies`, `rollouts`. Records, audits and the referee never rest on it: `decide` and
`evolve` say what is lawful, and the tests hold the kernel to them, move by move. May import the
data of `domain`; nothing of the core imports it.
"""

import warnings
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path

STALE = "The kernel runs uncompiled: the compiled one is of other sources (python hatch_build.py)."


@cache
def is_compiled() -> bool:
    """Whether there is a module `compiled`, made of the sources beside it."""
    try:
        import phaseledger.domain.kernel.compiled as kernel
    except ImportError:
        return False
    folder = Path(__file__).parent
    files = [folder.joinpath(*name.split(".")).with_suffix(".py") for name in kernel.MODULES]
    if not all(file.exists() for file in files):
        return True  # a program without its sources has nothing else to run
    sources = b"".join(file.read_bytes() for file in files)
    is_fresh: bool = sha256(sources).hexdigest() == kernel.SOURCE
    if not is_fresh:
        warnings.warn(STALE, RuntimeWarning, stacklevel=2)
    return is_fresh


def compiled_functions(names: Iterable[str]) -> dict[str, object]:
    """The functions of `compiled` by these names; none where the kernel runs uncompiled."""
    if not is_compiled():
        return {}
    import phaseledger.domain.kernel.compiled as kernel

    return {name: getattr(kernel, name) for name in names}
