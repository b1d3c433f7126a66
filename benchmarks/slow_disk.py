"""A PostgreSQL whose fdatasync takes a millisecond longer, like that of an SSD.

The server is started with a library of a few lines before its C library; nothing else loads it.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

DELAY = 0.001  # seconds
SOURCE = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <time.h>
int fdatasync(int descriptor) {
  static int (*sync_it)(int);
  struct timespec pause = {0, %d};
  if (!sync_it) sync_it = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  while (nanosleep(&pause, &pause) && errno == EINTR)
    ;
  return sync_it(descriptor);
}
"""


def is_possible() -> bool:
    """Whether there is a C compiler."""
    return shutil.which("cc") is not None


@contextmanager
def slowed() -> Iterator[None]:
    """Let every program that is started in the block wait at each fdatasync."""
    folder = Path(tempfile.mkdtemp(prefix="pl-slow-"))
    folder.chmod(0o755)  # a server started by root runs as another user
    source, library = folder / "slow.c", folder / "slow.so"
    source.write_text(SOURCE % (DELAY * 1e9))
    subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", library, source, "-ldl"], check=True)
    library.chmod(0o755)
    before = os.environ.get("LD_PRELOAD")
    os.environ["LD_PRELOAD"] = str(library)
    try:
        yield
    finally:
        del os.environ["LD_PRELOAD"]
        if before is not None:
            os.environ["LD_PRELOAD"] = before
        shutil.rmtree(folder)  # those who have loaded it keep it
