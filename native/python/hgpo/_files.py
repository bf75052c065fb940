"""Rollouts files, as columns."""

import os
import warnings

import numpy as np

from hgpo import _columns, _hgpo


def read_rollouts(path, columns=None, state="last-observation", group_size=None):
    """The rows of a rollouts file (JSON Lines of trajectories, rows or conversations, CSV, either of them
    with gzip, or Parquet), as a dictionary of columns that `advantages` takes:
    ``hgpo.advantages(hgpo.read_rollouts("rollouts.csv"))``.

    `columns` names those of the file that are called otherwise: ``{"task": "group", "reward": "score"}``.
    `state` is what of a conversation is the state of a step: ``last-observation`` (what was said since the
    assistant's last turn), ``transcript`` (all before the turn), or ``tool-result`` (the last one).
    `group_size` is how many trajectories each task should have: a warning tells of tasks with another number.

    There are ``task``, ``trajectory``, ``step``, ``state``, ``rewards`` and ``valid``, and those of
    ``action``, ``agent``, ``context``, ``embedding``, ``value``, ``success``, ``environment``,
    ``observation``, ``prompt`` and ``response`` that some row has; so are the fields of tokens
    (``prompt_ids``, ``response_ids``, ``response_tokens``, ``response_mask``, ``rollout_log_probs``,
    ``old_log_probs``, ``new_log_probs``, ``new_entropies``, ``ref_log_probs``, ``token_advantages``), as a list
    of one list a row, or None. Other fields are not read.
    """
    path = os.fsdecode(path)
    read, remarks = _hgpo.read_rollouts(path, dict(columns or {}), state, group_size)
    for remark in remarks:
        warnings.warn(f"{path}: {remark}", stacklevel=2)
    for name, column in read.items():
        if name in _columns.TEXTS:
            read[name] = np.fromiter(column, dtype=object, count=len(column))
        elif name in _hgpo.TOKEN_FIELDS:
            continue
        elif None not in column and (name != "embedding" or len(set(map(len, column))) == 1):
            read[name] = np.asarray(column)
    return read


def write_rollouts(path, rewards, task=None, trajectory=None, state=None, **columns):
    """Writes rows as a rollouts file, one trajectory a line, which the page, `hgpo advantages` and
    `read_rollouts` open. Columns are those of `read_rollouts`, those of tokens too, or a table that has them."""
    known = (*_columns.ALL, *_columns.TEXTS, *_hgpo.TOKEN_FIELDS)
    for name in columns:
        if name not in known:
            raise ValueError(f"there is no column `{name}`: use {', '.join(dict.fromkeys(known))}")
    columns = dict(task=task, trajectory=trajectory, state=state, **columns)
    _columns.rows(rewards, columns, known).write(os.fsdecode(path))


def annotate_rollouts(path, into, advantages, columns=None, state="last-observation"):
    """Writes the log at `path` to the new file `into` with an ``advantage`` for every step, in the log's own form
    and format: ``hgpo.annotate_rollouts(log, new, hgpo.advantages(hgpo.read_rollouts(log)))``. Nothing else
    changes in it. `advantages` has one number for each row of `read_rollouts`, in its order; `columns` and
    `state` are those that the log was read with."""
    numbers = _columns.number("advantages", advantages)
    _hgpo.annotate_rollouts(os.fsdecode(path), os.fsdecode(into), numbers, dict(columns or {}), state)
