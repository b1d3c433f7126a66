"""`phaseledger` with other constants than a deployment has: NAME=VALUE ... COMMAND ...

`benchmarks/siege.py` takes defences out so.
"""

import json
import sys
from collections.abc import Mapping

from msgspec.structs import replace

from phaseledger.service import settings

if __name__ == "__main__":
    words = sys.argv[1:]
    changed = {}
    while words and "=" in words[0]:
        name, _, value = words.pop(0).partition("=")
        changed[name] = json.loads(value)
    as_given = settings.load

    def load(
        environ: Mapping[str, str], flags: Mapping[str, object] | None = None
    ) -> settings.Settings:
        """The settings of the environment with the changed constants."""
        return replace(as_given(environ, flags), **changed)

    settings.load = load  # before the command line imports it
    sys.argv[1:] = words
    from phaseledger.service.cli.main import main

    main()
