import pytest

from tests.workflow.snake import Project


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The demo campaign, run once to its report."""
    project = Project.copy(tmp_path_factory.mktemp("demo"))
    project.run()
    return project
