"""What all tests of the package need."""

import signal

import pytest


@pytest.fixture(autouse=True)
def heard_signals():
    """Programs that are started in the background ignore Ctrl-C, and the tests with them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
