"""Work dealt out by Ray: ``python -m hgpo.ray compare STUDY.toml`` runs each run of a study as a task, and
``python -m hgpo.ray train`` deals the work of one run out to actors.

Runs are those of `hgpo compare` and `hgpo train`, and come to the same numbers and the same files. `compare` and `train` do it
from Python.
"""

import importlib

__all__ = ["compare", "train"]

NEEDED = {"ray": "Ray: pip install ray", "hgpo_train": "hgpo-train: pip install ./native/python-train"}


def __getattr__(name):
    # Ray is asked for once it is needed.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(importlib.import_module(f"hgpo.ray._{name}"), name)
    except ImportError as error:
        raise needed(error) from None


def needed(error):
    """What is missing, and how to get it."""
    if error.name not in NEEDED:
        return error
    return ImportError(f"hgpo.ray needs {NEEDED[error.name]}", name=error.name)
