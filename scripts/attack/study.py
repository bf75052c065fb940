"""Ends whole studies by SIGKILL, with all their runs, and deals their runs out to many processes at once."""

import collections
import json
import os
import signal
import subprocess
import time

from program import finish
from scenario import end_trial

STUDY = """preset = "gridworld"
seeds = "1-3"
environment_steps = 3000
[arms.hgpo]
estimator = "hgpo"
[arms.grpo]
estimator = "grpo"
[arms.gigpo]
estimator = "gigpo"
"""
RUNS = [f"{arm}/{seed}" for arm in ("hgpo", "grpo", "gigpo") for seed in (1, 2, 3)]
COMMAND = ["compare", "study.toml", "--jobs", "2"]


def attack(program, trials, generator, folder, report):
    """`trials` studies, each killed up to ten times or dealt out to eight processes; what failed."""
    reference = prepare(os.path.join(folder, "study-undisturbed"))
    whole = finish(start(program, COMMAND, reference), COMMAND, time.perf_counter())
    if whole.status != 0:
        raise SystemExit(f"the undisturbed study fails\n{whole}")
    expected, counts, failures = summary(reference), collections.Counter(), []
    for trial in range(trials):
        place = prepare(os.path.join(folder, f"study-{trial}"))
        part = distribute_runs if trial % 4 == 3 else kill_and_resume
        wrong = part(program, generator, place, whole.seconds, counts)
        if not wrong:
            call = finish(start(program, COMMAND, place), COMMAND, time.perf_counter())
            wrong = call.failure() or ("it cannot go on" if call.status else None)
            if not wrong and summary(place) != expected:
                wrong = "its summary differs from that of an undisturbed study"
            wrong = wrong and f"{wrong}\n{call}"
        end_trial(place, wrong and f"study {trial} ({part.__name__}): {wrong}", failures)
        report(trial + 1, trials, len(failures))
    return counts, failures


def kill_and_resume(program, generator, place, seconds, counts):
    for _ in range(generator.randint(1, 10)):
        process = start(program, COMMAND, place)
        time.sleep(generator.random() * seconds)
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        call = finish(process, COMMAND, time.perf_counter())
        counts["killed"] += call.status == -9
        if wrong := call.failure(killed=(9,)):
            return f"{wrong}\n{call}"
    return None


def distribute_runs(program, generator, place, _seconds, counts):
    runs = generator.sample(RUNS, len(RUNS))
    commands = [[*COMMAND, *(word for run in runs[at::8] for word in ("--only", run))] for at in range(8)]
    processes = [(start(program, command, place), command) for command in commands]
    calls = [finish(process, command, time.perf_counter()) for process, command in processes]
    counts["dealt out"] += len(calls)
    return next((str(call) for call in calls if call.failure() or call.status), None)


def prepare(place):
    os.makedirs(place)
    with open(os.path.join(place, "study.toml"), "w") as file:
        file.write(STUDY)
    return place


def start(program, command, place):
    """A process group of its own, which is ended as a whole."""
    return subprocess.Popen([program.path, *command], cwd=place, text=True, errors="replace", start_new_session=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def summary(place):
    """What a study came to, without what the clock and the system's memory have put there."""
    with open(os.path.join(place, "runs", "study", "summary.json")) as file:
        study = json.load(file, parse_float=str, parse_int=str)
    for run in (run for arm in study["arms"] for run in arm["runs"]):
        del run["seconds"], run["peak_memory_bytes"]
    return study
