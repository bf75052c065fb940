"""The metrics of a run as TensorBoard, wandb and trackio have them, without a network:

    pip install tensorboard==2.21.0 wandb==0.31.0 trackio==0.43.0 ./native/python
    python native/python/frameworks/try_trackers.py PROGRAM

PROGRAM is hgpo (target/release/hgpo). What each tracker's own code reads is compared with ``metrics.jsonl``.
"""

import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

TRAIN = ["train", "--preset", "gridworld", "--device", "cpu", "--log", "tensorboard", "--name", "logged"]
SETTINGS = ["evaluation.every=5", "evaluation.tasks=4", "checkpoint.every=4", "learn.iterations=10"]


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        # Both read these when they are imported.
        os.environ.update(WANDB_MODE="offline", WANDB_SILENT="true", TRACKIO_DIR=os.path.join(folder, "trackio"), HF_HUB_OFFLINE="1")
        hgpo(program, *TRAIN, *(word for setting in SETTINGS for word in ("--set", setting)))
        to_trackers(expected=10)
        # As after a kill between two checkpoints: iterations 9 and 10 are made again, and then more.
        subprocess.run(["rm", "-r", "runs/logged/checkpoints/iteration_000010"], check=True)
        hgpo(program, "train", "--resume", "logged", "--device", "cpu", "--set", "learn.iterations=14")
        to_trackers(expected=4)
        to_trackers(expected=0)
        check_tensorboard()
        check_wandb()
        check_trackio()
        refusals()
    print("TensorBoard, wandb and trackio have what the run recorded")


def hgpo(program, *arguments):
    subprocess.run([program, *arguments], check=True, stdout=subprocess.DEVNULL)


def to_trackers(expected):
    for tracker in ("wandb", "trackio"):
        command = [sys.executable, "-m", "hgpo.log", "runs/logged", "--to", tracker, "--follow"]
        told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        assert told.splitlines()[-1] == f"{expected} iterations sent to {tracker}", told


def recorded():
    lines = [json.loads(line) for line in pathlib.Path("runs/logged/metrics.jsonl").read_text().splitlines()]
    assert len(lines) == 14
    return lines


def check_tensorboard():
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator("runs/logged/tensorboard").Reload()
    for name in ("success_rate", "learning_rate", "eval/unseen/success_rate", "group_size/level_0/mean"):
        expected = [(line["iteration"], line[name]) for line in recorded() if name in line]
        found = [(event.step, event.value) for event in events.Scalars(name)]
        assert [step for step, _ in found] == [step for step, _ in expected], (name, found)
        assert all(abs(a - b) <= 1e-6 * abs(b) for (_, a), (_, b) in zip(found, expected)), name


def check_wandb():
    from wandb.proto.wandb_internal_pb2 import Record

    found = {}
    for path in sorted(pathlib.Path("wandb").glob("offline-run-*/*.wandb")):
        for data in wandb_records(path.read_bytes()):
            record = Record.FromString(data)
            if record.WhichOneof("record_type") == "history":
                items = {item.key or "/".join(item.nested_key): json.loads(item.value_json) for item in record.history.item}
                found[items["_step"]] = items["success_rate"]
    assert found == {line["iteration"]: line["success_rate"] for line in recorded()}, found


def wandb_records(content, block=32768):
    """The records of a file of wandb: LevelDB's log, after seven bytes of its own. Its reader is no Python any more."""
    at, parts = 7, []
    while at + 7 <= len(content):
        if block - at % block < 7:
            at += block - at % block
            continue
        length, kind = struct.unpack_from("<HB", content, at + 4)
        parts.append(content[at + 7 : at + 7 + length])
        at += 7 + length
        if kind in (1, 4):  # whole, or the last part
            yield b"".join(parts)
            parts = []


def check_trackio():
    from trackio.sqlite_storage import SQLiteStorage

    lines = SQLiteStorage.get_logs("hgpo", "logged")
    found = {line["step"]: line["success_rate"] for line in lines}
    assert len(lines) == 14 and found == {line["iteration"]: line["success_rate"] for line in recorded()}, found


def refusals():
    for arguments, told in ((["runs", "--to", "wandb"], "runs is no folder of a run"), (["runs/logged", "--to", "mlflow"], "invalid choice")):
        done = subprocess.run([sys.executable, "-m", "hgpo.log", *arguments], capture_output=True, text=True)
        assert done.returncode in (1, 2) and told in done.stderr and "Traceback" not in done.stderr, done.stderr


main()
