"""Guesses which typical mistake led to wrong advantages of HGPO."""
import json
import pathlib
import tempfile

from . import program

LOOKED_AT = 20  # wrong steps whose groups are looked at


def changed(file, change):
    """The program's numbers for a file that `change` has altered, line by line (first line, others)."""
    first, *lines = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())
    change(first, lines)
    with tempfile.TemporaryDirectory() as folder:
        other = pathlib.Path(folder, file.name)
        other.write_text("".join(json.dumps(line) + "\n" for line in (first, *lines)), encoding="utf-8")
        return program.steps(other, "--recorded")


def pooled(file):
    """As if all attempts were at one task."""
    names = {}

    def change(_, lines):
        for at, line in enumerate(lines):
            names[str(at)] = (line["task"], line["trajectory"])
            line.update(task="all", trajectory=str(at))

    numbers = changed(file, change)
    return {(*names[at], step): number for (_, at, step), number in numbers.items()}


def with_first(file, **values):
    return changed(file, lambda first, _: first.update(values))


def with_estimator(file, **values):
    return changed(file, lambda first, _: first["estimator"].update(values))


def penalty_first(file):
    """With the penalty as part of the reward, so that it is discounted, too."""
    def change(first, lines):
        for step in (step for line in lines for step in line["steps"] if not step.get("valid", True)):
            step.update(valid=True, reward=step["reward"] - first["invalid_penalty"])
    return changed(file, change)


def mistakes(file, right):
    """What typical mistakes lead to, each with a sentence."""
    return [
        ("these are not discounted: take `discount` from the first line.", with_first(file, discount=1)),
        ("an invalid step loses `invalid_penalty`, which the first line names.", with_first(file, invalid_penalty=0)),
        ("the penalty of an invalid step is no reward: take it from the step's return alone, after discounting.",
         penalty_first(file)),
        ("these groups hold steps of several tasks. Only attempts at the same task are compared.", pooled(file)),
        ("level k weighs (k + 1)^alpha: yours begin at 2.", with_estimator(file, weights="verl")),
        ("`alpha` is not 1 always: take it from the first line.", with_estimator(file, alpha=1)),
        ("`context_length` is not 2 always: take it from the first line.", with_estimator(file, context_length=2)),
        ("these means leave out the attempt itself. Here a mean is over the whole group.",
         with_estimator(file, baseline="others")),
        ("the sign is the wrong way round: it is return minus mean.", {key: -number for key, number in right.items()}),
    ]


def weighted(terms, total):
    return sum(term["raw_weight"] * term["advantage"] for term in terms) / total if total else 0.0


def rules(terms, length):
    """What rules for left-out levels would give, each with a sentence."""
    raw = {term["value"]: term["raw_weight"] for term in terms}
    all_levels = sum(raw.values())
    company = [term for term in terms if term["size"] > 1]
    kept = [term for term in company if term["advantage"] != 0]
    mean = sum(term["advantage"] for term in kept) / len(kept) if kept else 0.0
    left_out = ("a level in which the step is alone, or whose advantage is exactly 0, is left out, and the weights of"
                " the others are scaled to sum to 1.")
    return [
        (left_out, weighted(kept, sum(term["raw_weight"] for term in company))),
        (left_out, weighted(kept, all_levels)),
        ("these weigh all levels alike: level k weighs (k + 1)^alpha.", mean),
        ("this is level 0 alone.", terms[0]["advantage"]),
        (f"this is level {length} alone, where there is one.", terms[-1]["advantage"]),
    ]


def from_steps(file, wrong):
    """A sentence about the levels, if one rule explains the wrong steps that are looked at."""
    some = list(wrong.items())[:LOOKED_AT]
    found = [(key, given, program.explained(file, key, "--recorded")) for key, given in some]
    length = found[0][2]["options"]["estimator"]["context_length"]
    tried = [rules(explained["terms"], length) for _, _, explained in found]
    for at, (sentence, _) in enumerate(tried[0]):
        if all(abs(rule[at][1] - given) < 1e-6 for rule, (_, given, _) in zip(tried, found)):
            yield f"  advantage: {sentence}"
            return
    if all(int(key[2]) < length for key in wrong):
        yield (f"  advantage: the steps that are wrong have fewer than {length} states before them. Step t has levels"
               " 0 to t and no others.")
