"""Writes the types of the package's functions, with the options that the library declares, and those of its
environments, with the settings of the registry:

    python tests/stubs.py
"""

import pathlib

import hgpo
import hgpo.envs
from hgpo import _options

HEAD = '''# Made by tests/stubs.py from the library's declarations; a test compares the two.
from collections.abc import Mapping
from os import PathLike
from typing import Any, Literal, Protocol, TypedDict, Unpack

import numpy as np
import numpy.typing as npt

class _Column(Protocol):
    """Lists, numpy arrays, tensors, and columns of pandas, polars and Arrow."""

    def __len__(self) -> int: ...

class _Table(Protocol):
    """Dictionaries of columns, DataFrames, Arrow tables."""

    def __getitem__(self, name: str, /) -> Any: ...

'''

FUNCTION = '''def {name}(
    rewards: _Column | _Table,
    task: _Column | None = None,
    trajectory: _Column | None = None,
    state: _Column | None = None,
    *,
{own}    step: _Column | None = None,
    valid: _Column | None = None,
    action: _Column | None = None,
    agent: _Column | None = None,
    context: _Column | None = None,
    embedding: _Column | None = None,
    value: _Column | None = None,
    success: _Column | None = None,
    estimator: _Estimator = "hgpo",
    **options: Unpack[_Options],
) -> {result}: ...
'''

TAIL = '''def estimators() -> list[str]: ...
def options(estimator: _Estimator = "hgpo", *, inside: _Estimator | None = None) -> dict[str, dict[str, Any]]: ...
def read_rollouts(
    path: str | bytes | PathLike[str], columns: Mapping[str, str] | None = None,
    state: Literal["last-observation", "transcript", "tool-result"] = "last-observation",
    group_size: int | None = None,
) -> dict[str, Any]: ...
def annotate_rollouts(
    path: str | bytes | PathLike[str], into: str | bytes | PathLike[str], advantages: _Column,
    columns: Mapping[str, str] | None = None,
    state: Literal["last-observation", "transcript", "tool-result"] = "last-observation",
) -> None: ...
def write_rollouts(
    path: str | bytes | PathLike[str],
    rewards: _Column | _Table,
    task: _Column | None = None,
    trajectory: _Column | None = None,
    state: _Column | None = None,
    **columns: _Column,
) -> None: ...
'''


def literal(names):
    return "Literal[" + ", ".join(f'"{name}"' for name in names) + "]"


def options():
    """The options of all estimators by name, with what any of them admits."""
    declared = _options.declared()
    types = {}
    for option in declared["returns"] + [option for of in declared["estimators"].values() for option in of]:
        kinds = {"integer": "int", "number": "float", "flag": "bool"}
        kind = kinds.get(option["kind"]) or literal(option["choices"])
        kind += "" if option["default"] is not None else " | None"
        types.setdefault(option["name"], (kind, option["meaning"]))
    return types


def stubs():
    lines = [HEAD, f"_Estimator = {literal(hgpo.estimators())}\n\n", "class _Options(TypedDict, total=False):\n"]
    for name, (kind, meaning) in options().items():
        lines.append(f"    {name}: {kind}\n    \"\"\"{meaning}.\"\"\"\n")
    for name in ("Explanation", "Diagnostics"):
        lines.append(f"\nclass {name}(dict[str, Any]):\n    text: str\n")
    lines.append("\n")
    results = (("advantages", "npt.NDArray[np.float64]", ""), ("explain", "Explanation", "    row: int,\n"), ("diagnostics", "Diagnostics", ""))
    for name, result, own in results:
        lines.append(FUNCTION.format(name=name, result=result, own=own))
    return "".join(lines) + TAIL


ENVIRONMENTS = '''# Made by tests/stubs.py from the registry; a test compares the two.
from collections.abc import Sequence
from os import PathLike
from typing import Any, Literal

from gymnasium.vector import AutoresetMode

from hgpo.envs._single import TextEnv as TextEnv
from hgpo.envs._text import AnyText as AnyText
from hgpo.envs._vector import GroupedVectorEnv as GroupedVectorEnv

def environments() -> dict[str, dict[str, Any]]: ...
'''

ENVIRONMENT = '''
class {name}({base}):
    """{summary}."""

    def __init__(
        self,
{own}        split: {splits} = "train",
{star}        data: str | PathLike[str] | None = None,
        max_steps: int | None = {max_steps},
        success_reward: float | None = {success_reward},
        original: bool = False,
        render_mode: Literal["ansi"] | None = None,
{settings}    ) -> None: ...
'''

VECTOR = '''        env_num: int,
        group_n: int = 1,
        *,
        seed: int = 0,
        autoreset: AutoresetMode = ...,
        threads: int = 0,
'''


def environment_stubs():
    made = [ENVIRONMENTS]
    for name, entry in hgpo.envs.environments().items():
        settings = entry["table"]["settings"] if entry["table"] else {}
        lines = [f"        {key}: {kind_of(default)} = {default!r},\n" for key, default in settings.items()]
        told = {key: entry[key] for key in ("summary", "max_steps", "success_reward")}
        told.update(splits=literal(entry["splits"]), settings="".join(lines))
        made.append(ENVIRONMENT.format(name=name, base="TextEnv", own="", star="        *,\n", **told))
        made.append(ENVIRONMENT.format(name=name + "Vec", base="GroupedVectorEnv", own=VECTOR, star="", **told))
    return "".join(made)


def kind_of(default):
    return "Sequence[int]" if isinstance(default, list) else type(default).__name__


if __name__ == "__main__":
    source = pathlib.Path(__file__).parent.parent / "hgpo"
    (source / "__init__.pyi").write_text(stubs())
    (source / "envs/__init__.pyi").write_text(environment_stubs())
