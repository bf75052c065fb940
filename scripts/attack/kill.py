"""Ends runs by SIGKILL: at random moments of every phase, and between any two operations on files."""

import collections
import os
import shutil

from scenario import end_trial

PHASES = ["device", "run ", "warm start", "evaluation before", "iteration", "evaluation after", "success"]
DURING = {"": "start", "device": "start", "run ": "warm start", "warm start": "first evaluation",
          "evaluation before": "first evaluation", "iteration": "iterations",
          "evaluation after": "last evaluation", "success": "end"}


def attack(chosen, trials, generator, folder, report):
    """`trials` runs, each killed one to three times; what failed."""
    phases, failures = collections.Counter(), []
    for trial in range(trials):
        scenario = chosen[trial % len(chosen)]
        place = os.path.join(folder, f"kill-{trial}")
        times, killed, wrong = generator.choice([1, 1, 2, 3]), [], None
        while len(killed) < times and not wrong:
            if not os.path.exists(place):
                os.makedirs(place)
                arguments = scenario.begin
            attempt = by_clock if generator.random() < 0.5 else by_operation
            call, phase = attempt(scenario, [*arguments, "--threads", str(generator.choice([1, 2]))], place, generator)
            wrong = call.failure(killed=(9,))
            if call.status == -9:
                killed.append(phase)
                arguments = scenario.resume
            elif call.status == 1 and "no run at" in call.err:
                arguments = scenario.begin
            elif call.status != 0:
                wrong = wrong or "it cannot be resumed"
            elif not killed:
                shutil.rmtree(place)  # the run was over before; again
            else:
                break
        phases.update(killed)
        if not wrong:
            call, wrong = scenario.complete(place, generator.choice([1, 2]))
        if wrong:
            wrong = f"kill {trial} ({scenario.name}, seed {scenario.seed}, {', '.join(killed)}): {wrong}\n{call}"
        end_trial(place, wrong, failures)
        report(trial + 1, trials, len(failures))
    return phases, failures


def by_clock(scenario, arguments, place, generator):
    """Kills some time after some line of output."""
    lines = generator.randrange(scenario.lines + 1)
    gap = 2 * scenario.seconds / (scenario.lines + 1)
    call, last = scenario.program.stop_after(arguments, place, lines, generator.random() * gap)
    return call, phase_of(call.out or last)


def by_operation(scenario, arguments, place, generator):
    """Kills before an operation on a file, or in the middle of a write."""
    at = generator.randrange(scenario.operations)
    call = scenario.program.call(arguments, place, {"ATTACK_KILL": at})
    partial = any(name.endswith(".partial") for _, folders, files in os.walk(place) for name in [*folders, *files])
    return call, "within a file or checkpoint" if partial else phase_of(call.out)


def phase_of(out):
    shown = [phase for line in out.splitlines() for phase in PHASES if line.startswith(phase)]
    if shown and shown[-1] == "evaluation after" and out.rstrip().splitlines()[-1].startswith("iteration"):
        return "iterations"
    return DURING[shown[-1] if shown else ""]
