"""Reads the runs of the experiment, and refuses those with other settings than asked for."""
import json
import tomllib

from .wrong import Wrong

LANES = {"grpo": ("grpo", None), "gigpo": ("gigpo", None), "hgpo0": ("hgpo", 0), "hgpo": ("hgpo", 2)}
SEEDS = range(1, 11)
ITERATIONS = 200
# What every run shares: the place of a setting, and its value.
SHARED = {
    ("environment", "gridworld", "world"): "switchback",
    ("environment", "gridworld", "slip"): 0.2,
    ("environment", "gridworld", "sight"): "labels",
    ("learn", "iterations"): ITERATIONS,
    ("learn", "discount"): 0.95,
    ("learn", "normalize_advantages"): True,
    ("rollout", "tasks"): 8,
    ("rollout", "group_size"): 8,
}


def place(folder, lane, seed):
    found = folder / f"{lane}-{seed}"
    if not (found / "metrics.jsonl").is_file():
        raise Wrong(f"there is no run {found}: train it with --name {lane}-{seed}")
    return found


def setting(config, path):
    for part in path:
        config = config.get(part, {})
    return config


def check(folder, lane, seed):
    """The folder of a run with the settings that are asked for."""
    found = place(folder, lane, seed)
    config = tomllib.loads((found / "config.toml").read_text(encoding="utf-8"))
    name, length = LANES[lane]
    wanted = {**SHARED, ("seed",): seed, ("estimator", "name"): name}
    if length is not None:
        wanted["estimator", "context_length"] = length
    for path, value in wanted.items():
        if setting(config, path) != value:
            raise Wrong(f"{found} has {'.'.join(path)} = {setting(config, path)}, but {value} is asked for")
    return found


def lines(file):
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def curve(folder, lane, seed):
    """Success in each iteration, in percent."""
    found = check(folder, lane, seed)
    rates = [100 * row["success_rate"] for row in lines(found / "metrics.jsonl") if row["iteration"] > 0]
    if len(rates) != ITERATIONS:
        raise Wrong(f"{found} has {len(rates)} of {ITERATIONS} iterations: let it end")
    return rates


def seen(folder, lane, seed):
    """Success on seen tasks after training, in percent."""
    rows = [row for row in lines(place(folder, lane, seed) / "evaluations.jsonl")
            if row["iteration"] == ITERATIONS and row["split"] == "seen"]
    if not rows:
        raise Wrong(f"{place(folder, lane, seed)} was not evaluated after {ITERATIONS} iterations")
    return sum(100 * row["success_rate"] for row in rows) / len(rows)


def trace(folder, lane, seed):
    return check(folder, lane, seed) / "traces" / "iteration_000010.rollouts.jsonl"
