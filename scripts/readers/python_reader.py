"""The Python package as one of the readers: for each line of standard input, a JSON object with a `file` or with `columns`,
a line with `advantages` by trajectory and `remarks`, or with what was `refused`."""

import json
import sys
import warnings

import hgpo


def answer(columns, remarks=()):
    advantages = {}
    for row, number in enumerate(hgpo.advantages(columns).tolist()):
        key = json.dumps([columns["task"][row], columns["trajectory"][row]], ensure_ascii=False, separators=(",", ":"))
        advantages.setdefault(key, []).append(number)
    return {"advantages": advantages, "remarks": list(remarks)}


def read(path):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        columns = hgpo.read_rollouts(path)
    return answer(columns, [str(warning.message).removeprefix(f"{path}: ") for warning in caught])


for line in sys.stdin:
    asked = json.loads(line)
    try:
        told = read(asked["file"]) if "file" in asked else answer(asked["columns"])
    except ValueError as error:
        told = {"refused": str(error)}
    except Exception as error:  # noqa: BLE001: nothing else may be raised, so it is told as what it is
        told = {"refused": f"{type(error).__name__}: {error}"}
    print(json.dumps(told), flush=True)
