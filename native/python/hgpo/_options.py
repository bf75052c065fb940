"""The estimators and their options, as the library declares them."""

import json
from functools import lru_cache

from hgpo import _columns, _hgpo


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


def options(estimator="hgpo", *, inside=None):
    """The options of an estimator, each with its default, meaning, source, and what it can be; of dr-mas, also
    with another estimator inside than that by default.

    >>> hgpo.options("hgpo")["context_length"]["default"]
    2
    """
    all_options = declared()["estimators"]
    if estimator not in all_options:
        raise ValueError(f"unknown estimator {estimator!r}: use one of {', '.join(all_options)}")
    own = all_options[estimator]
    if inside is not None:
        default = next((option["default"] for option in own if option["name"] == "inside"), None)
        if default is None or inside not in all_options:
            raise ValueError(f"{estimator} has no {inside!r} inside: leave it out, or choose dr-mas and one of {', '.join(all_options)}")
        of_default = {option["name"] for option in all_options[default]}
        own = [option for option in own if option["name"] not in of_default] + all_options[inside]
    listed = declared()["returns"] + own
    return {option["name"]: {key: it for key, it in option.items() if key != "name"} for option in listed}


def as_json(given, estimator):
    """Options as JSON, without those that are None and are so by default; numbers of numpy as those of Python."""
    listed = [*declared()["returns"], *declared()["estimators"].get(estimator, [])]
    absent = {option["name"] for option in listed if option["default"] is None}
    given = {name: value for name, value in given.items() if value is not None or name not in absent}
    for name, value in given.items():
        if hasattr(value, "item") and getattr(value, "ndim", 0) == 0:
            value = value.item()
        if not isinstance(value, (bool, int, float, str)):
            kind = type(value).__name__
            columns = ", ".join(_columns.ALL)
            raise ValueError(f"`{name}` is of type {kind}, so no option, which is a number, a name, or True or False; columns are {columns}")
        if isinstance(value, float) and not abs(value) < float("inf"):
            raise ValueError(f"option {name} is {value}: pass a finite number")
        if isinstance(value, str) and not value.isascii():
            raise ValueError(f"option {name} is {value!a}: use one of the names in hgpo.options()")
        given = {**given, name: value}
    return json.dumps(given)
