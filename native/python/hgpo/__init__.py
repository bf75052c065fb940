"""Step-level advantages for language-model agents, and environments to train them in.

A batch is columns with an entry for each step: ``rewards``, ``task`` (attempts at one task are
compared), ``trajectory`` (an attempt) and ``state`` (what the agent saw). With R_t = Σ_{j≥t} γ^{j−t} r_j,
the discounted return of a step, HGPO compares it in nested groups of steps with the same last k + 1
states:

    A = Σ_k w_k (R − mean of G_k) / (σ of G_k + 1e-6),    w_k = (k + 1)^α / Σ_l (l + 1)^α

>>> import hgpo
>>> hgpo.advantages([0, 10, 0, 0], ["t"] * 4, ["a", "a", "b", "b"], ["home", "shop", "home", "shop"])
array([ 0.99999979,  0.9999998 , -0.99999979, -0.9999998 ])
"""

from hgpo._advantages import Diagnostics, Explanation, advantages, diagnostics, explain
from hgpo._files import annotate_rollouts, read_rollouts, write_rollouts
from hgpo._options import estimators, options

__all__ = [
    "Diagnostics",
    "Explanation",
    "advantages",
    "annotate_rollouts",
    "diagnostics",
    "estimators",
    "explain",
    "options",
    "read_rollouts",
    "write_rollouts",
]
