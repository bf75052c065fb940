"""Columns in the forms that people have, brought into the few that the compiled part reads."""

import json
import sys
from collections.abc import Sequence

import numpy as np

from hgpo import _hgpo

TEXTS = ("task", "trajectory", "state", "action", "agent", "context", "observation", "prompt", "response", "environment")
NEEDED = ("rewards", "task", "trajectory", "state")
NUMBERS = ("rewards", "value")
FLAGS = ("valid", "success")
ALL = (*NEEDED, "step", "valid", "action", "agent", "context", "embedding", "value", "success")

MOST_BYTES = 1 << 33
"""Most bytes of a column that is copied: an array may say that it is larger than it is."""

MOST_ROWS = 1 << 24
"""Most rows of a call, 16.8 million: an estimator that compares tasks takes some 6 GB for them."""


def rows(rewards, columns, known=ALL):
    """The rows of columns, or of a table in their place, whose other columns than `known` are passed over."""
    columns = {name: column for name, column in columns.items() if column is not None}
    there = columns
    if is_table(rewards):
        there = names_of(rewards)
        try:
            found = {name: column_of(name, there) for name in known}
            of_table = {name: rewards[column] for name, column in found.items() if column is not None}
            padding = "active_masks" in there and not np.all(np.asarray(rewards["active_masks"]) == 1)
        except TypeError:
            kind = type(rewards).__name__
            raise ValueError(f"the table is of type {kind}, whose columns are not at hand: pass a DataFrame (`.collect()`)") from None
        if padding:
            raise ValueError("rows with `active_masks` false pad episodes that have ended: leave them out")
        columns = {**of_table, **columns}
    elif rewards is not None:
        columns["rewards"] = rewards
    for name in NEEDED:
        if name not in columns:
            has = ", ".join(sorted(there)) or "nothing"
            raise ValueError(f"`{name}` is missing (there is {has}): pass the columns {', '.join(NEEDED)}")
    lengths = {name: length(name, column) for name, column in columns.items()}
    count = lengths["rewards"]
    for name, other in lengths.items():
        if other != count:
            raise ValueError(f"`{name}` has {other} rows, but `rewards` has {count}: pass one entry per step in every column")
    if count == 0:
        raise ValueError("no rows: at least one step is needed")
    if count > MOST_ROWS:
        remedy = "pass tasks in several calls, as they do not influence each other (but with reinforce-plus-plus)"
        raise ValueError(f"{count} rows, and {MOST_ROWS} are the most: {remedy}")
    return _hgpo.Rows({name: clean(name, column) for name, column in columns.items()})


def is_table(given):
    """Whether something has columns by name: a dictionary, a DataFrame, a table of Arrow."""
    return isinstance(given, dict) or hasattr(given, "columns") or hasattr(given, "column_names")


def column_of(name, there):
    """The column of a table that holds what is called so here: by this name, or as files call it."""
    if name in ("rewards", "value") and name in there:
        return name
    return _hgpo.column_of({"rewards": "reward", "value": "state_value"}.get(name, name), there)


def names_of(table):
    names = table if isinstance(table, dict) else getattr(table, "column_names", None)
    return {str(name) for name in (table.columns if names is None else names)}


def length(name, column):
    if isinstance(column, (str, bytes)) or not hasattr(column, "__len__"):
        kind = type(column).__name__
        raise ValueError(f"`{name}` is of type {kind}: pass a column with an entry for each step")
    try:
        return len(column)
    except TypeError:
        raise ValueError(f"`{name}` is a single value: pass a column with an entry for each step") from None


def clean(name, column):
    if isinstance(column, np.ma.MaskedArray):
        if np.ma.is_masked(column):
            row = int(np.argmax(np.ma.getmaskarray(column).reshape(len(column), -1).any(axis=1)))
            raise ValueError(f"row {row}: `{name}` is masked: fill it in, or leave the row out")
        column = column.data
    if name in TEXTS:
        return text(name, column)
    if name == "value":
        return value(name, column)
    if name in NUMBERS:
        return number(name, column)
    if name in FLAGS:
        return flag(name, column)
    if name in _hgpo.TOKEN_FIELDS:
        return tokens(name, column)
    return step(name, column) if name == "step" else embedding(name, column)


def text(name, column):
    """A list of objects, integers, the characters of fixed-width texts, or codes and what they mean."""
    coded = codes(column)
    if coded is not None:
        return coded
    if not isinstance(column, list):
        column = column if isinstance(column, np.ndarray) else as_array(name, column)
        if column.ndim != 1:
            raise ValueError(f"`{name}` has {column.ndim} dimensions: pass one text a step")
        if column.dtype.kind == "U":
            fits(name, column, "objects, which share equal texts")
            native = np.ascontiguousarray(column, dtype=column.dtype.newbyteorder("="))
            width = native.dtype.itemsize // 4
            return native.view(np.uint32).reshape(len(native), width) if width else [""] * len(native)
        if column.dtype.kind in "iu" and (not is_largest(column) or column.max(initial=0) < 2**63):
            return np.ascontiguousarray(column, dtype=np.int64)
        if column.dtype.kind == "f" and 0 < np.isnan(column).sum() < len(column):
            # What data frames make of whole numbers where some are missing.
            row = int(np.argmax(np.isnan(column)))
            raise ValueError(f"row {row}: `{name}` is missing: pass text, or whole numbers")
        if column.dtype.kind in "fcbmMSV":
            raise ValueError(f"row 0: `{name}` is of type {column.dtype}: pass text, or whole numbers")
        column = column.tolist()
    else:
        # A list of its own, which nobody changes meanwhile.
        column = list(column)
    return column


def codes(column):
    """Numbers of distinct texts, where the column is encoded so, or is easily."""
    if hasattr(column, "to_arrow") and hasattr(column, "n_unique"):  # polars
        column = column.to_arrow()
    if hasattr(column, "cat") and hasattr(column.cat, "codes"):  # pandas: categories
        return codes_of(column.cat.codes, column.cat.categories)
    if hasattr(column, "dictionary_encode") or hasattr(column, "combine_chunks"):
        return of_arrow(column)
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(column, (pandas.Series, pandas.Index)):
        if isinstance(column.dtype, pandas.StringDtype):
            return codes_of(*column.factorize())
        return None
    if hasattr(column, "__arrow_c_array__") and not isinstance(column, np.ndarray):
        import pyarrow

        return of_arrow(pyarrow.array(column))
    return None


def of_arrow(column):
    column = column.combine_chunks() if hasattr(column, "combine_chunks") else column
    if hasattr(column, "num_chunks"):  # still in several, or in none
        column = column.chunk(0) if column.num_chunks == 1 else column.unify_dictionaries()
    if not hasattr(column, "dictionary"):
        kind = str(column.type)
        if kind not in ("string", "large_string", "string_view"):
            return None
        column = column.dictionary_encode()
    if not hasattr(column, "dictionary"):
        return None
    places = column.indices.cast("int64").fill_null(-1).to_numpy(zero_copy_only=False)
    return codes_of(places, column.dictionary.to_pylist())


def codes_of(places, meant):
    places, meant = np.ascontiguousarray(places, dtype=np.int64), list(meant)
    try:
        "".join(meant).encode()
    except (TypeError, UnicodeEncodeError):
        # Numbers, or what is refused by its row.
        return [meant[place] if place >= 0 else None for place in places.tolist()]
    return places, meant


def is_largest(array):
    """Whether numbers of an array may be beyond those of 64 bits with a sign."""
    return array.dtype.kind == "u" and array.dtype.itemsize == 8


def fits(name, array, remedy):
    """Checks, before memory is asked for, that a copy of an array is not too large."""
    if array.nbytes > MOST_BYTES:
        raise ValueError(f"`{name}` would take {array.nbytes / 1e9:.0f} GB, and {MOST_BYTES / 1e9:.0f} are the most: pass {remedy}")


def as_array(name, column):
    try:
        if hasattr(column, "to_numpy"):
            copies = {"zero_copy_only": False} if hasattr(column, "null_count") and hasattr(column, "buffers") else {}  # Arrow
            return np.asarray(column.to_numpy(**copies))
        if hasattr(column, "detach"):  # a tensor
            column = column.detach().cpu()
        if isinstance(column, Sequence):
            return np.fromiter(column, dtype=object, count=len(column))
        return np.asarray(column)
    except (TypeError, ValueError, RuntimeError) as error:
        raise ValueError(f"`{name}` cannot be made an array: {error}; pass a list or an array of numpy") from None


def array_of(name, column):
    if isinstance(column, Sequence):
        column = np.fromiter(column, dtype=object, count=len(column))
    array = column if isinstance(column, np.ndarray) else as_array(name, column)
    if array.ndim != 1:
        raise ValueError(f"`{name}` has {array.ndim} dimensions: pass one entry per step")
    return array


def plain(entry):
    """A number of numpy as one of Python."""
    return entry.item() if isinstance(entry, np.generic) else entry


def refuse_first(name, array, wanted, fits):
    """Names the first entry that is not what is wanted."""
    for row, entry in enumerate(map(plain, array.tolist())):
        if not fits(entry):
            shown = repr(entry) if isinstance(entry, (int, float, str)) else type(entry).__name__
            raise ValueError(f"row {row}: `{name}` is {shown[:60]}, not {wanted}: correct it, or leave the row out")
    raise ValueError(f"row 0: `{name}` is of type {array.dtype}, not {wanted}: correct it")


def is_number(entry):
    try:
        return isinstance(entry, (int, float)) and abs(float(entry)) < float("inf")
    except OverflowError:
        return False


def number(name, column):
    array = array_of(name, column)
    if array.dtype.kind == "O" and not all(isinstance(entry, (int, float, np.number, np.bool_)) for entry in array.tolist()):
        refuse_first(name, array, "a finite number", is_number)
    try:
        numbers = np.ascontiguousarray(array, dtype=np.float64) if array.dtype.kind in "fiubO" else None
    except (TypeError, ValueError, OverflowError):
        numbers = None
    if numbers is None or not np.isfinite(numbers).all():
        refuse_first(name, array, "a finite number", is_number)
    return numbers


def value(name, column):
    """Numbers, of which None are holes (NaN): estimators that need them all refuse the row, others do not look."""
    array = array_of(name, column)
    holes = np.fromiter((entry is None for entry in array.tolist()), dtype=bool, count=len(array)) if array.dtype.kind == "O" else np.zeros(0, dtype=bool)
    if not holes.any():
        return number(name, array)
    filled = array.copy()
    filled[holes] = 0.0
    numbers = number(name, filled)
    numbers[holes] = np.nan
    return numbers


def flag(name, column):
    array = array_of(name, column)
    if array.dtype.kind == "b":
        return np.ascontiguousarray(array)
    known = array.dtype.kind in "iufO"
    if known:
        try:
            true, false = np.asarray(array == 1), np.asarray(array == 0)
            known = true.shape == array.shape and bool((true | false).all())
        except (TypeError, ValueError):
            known = False
    if not known:
        refuse_first(name, array, "True or False", lambda entry: isinstance(entry, (bool, int, float)) and entry in (0, 1))
    return np.ascontiguousarray(true, dtype=bool)


def step(name, column):
    array = array_of(name, column)
    whole = array.dtype.kind in "iuO"
    try:
        with np.errstate(invalid="ignore"):
            numbers = np.ascontiguousarray(array, dtype=np.int64)
        if array.dtype.kind in "fO":
            whole = bool((numbers == array).all())
        elif is_largest(array):
            whole = bool((array <= np.uint64(2**63 - 1)).all())
    except (TypeError, ValueError, OverflowError):
        whole = False
    if not whole:
        wanted = "a whole number below 2**63"
        refuse_first(name, array, wanted, lambda entry: isinstance(entry, (int, float)) and entry == entry // 1 and abs(entry) < 2**63)
    return numbers


def embedding(name, column):
    if hasattr(column, "detach"):
        column = column.detach().cpu()
    if not isinstance(column, np.ndarray) or column.dtype.kind == "O":
        column = [None if entry is None else numbers_of(name, row, entry) for row, entry in enumerate(column)]
        lengths = np.fromiter((-1 if entry is None else len(entry) for entry in column), dtype=np.int64, count=len(column))
        if lengths.min() < 1 or lengths.min() < lengths.max():
            return uneven(name, column, lengths)
    array = np.asarray(column)
    if array.dtype.kind not in "fiu" or array.ndim != 2 or array.shape[1] == 0:
        raise ValueError(f"`{name}` is of shape {array.shape} and type {array.dtype}: pass a row of numbers for each step")
    fits(name, array, "fewer numbers a row")
    finite = np.isfinite(array).all(axis=1)
    if not finite.all():
        row = int(np.argmin(finite))
        raise ValueError(f"row {row}: `{name}` holds a number that is not finite: correct it, or leave the row out")
    return np.ascontiguousarray(array, dtype=np.float64)


def uneven(name, column, lengths):
    """Numbers row after row and how many each has, -1 for none: whoever compares them refuses the row, others do not look."""
    for row, entry in enumerate(column):
        if entry is not None and not np.isfinite(entry).all():
            raise ValueError(f"row {row}: `{name}` holds a number that is not finite: correct it, or leave the row out")
    return np.concatenate([np.zeros(0), *(entry for entry in column if entry is not None)]), lengths


def tokens(name, column):
    """A JSON text for each row that has a list of numbers, or of texts in ``response_tokens``."""
    texts = name == "response_tokens"

    def is_right(entry):
        return isinstance(entry, str) if texts else isinstance(entry, (int, float)) and not isinstance(entry, bool)

    def text_of(row, entry):
        if entry is None:
            return None
        entry = entry.tolist() if hasattr(entry, "tolist") else entry  # an array, a tensor
        try:
            entries = None if isinstance(entry, str) else list(map(plain, entry))
            if entries is not None and all(map(is_right, entries)):
                return json.dumps(entries, allow_nan=False)
        except (TypeError, ValueError):
            pass
        kind, one = ("texts", "text") if texts else ("finite numbers", "number")
        raise ValueError(f"row {row}: `{name}` is not a list of {kind}: pass one {one} a token, or None")

    return [text_of(row, entry) for row, entry in enumerate(column)]


def numbers_of(name, row, entry):
    try:
        numbers = np.asarray(entry, dtype=np.float64)
    except (TypeError, ValueError):
        numbers = None
    if numbers is None or numbers.ndim != 1:
        raise ValueError(f"row {row}: `{name}` is of type {type(entry).__name__}: pass a row of numbers for each step")
    return numbers
