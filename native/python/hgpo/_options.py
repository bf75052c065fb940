"""The estimators and their options, as the library declares them."""

import json
from functools import lru_cache

from hgpo import _hgpo


@lru_cache(maxsize=1)
def declared():
    """The options of the returns, and of every estimator."""
    return json.loads(_hgpo.declarations())


def estimators():
    """The names of all estimators.

    >>> hgpo.estimators()[:3]
    ['hgpo', 'gigpo', 'grpo']
    """
    return list(declared()["estimators"])


def options(estimator="hgpo"):
    """The options of an estimator, each with its default, meaning, source, and what it can be.

    >>> hgpo.options("hgpo")["context_length"]["default"]
    2
    """
    all_options = declared()["estimators"]
    if estimator not in all_options:
        raise ValueError(f"unknown estimator {estimator!r}: use one of {', '.join(all_options)}")
    listed = declared()["returns"] + all_options[estimator]
    return {option["name"]: {key: it for key, it in option.items() if key != "name"} for option in listed}


def as_json(given):
    """Options as JSON; numbers of numpy as those of Python."""
    for name, value in given.items():
        if hasattr(value, "item") and getattr(value, "ndim", 0) == 0:
            value = value.item()
        if not isinstance(value, (bool, int, float, str)):
            kind = type(value).__name__
            raise ValueError(f"option {name} is of type {kind}: pass a number, a name, or True or False")
        if isinstance(value, float) and not abs(value) < float("inf"):
            raise ValueError(f"option {name} is {value}: pass a finite number")
        if isinstance(value, str) and not value.isascii():
            raise ValueError(f"option {name} is {value!a}: use one of the names in hgpo.options()")
        given = {**given, name: value}
    return json.dumps(given)
