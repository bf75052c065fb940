"""The Python package as one of the readers: for each line of standard input, a JSON object with a `file` and names of its columns (`named`), or with `columns`,
a line with `advantages` by trajectory and `remarks`, or with what was `refused`."""

import json
import sys
import warnings

import hgpo


def named_columns(text):
    return dict(pair.split("=") for pair in text.split(",")) if text else None


def answer(asked):
    path = asked.get("file")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        columns = asked["columns"] if path is None else hgpo.read_rollouts(path, named_columns(asked.get("named")))
        found = hgpo.advantages(columns).tolist()
    advantages = {}
    for row, number in enumerate(found):
        key = json.dumps([columns["task"][row], columns["trajectory"][row]], ensure_ascii=False, separators=(",", ":"))
        advantages.setdefault(key, []).append(number)
    return {"advantages": advantages, "remarks": [str(warning.message).removeprefix(f"{path}: ") for warning in caught]}


for line in sys.stdin:
    try:
        told = answer(json.loads(line))
    except ValueError as error:
        told = {"refused": str(error)}
    except Exception as error:  # noqa: BLE001: nothing else may be raised, so it is told as what it is
        told = {"refused": f"{type(error).__name__}: {error}"}
    print(json.dumps(told), flush=True)
