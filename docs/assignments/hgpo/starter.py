"""Advantages of HGPO for a trace:  python3 mine.py TRACE"""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    made, *attempts = map(json.loads, file)  # the first line says how the trace was made
discount, penalty = made["discount"], made["invalid_penalty"]
longest, alpha = made["estimator"]["context_length"], made["estimator"]["alpha"]

# Returns: from the last step of an attempt to the first.
# Groups: for every level, the returns of the steps with the same context.
# Advantages: the weighted sum over the levels that say something.


def advantage(attempt, at):
    return 0.0


print("task,trajectory,step,advantage")
for attempt in attempts:
    for at in range(len(attempt["steps"])):
        print(attempt["task"], attempt["trajectory"], at, advantage(attempt, at), sep=",")
