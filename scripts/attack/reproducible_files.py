"""Files of a run that the same seed gives again, byte for byte: what is read of them, and how two runs differ."""

import hashlib
import json
import os


def read_run(run):
    """The contents of a run that do not depend on the clock, by name."""
    found = {}
    for name in ("metrics.jsonl", "evaluations.jsonl", "summary.json"):
        path = os.path.join(run, name)
        if os.path.exists(path):
            with open(path, "rb") as file:
                found[name] = file.read()
    if "metrics.jsonl" in found:
        found["metrics.jsonl"] = b"".join(without_times(line) for line in found["metrics.jsonl"].splitlines())
    if "summary.json" in found:
        found["summary.json"] = json.dumps(json.loads(found["summary.json"])["evaluations"]).encode()
    checkpoints = os.path.join(run, "checkpoints")
    whole = sorted(name for name in list_folder(checkpoints) if name.startswith("iteration_") and "." not in name)
    for folder in [*(os.path.join("checkpoints", name) for name in whole[-1:]), "traces"]:
        for name in list_folder(os.path.join(run, folder)):
            # The settings of a checkpoint, where its inputs were, and with them its manifest, may be others with the same
            # results.
            if name not in ("config.toml", "inputs.json", "manifest.json") and not name.startswith("."):
                with open(os.path.join(run, folder, name), "rb") as file:
                    found[os.path.join(folder, name)] = hashlib.sha256(file.read()).digest()
    return found


def list_folder(folder):
    try:
        return sorted(os.listdir(folder))
    except FileNotFoundError:
        return []


def without_times(line):
    """A line of metrics without what the clock has put there; its numbers stay as they are written."""
    try:
        values = json.loads(line, parse_float=str, parse_int=str)
    except ValueError:
        return b"(not JSON)\n" + line
    kept = {name: value for name, value in values.items()
            if name not in ("time", "tokens_per_second") and not name.startswith("seconds/")}
    return json.dumps(kept).encode() + b"\n"


def difference(expected, found, without=()):
    """The first thing that differs, in words."""
    for name in sorted({*expected, *found}):
        if any(name.startswith(prefix) for prefix in without):
            continue
        if name not in found:
            return f"{name} is missing"
        if name not in expected:
            return f"{name} should not be there"
        if expected[name] != found[name]:
            return f"{name} differs from that of an undisturbed run"
    return None
