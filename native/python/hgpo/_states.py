"""States that are no texts: which of them are equal."""

import numpy as np


def numbers(column):
    """Texts as they are; where there are other things, such as grids and images, a number for every different one."""
    entries = list(column) if isinstance(column, (list, tuple)) else [column[row] for row in range(len(column))]
    if all(isinstance(entry, str) for entry in entries):
        return entries
    known = {}
    return np.array([known.setdefault(hashable(entry), len(known)) for entry in entries], dtype=np.int64)


def hashable(entry):
    """What equal states have in common, as verl-agent compares them: arrays by their numbers alone, dictionaries
    whatever the order of their keys, 1 like 1.0."""
    if isinstance(entry, np.ndarray):
        return tuple(entry.flatten().tolist())
    if isinstance(entry, (list, tuple)):
        return tuple(hashable(one) for one in entry)
    if isinstance(entry, dict):
        fields = ((key, hashable(value)) for key, value in entry.items())
        return tuple(sorted(fields, key=lambda field: repr(field[0])))
    return entry.item() if hasattr(entry, "item") else entry
