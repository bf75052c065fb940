"""Records what TextWorld says in games that `hgpo generate alfworld` wrote.

    pip install "textworld[pddl]==1.7.0" tqdm termcolor && pip install --no-deps alfworld==0.4.2
    python scripts/record/games.py target/release/hgpo core/env/tests/recordings/textworld.json.gz

Python 3.9 to 3.12. alfworld gives the names of things ("plate 1"), TextWorld everything else.
"""

import itertools
import json
import multiprocessing
import pathlib
import random
import subprocess
import sys
import tempfile

import textworld
from alfworld.agents.environment.alfred_tw_env import AlfredDemangler

from packing import pack

SEEDS = range(1, 5)
SPLITS = ["train", "seen", "unseen"]
# The generator's settings and their flags.
FLAGS = {"rooms": "rooms", "doorways": "doorways", "receptacles_per_room": "receptacles",
         "things_per_room": "things", "longest_plan": "longest-plan", "task_types": "task-types"}
# From the smallest houses to large ones.
HOUSES = [dict(zip(FLAGS, values)) for values in [(2, 1.0, 1, 1, 40), (3, 1.0, 2, 2, 14), (8, 0.2, 3, 2, 40)]]
WALK = 30
# What no list of commands holds, and what differs from a listed one.
UNKNOWN = ["fly to the moon", "", "GO TO sink 1", "take", "take plate 99"]


def generate(program, settings, split, seed, folder):
    """One game's file."""
    flags = [f"--{FLAGS[name]}={value}" for name, value in settings.items()]
    subprocess.run([program, "generate", "alfworld", "--count=1", f"--seed={seed}", f"--split={split}",
                    *flags, str(folder)], check=True, stdout=subprocess.DEVNULL)
    [game] = folder.rglob("game.tw-pddl")
    return game


def start(game):
    infos = textworld.EnvInfos(feedback=True, admissible_commands=True, score=True, won=True)
    return textworld.start(str(game), infos, wrappers=[AlfredDemangler()])


def episode(environment, kind, choose):
    """Plays until `choose` gives no command or the game is won."""
    state, done, steps = environment.reset(), False, []
    first = state
    while not done and (command := choose(len(steps), state.admissible_commands)) is not None:
        state, _, done = environment.step(command)
        steps.append({"cmd": command, "obs": state.feedback, "admissible": state.admissible_commands,
                      "score": state.score, "won": state.won, "done": done})
    return {"kind": kind, "initial_obs": first.feedback, "initial_admissible": first.admissible_commands,
            "steps": steps}


def follow(commands):
    return lambda step, _: commands[step] if step < len(commands) else None


def wander(chance):
    """Mostly listed commands, now and then one with spaces around it or one that is not listed."""
    def choose(step, admissible):
        if step == WALK:
            return None
        draw = chance.random()
        if draw < 0.1:
            return chance.choice(UNKNOWN)
        command = chance.choice(admissible)
        return f"  {command} " if draw < 0.15 else command
    return choose


def stray(commands, chance):
    """The walkthrough, after some of whose commands comes a listed one: the rest may no longer be possible."""
    left = list(commands)

    def choose(step, admissible):
        if step and chance.random() < 0.4:
            return chance.choice(admissible)
        return left.pop(0) if left else None
    return choose


def record(program, settings, kind, split, seed):
    with tempfile.TemporaryDirectory() as folder:
        game = generate(program, {**settings, "task_types": kind}, split, seed, pathlib.Path(folder))
        walkthrough = json.loads(game.read_text())["walkthrough"]
        name = str(game.parent.relative_to(folder))
        chance, environment = random.Random(name), start(game)
        episodes = [episode(environment, "walkthrough", follow(walkthrough)),
                    episode(environment, "stray", stray(walkthrough, chance)),
                    episode(environment, "random", wander(chance))]
        environment.close()
    settings = {**settings, "task_types": [kind]}
    return {"gamefile": name, "settings": settings, "split": split, "seed": seed, "episodes": episodes}


def main(program, target):
    games = itertools.product([program], HOUSES, range(1, 7), SPLITS, SEEDS)
    with multiprocessing.Pool() as pool:
        recordings = pool.starmap(record, games, chunksize=4)
    steps = sum(len(it["steps"]) for game in recordings for it in game["episodes"])
    print(f"{len(recordings)} games, {steps} steps")
    pack(target, json.dumps(recordings, separators=(",", ":")).encode() + b"\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
