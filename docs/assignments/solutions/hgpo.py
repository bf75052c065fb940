"""Advantages of HGPO for a trace:  python3 hgpo.py TRACE"""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    made, *attempts = map(json.loads, file)  # the first line says how the trace was made
discount, penalty = made["discount"], made["invalid_penalty"]
longest, alpha = made["estimator"]["context_length"], made["estimator"]["alpha"]


def context(attempt, at, level):
    """The state of a step with the `level` states before it, of the same task."""
    return attempt["task"], *(step["state"] for step in attempt["steps"][at - level : at + 1])


groups = {}
for attempt in attempts:
    value = 0.0
    for at, step in reversed(list(enumerate(attempt["steps"]))):
        value = step["reward"] + discount * value
        step["return"] = value - (0 if step["valid"] else penalty)
        for level in range(min(at, longest) + 1):
            groups.setdefault(context(attempt, at, level), []).append(step["return"])


def advantage(attempt, at):
    total = weights = 0.0
    for level in range(min(at, longest) + 1):
        group = groups[context(attempt, at, level)]
        deviation = attempt["steps"][at]["return"] - sum(group) / len(group)
        if abs(deviation) > 1e-9:  # 0 but for rounding: alone, or nothing to tell
            total += (level + 1) ** alpha * deviation
            weights += (level + 1) ** alpha
    return total / weights if weights else 0.0


print("task,trajectory,step,advantage")
for attempt in attempts:
    for at in range(len(attempt["steps"])):
        print(attempt["task"], attempt["trajectory"], at, advantage(attempt, at), sep=",")
