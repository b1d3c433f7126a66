"""The client's protocol in several threads."""

import sys

from tests.support.children import run

PROGRAM = """
import sys, threading, types
from phaseledger.service.client.protocol import Reply, read

sys.setswitchinterval(1e-6)
SOURCE = "from __future__ import annotations\\nfrom msgspec import Struct\\n" + "".join(
    f"class Part{n}(Struct, tag=True):\\n    number: int\\n    parts: tuple[int, ...] = ()\\n"
    + f"    part: {' | '.join(f'Part{m}' for m in range(n))} | None = None\\n" * (n > 0)
    for n in range(8)
)
BODY = b'{"type":"Part7","number":1,"parts":[2],"part":{"type":"Part3","number":3}}'
reply = Reply(200, {}, BODY)
numbers = []

def work(module, barrier):
    barrier.wait()
    numbers.append(read(reply, module.Part7).part.number)

for n in range(40):
    module, barrier = types.ModuleType(f"shapes{n}"), threading.Barrier(6)
    sys.modules[module.__name__] = module
    exec(SOURCE, module.__dict__)
    threads = [threading.Thread(target=work, args=(module, barrier)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
assert numbers == [3] * 240, len(numbers)
"""


def test_threads_that_meet_a_type_for_the_first_time_at_once_read_it() -> None:
    """Many types, in a process of its own: msgspec alone ends it (SIGSEGV) at one of the first."""
    ended = run([sys.executable, "-c", PROGRAM])

    assert (ended.returncode, ended.stderr) == (0, "")
