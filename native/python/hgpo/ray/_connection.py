"""Connections to a cluster of Ray."""

import os
import signal

import ray

DATA = ("ALFWORLD_DATA", "WEBSHOP_DATA")


class connected:
    """A connection to a cluster, for as long as nobody else has one here. Modules that go with tasks and actors need not
    be on its machines."""

    def __init__(self, address, *modules):
        self.address, self.modules, self.mine = address, modules, not ray.is_initialized()

    def __enter__(self):
        for module in self.modules:
            ray.cloudpickle.register_pickle_by_value(module)
        if self.mine:
            handler = signal.getsignal(signal.SIGTERM)
            environment = {key: os.environ[key] for key in DATA if key in os.environ}
            ray.init(address=self.address, runtime_env={"env_vars": environment}, log_to_driver=False, logging_level="warning")
            # Ray takes this signal for itself, also where somebody had a use for it.
            if callable(handler) and signal.getsignal(signal.SIGTERM) is not handler:
                signal.signal(signal.SIGTERM, handler)

    def __exit__(self, *_):
        for module in self.modules:
            ray.cloudpickle.unregister_pickle_by_value(module)
        if self.mine:
            ray.shutdown()
