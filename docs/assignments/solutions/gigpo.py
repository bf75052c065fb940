"""GiGPO's groups of equal states:  python3 gigpo.py rollouts.jsonl"""
import json
import sys

DISCOUNT = 0.9

with open(sys.argv[1], encoding="utf-8") as file:
    attempts = [json.loads(line) for line in file]

groups, scores = {}, {}
for attempt in attempts:
    value = 0.0
    for step in reversed(attempt["steps"]):
        value = step["return"] = step["reward"] + DISCOUNT * value
        groups.setdefault((attempt["task"], step["state"]), []).append(value)
    attempt["score"] = sum(step["reward"] for step in attempt["steps"])
    scores.setdefault(attempt["task"], []).append(attempt["score"])

print("task,trajectory,step,return,size,step_advantage,advantage")
for attempt in attempts:
    task = attempt["task"]
    episode = attempt["score"] - sum(scores[task]) / len(scores[task])
    for at, step in enumerate(attempt["steps"]):
        group = groups[task, step["state"]]
        own = step["return"] - sum(group) / len(group)
        print(task, attempt["trajectory"], at, step["return"], len(group), own, episode + own, sep=",")
