# Made by tests/stubs.py from the library's declarations; a test compares the two.
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

_Estimator = Literal["hgpo", "gigpo", "grpo", "rloo", "reinforce-plus-plus", "graph-gpo", "g2po", "crbc", "pgpo", "adastep", "ecpo", "gagpo", "composed", "dr-mas"]

class _Options(TypedDict, total=False):
    discount: float
    """Discount of the step returns."""
    invalid_penalty: float
    """Penalty subtracted at an invalid step."""
    context_length: int
    """Deepest level K of the hierarchy."""
    alpha: float
    """Exponent of the level weights."""
    scale: Literal["mean-std", "mean"]
    """mean-std divides by the group's standard deviation, mean does not."""
    weights: Literal["paper", "verl", "adaptive"]
    """Level weights: the paper's, those of verl-agent, or adapted to the data."""
    base_group: bool
    """Add an episode-level term (with weights verl)."""
    std: Literal["population", "sample"]
    """Divisor of the variance: n (population) or n - 1 (sample)."""
    singleton: Literal["zero", "keep"]
    """Advantage in a group of one: 0 (zero), or the value itself (keep)."""
    history: Literal["states", "summary"]
    """Compare histories by the last states, or by each step's `context`."""
    similarity: Literal["none", "edit", "embedding"]
    """Group similar states, by edit distance of their texts or by `embedding`."""
    linkage: Literal["greedy", "complete"] | None
    """Linkage of clusters of similar states (with similarity)."""
    threshold: float | None
    """Minimum similarity within a cluster (with similarity)."""
    baseline: Literal["group", "others"]
    """Compare a step with its whole group, or only with other trajectories."""
    only_level: int | None
    """The only level of the hierarchy that counts; otherwise all levels count."""
    base_std: Literal["population", "sample"]
    """Divisor of the variance in the base group."""
    base_singleton: Literal["zero", "keep"]
    """Advantage in a base group of one row: 0 (zero), or the score (keep)."""
    step_weight: float
    """Weight of the step terms."""
    episode_statistics: Literal["steps", "trajectories"]
    """Statistics of the episode term over steps or trajectories."""
    step_std: Literal["population", "sample"]
    """Divisor of the variance in step groups."""
    episode_std: Literal["population", "sample"]
    """Divisor of the variance in episode groups."""
    step_singleton: Literal["zero", "keep"]
    """Advantage of a step alone in its group: 0 (zero), or the value itself (keep)."""
    episode_singleton: Literal["zero", "keep"]
    """Advantage in a task of one row: 0 (zero), or its score (keep)."""
    task_baseline: bool
    """Subtract the task's mean before whitening."""
    graph_discount: float
    """Discount of nearness to the goal."""
    value_discount: float
    """Discount of the values of states."""
    depth: Literal["0", "1", "2", "3", "fixed-point"]
    """Number of times that Bellman's equation is applied to the values of states."""
    episode_weight: float
    """Weight of the episode term."""
    floor: float
    """Lower bound of the step term's standard deviation; 0: none."""
    failure_exponent: float
    """Exponent of the failure rate, by which the credit is multiplied."""
    shrinkage: float
    """Number of virtual visits that pull an action's value toward its state's."""
    saturation: float
    """Visits at which the gate of explained variance is three quarters open; 0: leave this factor out."""
    variance_epsilon: float
    """Added to the variance by which the explained variance is divided."""
    lambda: float
    """Decay λ of the generalised advantage."""
    state_value: Literal["returns", "potentials", "process", "recorded"]
    """What a state is worth."""
    credit: Literal["return", "action", "difference", "gae"]
    """What credit a step gets."""
    among: Literal["state", "task", "nothing"]
    """Whose credit a step's credit is compared with."""
    trust: Literal["none", "variance", "gated-variance", "actions", "failures"]
    """How far the credit is trusted."""
    return_weight: float
    """Weight of the term that compares returns among equal states, alongside the credit's."""
    inside: Literal["hgpo", "gigpo", "grpo", "rloo", "reinforce-plus-plus", "graph-gpo", "g2po", "crbc", "pgpo", "adastep", "ecpo", "gagpo", "composed", "dr-mas"]
    """Estimator used within each agent's steps."""
    mean: Literal["agent", "all"]
    """Mean over the agent's rows of the task, or over all (with grpo inside)."""
    deviation: Literal["agent", "all"]
    """Standard deviation over the agent's rows of the task, or over all (with grpo inside)."""
    turns: Literal["together", "apart", "truncated", "filled"]
    """An agent's turns compared together, or the nth ones with each other (with grpo or rloo inside)."""

class Explanation(dict[str, Any]):
    text: str

class Diagnostics(dict[str, Any]):
    text: str

def advantages(
    rewards: _Column | _Table,
    task: _Column | None = None,
    trajectory: _Column | None = None,
    state: _Column | None = None,
    *,
    step: _Column | None = None,
    valid: _Column | None = None,
    action: _Column | None = None,
    agent: _Column | None = None,
    context: _Column | None = None,
    embedding: _Column | None = None,
    value: _Column | None = None,
    success: _Column | None = None,
    estimator: _Estimator = "hgpo",
    **options: Unpack[_Options],
) -> npt.NDArray[np.float64]: ...
def explain(
    rewards: _Column | _Table,
    task: _Column | None = None,
    trajectory: _Column | None = None,
    state: _Column | None = None,
    *,
    row: int,
    step: _Column | None = None,
    valid: _Column | None = None,
    action: _Column | None = None,
    agent: _Column | None = None,
    context: _Column | None = None,
    embedding: _Column | None = None,
    value: _Column | None = None,
    success: _Column | None = None,
    estimator: _Estimator = "hgpo",
    **options: Unpack[_Options],
) -> Explanation: ...
def diagnostics(
    rewards: _Column | _Table,
    task: _Column | None = None,
    trajectory: _Column | None = None,
    state: _Column | None = None,
    *,
    step: _Column | None = None,
    valid: _Column | None = None,
    action: _Column | None = None,
    agent: _Column | None = None,
    context: _Column | None = None,
    embedding: _Column | None = None,
    value: _Column | None = None,
    success: _Column | None = None,
    estimator: _Estimator = "hgpo",
    **options: Unpack[_Options],
) -> Diagnostics: ...
def estimators() -> list[str]: ...
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
