"""How many connections the operating system lets a process have."""

import sys

if sys.platform != "win32":
    import resource


def allow_descriptors(number: int) -> None:
    """Raise the soft limit on open files towards the number, as far as the hard one allows.

    Many systems begin at 1,024, which a thousand open streams use up.
    """
    if sys.platform != "win32":
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = number if hard == resource.RLIM_INFINITY else min(number, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
