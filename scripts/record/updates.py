"""Records the page's example of three updates, token by token: one prompt followed through training.

    HGPO_BIN=target/release/hgpo python scripts/record/updates.py --model SmolLM2-135M-Instruct.Q4_1.gguf [--into FILE]

A language model (`scripts/model` fetches it) trains for three iterations on chores. The seed is one of which all three
iterations begin with the same task in the same house (the things lie elsewhere), so that their first prompts are equal.
The traces become one file, an iteration a task; nothing in them is computed here. It takes ten minutes on two cores.
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]
TARGET = TOP / "assets/recorded/updates.rollouts.jsonl"
ITERATIONS = 3
SETTINGS = {
    "environment.max_steps": 5, "rollout.tasks": 1, "rollout.group_size": 5, "learn.iterations": ITERATIONS,
    "learn.mini_batch_size": 16, "learn.warmup_iterations": 0, "evaluation.tasks": 1, "evaluation.every": 100,
    "checkpoint.traces_every": 1, "trace.tokens": "true",
    # A little imitation, after which some answers are commands and others none.
    "warm_start.episodes": 20, "warm_start.mini_batch_size": 8,
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", required=True)
    parser.add_argument("--into", default=TARGET, type=pathlib.Path)
    asked = parser.parse_args()
    command = [os.environ["HGPO_BIN"], "train", "--preset", "smollm2-chores-cpu", "--device", "cpu", "--name", "updates",
               "--seed", "807983", "--model", os.path.abspath(asked.model)]
    for name, value in SETTINGS.items():
        command += ["--set", f"{name}={value}"]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(command, cwd=folder, check=True)
        traces = pathlib.Path(folder, "runs/updates/traces")
        lines = [path.read_text().splitlines() for path in sorted(traces.glob("*.jsonl"))]
    assert len(lines) == ITERATIONS
    made = json.loads(lines[0][0])
    del made["iteration"]
    written = [made]
    for number, (_, *trajectories) in enumerate(lines, start=1):
        for trajectory in map(json.loads, trajectories):
            for step in trajectory["steps"]:
                # Most of the file for a language model, and the page shows the prompt's text.
                step.pop("prompt_ids")
            written.append({**trajectory, "task": f"iteration {number}"})
    asked.into.parent.mkdir(exist_ok=True)
    asked.into.write_text("".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in written))
    print(f"{asked.into}: {asked.into.stat().st_size} bytes")


if __name__ == "__main__":
    main()
