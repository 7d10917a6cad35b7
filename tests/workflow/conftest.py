import fcntl
import os
import shutil
from collections.abc import Callable

import pytest

from tests.workflow import everything
from tests.workflow.snake import Project


def shared(factory: pytest.TempPathFactory, name: str, build: Callable[[Project], None]) -> Project:
    """A finished project that all processes of a test run share: the first to ask makes it."""
    base = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    folder, built = base / f"shared-{name}", base / f"shared-{name}.built"
    with built.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not built.exists():
            shutil.rmtree(folder, ignore_errors=True)
            build(Project.copy(folder))
            built.touch()
    return Project(folder)


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The demo campaign, run once to its report."""
    return shared(tmp_path_factory, "demo", lambda project: project.run())


@pytest.fixture(scope="session")
def all_rules(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A campaign, a comparison, baselines, a check and a paper: every rule, with jobs recorded."""
    return shared(tmp_path_factory, "everything", everything.build)
