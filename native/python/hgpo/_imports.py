"""What is done to modules of others once they are there."""

import importlib.abc
import sys


class _Awaiting(importlib.abc.MetaPathFinder):
    """Finds awaited modules as others do, and acts on them once they are there."""

    def __init__(self):
        self.acts = {}

    def find_spec(self, name, path=None, target=None):
        act = self.acts.get(name)
        if act is None:
            return None
        others = (finder.find_spec(name, path, target) for finder in sys.meta_path if finder is not self and hasattr(finder, "find_spec"))
        spec = next((spec for spec in others if spec is not None), None)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def exec_module(module):
                execute(module)
                act(module)

            spec.loader.exec_module = exec_module
        return spec


_awaiting = _Awaiting()


def await_import(name, act):
    """Has `act` called with the module of this name whenever it is imported from now on."""
    _awaiting.acts[name] = act
    if _awaiting not in sys.meta_path:
        sys.meta_path.insert(0, _awaiting)
