"""HGPO's levels and weights in the student's own program, on a trace of the trainer.

The program is run on copies of the trace whose first line asks for one thing more each time, so that the first
that goes wrong says where to look.
"""
import json
import pathlib
import shlex
import tempfile

from . import answers, compare, guess, program
from .wrong import Wrong

KEYS = ("task", "trajectory", "step")
COLUMNS = ("advantage",)
# What is new in a copy: context length K and exponent alpha.
PARTS = (
    ("K = 0, the state alone", 0, 1.0),
    ("K = 1, one state before it", 1, 1.0),
    ("K = 2", 2, 1.0),
    ("K = 4", 4, 1.0),
    ("K = 2, alpha = 2", 2, 2.0),
    ("K = 2, alpha = 0", 2, 0.0),
)


def read(trace):
    """The first line of a trace, and its trajectories."""
    try:
        first, *lines = (json.loads(line) for line in trace.read_text(encoding="utf-8").splitlines())
    except (OSError, ValueError) as error:
        raise Wrong(f"{trace} cannot be read as JSON Lines: {error}") from None
    if "estimator" not in first or not lines:
        raise Wrong(f"{trace} is no trace: take one from runs/NAME/traces/")
    return first, lines


def write(file, first, lines):
    file.write_text("".join(json.dumps(line) + "\n" for line in (first, *lines)), encoding="utf-8")


def check(path, trace, shows):
    """What is wrong with the first part that is, in lines."""
    if not answers.is_program(path):
        raise Wrong("the answer is a program: name a file that ends in .py")
    first, lines = read(trace)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, trace.name)
        for name, length, alpha in PARTS:
            first["estimator"] = {"name": "hgpo", "context_length": length, "alpha": alpha, "scale": "mean"}
            write(file, first, lines)
            wrong = check_part(path, file, shows)
            if wrong:
                return [f"{name}:", *wrong, advice(trace, first)]
            print(f"{name}: right")
    return []


def check_part(path, file, shows):
    """Compares the program's numbers for one copy of the trace."""
    given = answers.read(path, KEYS, COLUMNS, file)
    right = program.steps(file, "--recorded")
    column = compare.Column("advantage", right)
    compare.same_rows(given, column)
    wrong = {key: row["advantage"] for key, row in given.items()
             if not compare.is_near(row["advantage"], right[key], compare.BY_PROGRAM)}
    if not wrong:
        return []
    column.mistakes = guess.mistakes(file, right)
    lines = list(compare.told(wrong, column, compare.BY_PROGRAM, shows))
    if not any(compare.sentences(wrong, column, compare.BY_PROGRAM)):
        lines.extend(guess.from_steps(file, wrong))
    return [*lines, *levels(file, next(iter(wrong)))]


def levels(file, step):
    """What the program says of a step, without the members of its groups."""
    said = program.run(file, "--recorded", "--explain", json.dumps([step[0], step[1], int(step[2])]))
    yield f"  hgpo on {'/'.join(step)}:"
    for line in said.splitlines()[2:-1]:
        if line.startswith(("reward", "level", "  context")):
            yield f"    {line}"


def advice(trace, first):
    """The command that shows the groups of any step."""
    estimator = first["estimator"]
    return (f"  any step: hgpo advantages {shlex.quote(str(trace))} --estimator hgpo --scale mean"
           f" --context-length {estimator['context_length']} --alpha {estimator['alpha']:g}"
           f" --discount {first['discount']:g} --invalid-penalty {first['invalid_penalty']:g}"
           " --explain TASK/TRAJECTORY/STEP")
