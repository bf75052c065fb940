"""A week of use: random sequences of commands on a run, after each of which it is known what must hold."""

import collections
import os
import random
import shutil

import commands
import oracle
from scenario import end_trial

WEIGHTS = {"train": 3, "resume": 5, "set": 2, "edit": 2, "evaluate": 2, "bias": 1, "advantages": 1, "preview": 1,
           "twice": 1, "harm": 4}
SEEDS = 4
LONGEST = 7


def attack(program, options, work, report):
    """Carries out the sequences; commands by name, and what failed, each with its shortest sequence."""
    folder = os.path.join(work, "week")
    os.makedirs(folder, exist_ok=True)
    references = [oracle.Reference(program, seed, folder) for seed in range(1, SEEDS + 1)]
    counts, failures = collections.Counter(), []
    numbers = range(options.sequences) if options.only_sequence is None else [options.only_sequence]
    for done, number in enumerate(numbers):
        generator = random.Random(f"{options.seed} sequence {number}")
        reference = generator.choice(references)
        sequence = random_sequence(generator)
        counts.update(name for name, *_ in sequence)
        place = os.path.join(folder, f"sequence-{number}")
        if wrong := run_sequence(program, reference, sequence, place):
            shortest, wrong = shrink(program, reference, sequence, place, wrong)
            wrong = f"sequence {number} (seed {reference.seed}), shortest:\n{describe(shortest)}\n{wrong}"
        end_trial(place, wrong, failures)
        report(done + 1, len(numbers), len(failures))
    return counts, failures


def random_sequence(generator):
    names = generator.choices(list(WEIGHTS), list(WEIGHTS.values()), k=generator.randint(2, LONGEST))
    return [(name, *(round(generator.random(), 3) for _ in range(commands.MANY))) for name in ["train", *names]]


def run_sequence(program, reference, sequence, place):
    """What is wrong with a sequence, in words; none where all holds."""
    shutil.rmtree(place, ignore_errors=True)
    os.makedirs(place)
    user = commands.User(program, reference, place)
    try:
        for name, *numbers in sequence:
            getattr(user, name)(*numbers)
        user.end()
    except commands.Violation as wrong:
        return str(wrong)
    return None


def shrink(program, reference, sequence, place, wrong):
    """A sequence that is wrong in the same way and has no command that could be left out. Where the moment
    of a signal decides, it may not happen again: then it stays as it is, and so does what it has left."""
    first = place + "-first"
    shutil.rmtree(first, ignore_errors=True)
    os.rename(place, first)
    same = lambda found: found and found.splitlines()[0] == wrong.splitlines()[0]
    for at in reversed(range(len(sequence))):
        shorter = sequence[:at] + sequence[at + 1:]
        if same(run_sequence(program, reference, shorter, place)):
            sequence = shorter
    again = run_sequence(program, reference, sequence, place)
    return sequence, again if same(again) else wrong


def describe(sequence):
    return "\n".join(f"  {name} {' '.join(map(str, numbers))}" for name, *numbers in sequence)
