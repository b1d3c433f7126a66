"""The collector of cycles, for processes that run long: it has little to do in them."""

import gc


def collect_seldom() -> None:
    """Keep it off what is there by now, for good.

    It would walk through some 100,000 objects of modules and routes, 50 ms each time, while
    requests and events leave few cycles behind.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
