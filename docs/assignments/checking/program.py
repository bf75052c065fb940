"""Calls the program `hgpo`."""
import json
import os
import pathlib
import shutil
import subprocess

from .wrong import Wrong

BUILT = pathlib.Path(__file__).parents[3] / "target" / "release" / "hgpo"


def find():
    """The program that HGPO_BIN names, or that on the path, or that built in this clone."""
    for name in (os.environ.get("HGPO_BIN"), "hgpo", str(BUILT)):
        found = name and shutil.which(name)
        if found:
            return found
    raise Wrong("there is no program hgpo: build it with 'cargo build --release', or name it in HGPO_BIN")


def run(*arguments):
    """What the program prints."""
    done = subprocess.run([find(), "advantages", *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Wrong(done.stderr.strip())
    return done.stdout


def trajectories(rollouts, *flags):
    """Per task and trajectory what comes back: `returns`, `step_rewards` and `advantages`."""
    lines = (json.loads(line) for line in run(rollouts, *flags).splitlines())
    return {(line["task"], line["trajectory"]): line for line in lines}


def steps(rollouts, *flags, quantity="advantages"):
    """Per task, trajectory and step a number."""
    return {(*name, str(at)): number
            for name, line in trajectories(rollouts, *flags).items() for at, number in enumerate(line[quantity])}


def read(text):
    return json.loads(text)


def explained(rollouts, step, *flags):
    """The groups, statistics and weights behind one step."""
    task, trajectory, at = step
    return read(run(rollouts, "--explain", json.dumps([task, trajectory, int(at)]), "--format", "json", *flags))
