"""The demo campaign, once for all tests of a process."""

from tests.workflow.conftest import demo

__all__ = ["demo"]
