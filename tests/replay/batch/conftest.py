"""A Dask cluster of three workers, for the tests of a module."""

from collections.abc import Iterator

import pytest

from phaseledger import __version__
from tests.support.replay.clusters import Cluster, cluster
from tests.support.replay.dask_processes import Parent, dask_parent


@pytest.fixture(scope="module")
def dask() -> Iterator[Parent]:
    with dask_parent() as parent:
        yield parent


@pytest.fixture(scope="module")
def three(dask: Parent, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(dask, tmp_path_factory.mktemp("cluster"), *[__version__] * 3) as running:
        yield running
