"""Advantages, why they are what they are, and what groups there were."""

import json
import warnings

from hgpo import _columns, _options


class Explanation(dict):
    """Where an advantage comes from: what `hgpo advantages --explain` tells, as a dictionary of the
    library's terms; printed, it is the sentence and the sums."""

    def __init__(self, fields, text):
        super().__init__(fields)
        self.text = text

    def __str__(self):
        return self.text


class Diagnostics(dict):
    """How much signal a batch carries: ``levels`` (for each: steps, groups, sizes, fractions of
    singletons and of constant groups, context inconsistency), ``advantage``, ``no_signal_fraction``;
    printed, it is a table."""

    def __init__(self, fields, text):
        super().__init__(fields)
        self.text = text

    def __str__(self):
        return self.text


def rows_of(rewards, columns, estimator, given):
    # `composed` has an option of this name; the column is `value`.
    return _columns.rows(rewards, columns), _options.as_json(given, estimator)


def advantages(
    rewards, task=None, trajectory=None, state=None, *, step=None, valid=None, action=None, agent=None,
    context=None, embedding=None, value=None, success=None, estimator="hgpo", **options,
):
    """The advantage of every step, in the order of the rows.

    With R_t = Σ_{j≥t} γ^{j−t} r_j less the penalty of an invalid step, G_k(s_t) the steps of the task with
    the same context (s_{t−k}, …, s_t), and L the levels with more than one step and a deviation that is not
    exactly 0, HGPO gives

        A_t = Σ_{k∈L} w_k (R_t − mean of G_k) / (σ of G_k + 1e-6),   w_k = (k+1)^α / Σ_{l∈L} (l+1)^α

    and 0 where L is empty (arXiv 2602.22817). Other estimators have formulas of their own
    (`hgpo.estimators()`).

    Parameters
    ----------
    rewards : immediate reward of each step; or a table (a DataFrame, a table of Arrow, a dictionary) with
        the columns below, by these names or those that files have (`reward`, `uid`, `traj_uid`, `anchor_obs`, …).
    task, trajectory, state : the task, the attempt at it, and what the agent saw, which is compared for
        equality. Text or whole numbers: arrays of any of numpy's kinds of text, lists, columns of pandas,
        polars or Arrow. Trajectories of different tasks may share names.
    step : number of the step in its trajectory; else the order of the rows is that of time.
    valid : whether the response kept the format; an invalid one costs `invalid_penalty`, at its step.
    action, agent, context, embedding, value : for estimators that compare actions, agents, summaries of the
        past, embeddings of states, or recorded values of states.
    success : whether the trajectory achieved its task; else whether its rewards add up to more than 0.
    estimator : one of `hgpo.estimators()`.
    **options : those of `hgpo.options(estimator)`, such as `context_length=2`, `alpha=1.0`,
        `scale="mean-std"`, `discount=0.95`, `invalid_penalty=0.1`.

    Returns
    -------
    numpy.ndarray : float64, one number a row. While it is computed, other threads go on.

    Raises
    ------
    ValueError : with the row, from 0, and what to do.

    Warns
    -----
    UserWarning : hardly any step (at most one in ten) has an advantage, and why.

    Examples
    --------
    Three attempts end in the same state, two of them by the same way. Its returns are 6, 0 and 3; by the
    mean alone, the first is 3 above at both levels.

    >>> import hgpo
    >>> walk = {"rewards": [0, 6, 0, 0, 0, 3], "task": ["g"] * 6, "trajectory": list("aabbcc"),
    ...         "state": ["x", "s", "x", "s", "y", "s"]}
    >>> hgpo.advantages(walk, context_length=1, scale="mean")[[1, 3, 5]]
    array([ 3., -3.,  0.])
    """
    columns = dict(
        task=task, trajectory=trajectory, state=state, step=step, valid=valid, action=action, agent=agent,
        context=context, embedding=embedding, value=value, success=success,
    )
    rows, given = rows_of(rewards, columns, str(estimator), options)
    found, remark = rows.advantages(str(estimator), given)
    # A single level of several may well have nothing to compare.
    if remark is not None and "only_level" not in options:
        warnings.warn(remark, stacklevel=2)
    return found


def explain(rewards, task=None, trajectory=None, state=None, *, row, estimator="hgpo", step=None, valid=None,
            action=None, agent=None, context=None, embedding=None, value=None, success=None, **options):
    """Where the advantage of a row comes from: its return, every group that it was compared with, the
    weights and the sum. Columns and options are those of `advantages`; the sum is its number, bit for bit.

    >>> why = hgpo.explain([0, 10, 0, 0], ["t"] * 4, ["a", "a", "b", "b"],
    ...                    ["home", "shop", "home", "shop"], row=1, scale="mean")
    >>> why["advantage"], [term["size"] for term in why["terms"]]
    (5.0, [2, 2])
    """
    columns = dict(
        task=task, trajectory=trajectory, state=state, step=step, valid=valid, action=action, agent=agent,
        context=context, embedding=embedding, value=value, success=success,
    )
    rows, given = rows_of(rewards, columns, str(estimator), options)
    if isinstance(row, bool) or not hasattr(row, "__index__") or not 0 <= int(row) < 2**32:
        raise ValueError(f"row {row!r}: pass the number of a row, from 0")
    found, text = rows.explain(int(row), str(estimator), given)
    return Explanation(json.loads(found), text)


def diagnostics(
    rewards, task=None, trajectory=None, state=None, *, step=None, valid=None, action=None, agent=None,
    context=None, embedding=None, value=None, success=None, estimator="hgpo", **options,
):
    """How much signal a batch carries under an estimator: the numbers to log beside a loss. Columns and
    options are those of `advantages`.

    >>> found = hgpo.diagnostics([0, 10, 0, 0], ["t"] * 4, ["a", "a", "b", "b"],
    ...                          ["home", "shop", "home", "garden"])
    >>> found["no_signal_fraction"], found["levels"][0]["singleton_fraction"]
    (0.5, 0.5)
    """
    columns = dict(
        task=task, trajectory=trajectory, state=state, step=step, valid=valid, action=action, agent=agent,
        context=context, embedding=embedding, value=value, success=success,
    )
    rows, given = rows_of(rewards, columns, str(estimator), options)
    found, text = rows.diagnostics(str(estimator), given)
    return Diagnostics(json.loads(found), text)
