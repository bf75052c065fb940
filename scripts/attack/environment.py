"""Ends the processes of an environment of one's own by SIGKILL, from outside and at random moments, while a run trains
in it: those that take their place play on as if nothing had been, to the byte."""

import collections
import contextlib
import glob
import os
import shutil
import signal
import sys
import time

from program import finish
from reproducible_files import difference, read_run
from scenario import NAME, end_trial

PYTHON = os.path.join(os.path.dirname(__file__), "..", "..", "native", "python")
KILLS = 10
SETTINGS = ["rollout.tasks=4", "environment.max_steps=3", "learn.iterations=100", "checkpoint.every=30",
            "checkpoint.traces_every=7", "evaluation.every=40", "evaluation.tasks=16"]
TRAIN = ["train", "--preset", "gridworld", "--device", "cpu", "--name", NAME, "--environment-command",
         f"{sys.executable} guess.py", *(word for it in SETTINGS for word in ("--set", it))]
RESUME = ["train", "--resume", NAME, "--device", "cpu", "--trust"]


def attack(program, trials, generator, folder, report):
    """`trials` runs whose processes are killed ten times; what failed."""
    undisturbed = prepare(os.path.join(folder, "environment-undisturbed"))
    whole = program.call([*TRAIN, "--environment-processes", "1"], undisturbed).require_success()
    expected, counts, failures = read_run(run_folder(undisturbed)), collections.Counter(), []
    for trial in range(trials):
        place = prepare(os.path.join(folder, f"environment-{trial}"))
        call = kill_processes(program, generator, place, whole, counts)
        # A process may be lost three times in the same episode, which ends the run: it is resumed.
        while call.status == 1 and "it has lost 3 processes" in call.err:
            counts["resumed"] += 1
            call = program.call(RESUME, place)
        wrong = call.failure() or (call.status != 0 and "the run has failed")
        wrong = wrong or difference(expected, read_run(run_folder(place)))
        end_trial(place, wrong and f"environment {trial}: {wrong}\n{call}", failures)
        report(trial + 1, trials, len(failures))
    return counts, failures


def prepare(place):
    """A folder with the example and what it imports."""
    os.makedirs(os.path.join(place, "hgpo"))
    shutil.copy(os.path.join(PYTHON, "hgpo", "environment.py"), os.path.join(place, "hgpo"))
    shutil.copy(os.path.join(PYTHON, "examples", "guess.py"), place)
    return place


def run_folder(place):
    return os.path.join(place, "runs", NAME)


def kill_processes(program, generator, place, whole, counts):
    """A run with ten kills, each some time after a random line of output, so that a busy machine has all ten too."""
    shown = whole.out.splitlines()
    # Before these, a process that does not answer is a program that cannot be played, and nothing has begun.
    playing = [at for at, line in enumerate(shown) if line.startswith(("policy", "evaluation", "iteration"))][:-1]
    chosen, gap = set(generator.sample(playing, KILLS)), whole.seconds / len(shown)
    arguments = [*TRAIN, "--environment-processes", str(generator.randint(1, 3))]
    began = time.perf_counter()
    process = program.start(arguments, place)
    for at, _ in enumerate(process.stdout):
        if at in chosen:
            time.sleep(generator.random() * gap)
            while not (children := children_of(process.pid)) and process.poll() is None:
                time.sleep(0.001)
            with contextlib.suppress(IndexError, ProcessLookupError):
                os.kill(generator.choice(children), signal.SIGKILL)
                counts["kills"] += 1
    return finish(process, arguments, began)


def children_of(pid):
    found = []
    for path in glob.glob(f"/proc/{pid}/task/*/children"):
        try:
            with open(path) as file:
                found += map(int, file.read().split())
        except FileNotFoundError:
            pass  # a thread that has ended
    return sorted(found)
