"""GiGPO's groups of equal states, by hand or by the student's own program."""
import json
import pathlib
import tempfile

from . import program
from .compare import Column

KEYS = ("task", "trajectory", "step")
COLUMNS = ("return", "size", "step_advantage", "advantage")
ROLLOUTS = pathlib.Path(__file__).parents[1] / "gigpo" / "rollouts.jsonl"
DISCOUNT = 0.9
MEAN = ("--discount", DISCOUNT, "--scale", "mean")
STATE_ALONE = ("--estimator", "hgpo", "--context-length", "0", *MEAN)
GIGPO = ("--estimator", "gigpo", *MEAN)


def members(key):
    """The steps in the group of a step's state."""
    return program.explained(ROLLOUTS, key, *STATE_ALONE)["terms"][0]["members"]


def in_one_task(rollouts, *flags):
    """The numbers as if all attempts were at one task."""
    lines = [json.loads(line) for line in rollouts.read_text(encoding="utf-8").splitlines()]
    names = {}
    for at, line in enumerate(lines):
        names[str(at)] = (line["task"], line["trajectory"])
        line.update(task="all", trajectory=str(at))
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "one.rollouts.jsonl")
        file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        return {(*names[at], step): number for (_, at, step), number in program.steps(file, *flags).items()}


def columns(_):
    returns = program.steps(ROLLOUTS, *MEAN, quantity="returns")
    groups = {key: members(key) for key in returns}
    alone = program.steps(ROLLOUTS, *STATE_ALONE)
    by_attempt = ("--episode-statistics", "trajectories")
    episode = program.steps(ROLLOUTS, "--estimator", "grpo", "--scale", "mean", *by_attempt)
    return [
        Column("return", returns, [
            ("these are not discounted: what comes a step later counts 0.9 times as much.",
             program.steps(ROLLOUTS, "--discount", "1", quantity="returns")),
            ("a step's own reward counts in full: only later ones are discounted.",
             {key: DISCOUNT * number for key, number in returns.items()}),
        ]),
        Column("size", {key: len(group) for key, group in groups.items()}, [
            ("a state that an attempt comes back to counts each time: these are attempts, not steps.",
             {key: len({member["trajectory"] for member in group}) for key, group in groups.items()}),
            ("these groups hold steps of both tasks. Only attempts at the same task are compared.", pooled_sizes()),
        ]),
        Column("step_advantage", alone, [
            ("this is the return. Subtract the mean of the group.", returns),
            ("these groups hold steps of both tasks. Only attempts at the same task are compared.",
             in_one_task(ROLLOUTS, *STATE_ALONE)),
            ("this mean leaves out the attempt itself. Here the mean is over the whole group.",
             program.steps(ROLLOUTS, *STATE_ALONE, "--baseline", "others")),
        ]),
        Column("advantage", program.steps(ROLLOUTS, *GIGPO, *by_attempt), [
            ("this is the step's term alone. Add that of the attempt: its score minus the mean score of the task.",
             alone),
            ("this is the attempt's term alone. Add that of the step.", episode),
            ("the mean score counts an attempt once for each of its steps. Here every attempt counts once.",
             program.steps(ROLLOUTS, *GIGPO)),
        ]),
    ]


def pooled_sizes():
    """The sizes of groups over both tasks."""
    lines = [json.loads(line) for line in ROLLOUTS.read_text(encoding="utf-8").splitlines()]
    states = {(line["task"], line["trajectory"], str(at)): step["state"]
              for line in lines for at, step in enumerate(line["steps"])}
    seen = list(states.values())
    return {key: seen.count(state) for key, state in states.items()}
