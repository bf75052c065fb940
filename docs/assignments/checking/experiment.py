"""An experiment with the trainer: four lanes, ten seeds, means with intervals."""
import math
import statistics

from . import program, runs
from .compare import Column

KEYS = ("question",)
COLUMNS = ("answer",)
GAINS = (("gigpo", "gigpo"), ("k", "hgpo0"))  # of HGPO with K = 2: over what
T_95 = 2.262157  # Student's t for 95 % and the 9 degrees of freedom of ten seeds


def half(values):
    """Half the width of the 95 % confidence interval of a mean."""
    return T_95 * statistics.stdev(values) / math.sqrt(len(values))


def lanes(folder):
    """Per lane and seed the mean success in training, in percent."""
    return {lane: [statistics.fmean(runs.curve(folder, lane, seed)) for seed in runs.SEEDS] for lane in runs.LANES}


def paired(first, second):
    return [a - b for a, b in zip(first, second)]


def singletons(folder):
    """The share of steps alone at level 2 of the first trace of HGPO's first seed, in percent."""
    said = program.run(runs.trace(folder, "hgpo", 1), "--recorded", "--diagnostics", "--format", "json")
    return 100 * program.read(said)["levels"][2]["singleton_fraction"]


def seen(folder):
    """Success on seen tasks after training, mean over HGPO's seeds, in percent."""
    return statistics.fmean(runs.seen(folder, "hgpo", seed) for seed in runs.SEEDS)


def right(success, folder):
    """What should be answered."""
    found = {}
    for lane in runs.LANES:
        found[f"mean_{lane}"] = statistics.fmean(success[lane])
        found[f"half_{lane}"] = half(success[lane])
    for name, other in GAINS:
        gain = paired(success["hgpo"], success[other])
        found[f"gain_{name}"] = statistics.fmean(gain)
        found[f"gain_{name}_half"] = half(gain)
        found[f"gain_{name}_certain"] = float(abs(statistics.fmean(gain)) > half(gain))
    found["ahead"] = float(sum(gain > 0 for gain in paired(success["hgpo"], success["gigpo"])))
    found["seen_hgpo"] = seen(folder)
    found["alone_2"] = singletons(folder)
    return found


def halves(success, spread):
    """Every half width by another rule, and what is certain by it; nothing else is answered."""
    found = {f"half_{lane}": spread(success[lane]) for lane in runs.LANES}
    for name, other in GAINS:
        gain = paired(success["hgpo"], success[other])
        found[f"gain_{name}_half"] = spread(gain)
        found[f"gain_{name}_certain"] = float(abs(statistics.fmean(gain)) > spread(gain))
    return found


def unpaired(success):
    """The half widths of the differences as if the seeds of two lanes had nothing in common."""
    return {f"gain_{name}_half": math.hypot(half(success["hgpo"]), half(success[other]))
            for name, other in GAINS}


def answers_as(numbers):
    return {(name,): number for name, number in numbers.items()}


def columns(folder):
    success = lanes(folder)
    numbers = right(success, folder)
    last = {f"mean_{lane}": statistics.fmean(runs.curve(folder, lane, seed)[-1] for seed in runs.SEEDS)
            for lane in runs.LANES}
    mistakes = [
        ("this is the deviation between seeds. Divide it by the root of 10 and take it times 2.262.",
         halves(success, statistics.stdev)),
        ("this is the standard error. Half the interval is 2.262 times as wide.",
         halves(success, lambda values: half(values) / T_95)),
        ("this takes the standard error times 1.96. With ten seeds Student's t is 2.262.",
         halves(success, lambda values: 1.959964 * half(values) / T_95)),
        ("this is the width of the whole interval: half of it stands after the ±.",
         halves(success, lambda values: 2 * half(values))),
        ("the deviation divides by n. That of a sample divides by n - 1.",
         halves(success, lambda values: T_95 * statistics.pstdev(values) / math.sqrt(len(values)))),
        ("the seeds are paired: take the difference for each seed, then mean and interval of the ten differences.",
         unpaired(success)),
        ("this is the last iteration. The mean over all iterations is asked for.", last),
        ("give percent, not fractions.", {name: number / 100 for name, number in numbers.items()}),
        ("one side of 0 only means that the interval leaves out 0: compare the gain with its half width.",
         {name: 1 - number for name, number in numbers.items() if name.endswith("certain")}),
    ]
    return [Column("answer", answers_as(numbers), [(why, answers_as(wrong)) for why, wrong in mistakes])]
