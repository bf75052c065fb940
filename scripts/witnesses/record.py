"""Records witnesses with a program, into a folder that is not there yet: for a new kind of witness, or in the place of
those that were given up. Those that are there stay as they are.

    python3 scripts/witnesses/record.py PROGRAM FOLDER
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
CPU = ["--device", "cpu", "--threads", "1"]
NUMBERS = ["evaluation.seeds=[1,2]", "evaluation.every=2", "checkpoint.keep=1"]
SMALL = [*NUMBERS, "checkpoint.traces_every=0", "rollout.tasks=1", "rollout.group_size=4", "environment.max_steps=6", "warm_start.episodes=4", "warm_start.epochs=1",
         "evaluation.tasks=40", "learn.iterations=4", "checkpoint.every=1"]
# Three ways to the goal, one of them costs; attempts at random often succeed.
MAP = r'environment.gridworld.map="#####\n#S.G#\n#.#.#\n#~..#\n#####"'
MAZE = [*NUMBERS, MAP, "rollout.tasks=2", "rollout.group_size=4", "evaluation.tasks=400", "learn.iterations=6", "checkpoint.every=2",
        "checkpoint.traces_every=3", "environment.max_steps=12"]
WIDTHS = ["model.hidden_size=8", "model.intermediate_size=12", "model.num_attention_heads=2", "model.num_key_value_heads=1"]
# Preset, and what is set.
RUNS = {
    "table": ["gridworld", *MAZE],
    "critic": ["gridworld", *MAZE, "critic.kind=least-squares", "estimator=composed", "estimator.credit=difference",
               "estimator.state_value=recorded"],
    "restarts": ["gridworld", *MAZE, "learn.restarts=2", "rollout.dynamic_sampling=1", "estimator=gigpo"],
    "decoder": ["chores-tiny", *SMALL, *WIDTHS, MAP, "environment.name=gridworld", "warm_start.episodes=64",
                "warm_start.epochs=7"],
    "lora": ["chores-tiny", *SMALL, "pretrained.model=model", "pretrained.lora.rank=2", "rollout.max_response_tokens=12",
             "pretrained.max_prompt_tokens=600", "learn.entropy_coefficient=0.05"],
}
STUDY = r"""name = "small"
preset = "gridworld"
seeds = "3-4"
environment_steps = 300

[set]
"environment.gridworld.map" = "#####\n#S.G#\n#.#.#\n#~..#\n#####"
"environment.max_steps" = 12
"evaluation.every" = 1
"evaluation.tasks" = 400
"evaluation.seeds" = [1]
"rollout.tasks" = 2
"rollout.group_size" = 4

[arms.grpo]
estimator = "grpo"

[arms.hgpo]
"estimator.context_length" = 1
"""


def main():
    program, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True)
    os.chdir(folder)
    subprocess.run([sys.executable, HERE / "model.py", "model"], check=True)

    def hgpo(*arguments):
        return subprocess.run([program, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout

    for name, (preset, *settings) in RUNS.items():
        train = ["train", "--preset", preset, "--name", name, *CPU, *(word for it in settings for word in ("--set", it))]
        stop(subprocess.Popen([program, *train], stdout=subprocess.DEVNULL), pathlib.Path(f"runs/{name}/metrics.jsonl"))
        keep(f"runs/{name}", f"stopped/{name}")
        hgpo(*train)
        hgpo("eval", name, "--tasks", "8", "--attempts", "2", "--temperature", "0,0.4", *CPU)
        hgpo("bias", name, "--tasks", "2", "--groups", "3", "--rollouts", "2", *CPU)
        keep(f"runs/{name}", f"finished/{name}")
    pathlib.Path("study.toml").write_text(STUDY)
    compare = ["compare", "study.toml", "--jobs", "1", "--device", "cpu"]
    stop(subprocess.Popen([program, *compare], stdout=subprocess.DEVNULL), pathlib.Path("runs/small/grpo/4/metrics.jsonl"))
    keep("runs/small", "study/stopped")
    hgpo(*compare)
    keep("runs/small", "study/finished")
    for run in pathlib.Path("study/finished").glob("*/[0-9]"):
        shutil.rmtree(run)  # the summary counts them
    pathlib.Path("text").write_text("the room")
    scores = {}
    for model, folder in (("model", "model"), ("runs/lora/model_000004", "finished/lora/model_000004")):
        scores[model] = json.loads(hgpo("score", "--model", folder, "--text", "text", "--json", "--device", "cpu"))
    pathlib.Path("scores.json").write_text(json.dumps(scores) + "\n")
    with open("help.txt", "w") as file:
        for command in ["", *commands(hgpo("--help"))]:
            words = [command, "--help"] if command else ["--help"]
            file.write(f"$ hgpo {' '.join(words)}\n{hgpo(*words)}\n")


def commands(text):
    """The commands that a help lists."""
    listed = text.partition("Commands:\n")[2].partition("\n\n")[0].splitlines()
    names = [line.split()[0] for line in listed if line.startswith("  ") and line[2] != " "]
    return [name for name in names if name != "help"]


def stop(process, metrics):
    """Stops a run as Ctrl-C does, once it has done two iterations."""
    while process.poll() is None and not (metrics.exists() and metrics.read_bytes().count(b"\n") >= 2):
        time.sleep(0.0002)
    process.send_signal(signal.SIGTERM)
    process.wait()
    if metrics.read_bytes().count(b"\n") != 2:
        sys.exit(f"{metrics}: stopped too late, on a busy machine; begin again in a new folder")


def keep(made, name):
    """Moves what was made, without pictures, which nothing reads, and locks."""
    for path in pathlib.Path(made).rglob("*"):
        if path.name in ("lock", ".writing") or path.suffix == ".svg":
            path.unlink()
    pathlib.Path(name).parent.mkdir(parents=True, exist_ok=True)
    shutil.move(made, name)


main()
