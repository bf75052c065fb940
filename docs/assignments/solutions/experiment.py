"""Answers of the experiment:  python3 experiment.py RUNS"""
import json
import math
import pathlib
import statistics
import subprocess
import sys
import os

RUNS = pathlib.Path(sys.argv[1])
SEEDS = range(1, 11)


def rows(lane, seed, name):
    return [json.loads(line) for line in (RUNS / f"{lane}-{seed}" / name).read_text().splitlines()]


def tell(question, answer):
    print(question, answer, sep=",")


def mean_and_half(values):
    return statistics.fmean(values), 2.262157 * statistics.stdev(values) / math.sqrt(len(values))


success = {lane: [100 * statistics.fmean(row["success_rate"] for row in rows(lane, seed, "metrics.jsonl"))
                  for seed in SEEDS] for lane in ("grpo", "gigpo", "hgpo0", "hgpo")}

print("question,answer")
for lane, values in success.items():
    mean, half = mean_and_half(values)
    tell(f"mean_{lane}", mean)
    tell(f"half_{lane}", half)
for name, other in (("gigpo", "gigpo"), ("k", "hgpo0")):
    mean, half = mean_and_half([ours - theirs for ours, theirs in zip(success["hgpo"], success[other])])
    tell(f"gain_{name}", mean)
    tell(f"gain_{name}_half", half)
    tell(f"gain_{name}_certain", "yes" if abs(mean) > half else "no")
tell("ahead", sum(ours > theirs for ours, theirs in zip(success["hgpo"], success["gigpo"])))
tell("seen_hgpo", 100 * statistics.fmean(row["success_rate"] for seed in SEEDS
                                         for row in rows("hgpo", seed, "evaluations.jsonl")
                                         if row["iteration"] == 200 and row["split"] == "seen"))
trace = RUNS / "hgpo-1" / "traces" / "iteration_000010.rollouts.jsonl"
told = subprocess.run([os.environ.get("HGPO_BIN", "hgpo"), "advantages", trace, "--recorded", "--diagnostics",
                       "--format", "json"], capture_output=True, check=True).stdout
tell("alone_2", 100 * json.loads(told)["levels"][2]["singleton_fraction"])
