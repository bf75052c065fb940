"""Changes what a run depends on outside its folder: another model, briefing or game is refused by its name, and another
place or environment changes no number."""

import collections
import json
import os
import shutil
import subprocess
import sys

import damages
from reproducible_files import difference, read_run
from scenario import NAME, end_trial

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SMALL = ["rollout.tasks=1", "rollout.group_size=2", "environment.max_steps=3", "learn.iterations=2",
         "warm_start.episodes=0", "evaluation.tasks=2", "evaluation.seeds=[1]"]
MODEL = ["--preset", "chores-tiny", "--model", "outside/model", "--set", "pretrained.prompt=outside/mine.toml",
         "--set", "rollout.max_response_tokens=20"]
GAMES = ["--set", "environment.name=alfworld", "--set", "policy.kind=table"]
USES = [["train", "--resume", NAME, "--set", "learn.iterations=3"], ["eval", NAME, "--tasks", "2"],
        ["bias", NAME, "--tasks=1", "--groups=2", "--rollouts=2"]]
# What may be another one without a result being another one.
ELSEWHERE = [{"LC_ALL": "tr_TR.UTF-8"}, {"TZ": "Asia/Kathmandu"}, {"HOME": "/"}, {"RAYON_NUM_THREADS": "1"},
             {"XDG_CACHE_HOME": "cache"}, {"TMPDIR": "."}, {"HF_HOME": "hub"}, {"COLUMNS": "20"}]


def attack(program, trials, generator, folder, report):
    """`trials` changes; what failed."""
    begun = {name: begin(program, os.path.join(folder, f"inputs-{name}"), more)
             for name, more in [("model", MODEL), ("games", GAMES)]}
    kinds, failures = collections.Counter(), []
    for trial in range(trials):
        name = generator.choice(sorted(begun))
        place = os.path.join(folder, f"inputs-{trial}")
        shutil.copytree(begun[name], place)
        if generator.random() < 0.2:
            kind, (call, wrong) = "another environment", resume_elsewhere(program, place, begun[name], generator)
        else:
            kind, (call, wrong) = f"another file of the {name}", damage_input(program, place, generator)
        kinds[kind] += 1
        end_trial(place, wrong and f"inputs {trial} ({kind}): {wrong}\n{call}", failures)
        report(trial + 1, trials, len(failures))
    for place in begun.values():
        shutil.rmtree(place)
    return kinds, failures


def begin(program, folder, more):
    """A run with its input files in the folder `outside`."""
    outside = os.path.join(folder, "outside")
    os.makedirs(outside)
    subprocess.run([sys.executable, f"{ROOT}/scripts/witnesses/model.py", f"{outside}/model"], check=True)
    shutil.copy(f"{ROOT}/core/env/src/chores/prompts/compact.toml", f"{outside}/mine.toml")
    calls = [["generate", "alfworld", "--count=2", "outside/games"],
             ["train", "--name", NAME, "--device", "cpu", *more] + [part for it in SMALL for part in ("--set", it)]]
    for arguments in calls:
        run_command(program, arguments, folder).require_success()
    # Nothing is where it was: what is recorded to be there would be found.
    return shutil.move(folder, f"{folder}-begun")


def run_command(program, arguments, folder, variables=None):
    before = dict(os.environ)
    os.environ.update({"ALFWORLD_DATA": os.path.join(folder, "outside", "games"), **(variables or {})})
    try:
        return program.call(arguments, folder)
    finally:
        os.environ.clear()
        os.environ.update(before)


def damage_input(program, place, generator):
    """One input file is removed, cut, or has a bit flipped."""
    with open(os.path.join(place, "runs", NAME, "inputs.json")) as file:
        inputs = json.load(file)
    kind = generator.choice(sorted(inputs))
    inside = generator.choice(sorted(inputs[kind]["files"]))
    root = {"model": "outside/model", "data": "outside/games", "prompt": "outside/mine.toml"}[kind]
    path = os.path.join(place, root) if kind == "prompt" else os.path.join(place, root, inside)
    damages.damage_file(path, *(generator.random() for _ in range(3)))
    call = run_command(program, [*generator.choice(USES), "--device", "cpu"], place)
    wrong = call.failure()
    if not wrong and call.status != 1:
        wrong = f"{os.path.relpath(path, place)} is another file, and nobody says so"
    # A game without what stands beside it is no game: its folder is named.
    named = [os.path.basename(path), os.path.dirname(inside) or inside]
    if not wrong and not any(it in call.err for it in named):
        wrong = f"{os.path.relpath(path, place)} is not named"
    return call, wrong


def resume_elsewhere(program, place, undisturbed, generator):
    """The run goes on in another folder and environment as it does in its own."""
    variables = generator.choice(ELSEWHERE)
    calls = [run_command(program, [*USES[0], "--device", "cpu"], place, variables)]
    there = f"{place}-own"
    shutil.copytree(undisturbed, there)
    run_command(program, [*USES[0], "--device", "cpu"], there)
    runs = [read_run(os.path.join(it, "runs", NAME)) for it in (there, place)]
    shutil.rmtree(there)
    wrong = calls[0].failure() or (calls[0].status != 0 and "it cannot be resumed") or difference(*runs)
    return calls[0], wrong and f"{wrong} with {variables}"
