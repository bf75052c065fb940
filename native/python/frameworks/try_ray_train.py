"""Runs whose work is dealt out to two machines of a Ray cluster, beside those of one process: the same bytes, also where a
machine is lost on the way, where the run is killed or stopped and goes on; what a machine with another version says; and how
long it all takes. The machines are two of `ray.cluster_utils.Cluster`, with one processor each: processes of this one that
Ray takes for machines.

    pip install ray==2.60.0 ./native/python ./native/python-train
    python native/python/frameworks/try_ray_train.py PROGRAM [PART…]

PROGRAM is hgpo (target/release/hgpo), of the same commit; the parts are gridworld, chores, lost, version, killed and stopped.
"""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

import ray
from ray.cluster_utils import Cluster

import hgpo.ray

ITERATIONS = 20
LENGTH = ["--device", "cpu", "--set", f"learn.iterations={ITERATIONS}", "--set", "checkpoint.traces_every=1"]
CHORES = ["--preset", "chores", *LENGTH]
GRIDWORLD = ["--preset", "gridworld", *LENGTH]
SHORT = ["--preset", "chores-tiny", "--device", "cpu", "--set", "learn.iterations=60"]
APART = ("seconds", "time", "tokens_per_second", "peak_memory", "threads", "run")


def main():
    program, *chosen = sys.argv[1:]
    program = os.path.abspath(program)
    wanted = [part for part in PARTS if part in chosen or not chosen]
    os.environ.setdefault("RAY_AUTH_MODE", "disabled")
    # Ray's workers give way to all others of the machine, which would be measured too.
    os.environ.setdefault("RAY_worker_niceness", "0")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with processor(0):
            cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
        with processor(1):
            second = cluster.add_node(num_cpus=1)
        ray.init(address=cluster.address, log_to_driver=False, logging_level="error")
        assert ray.cluster_resources()["CPU"] == 2
        for part in wanted:
            second = PARTS[part](program, cluster, second)
        ray.shutdown()
        cluster.shutdown()


@contextlib.contextmanager
def processor(number):
    """What is started here, and by that, has one processor."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    mine = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {sorted(mine)[number % len(mine)]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, mine)


def train_alone(program, options, name, threads):
    if not pathlib.Path("runs", name).exists():
        subprocess.run([program, "train", *options, "--name", name, "--threads", str(threads)], check=True, capture_output=True)


def train_with_actors(options, name, actors):
    """Trains with actors, and gives what was told of them."""
    lines = []
    status = hgpo.ray.train([*options, "--name", name], actors=actors, told=lambda line: (lines.append(line), print(f"    {line}")))
    assert status == 0, status
    return lines


def run_files(name):
    """All files of a run, without what times and machines differ in."""
    root, found = pathlib.Path("runs", name), {}
    for path in sorted(it for it in root.rglob("*") if it.is_file() and it.name != "lock"):
        content = path.read_bytes()
        if path.name in ("metrics.jsonl", "summary.json"):
            told = [json.loads(content)] if path.name == "summary.json" else [json.loads(line) for line in content.splitlines()]
            content = [{key: value for key, value in it.items() if not key.startswith(APART)} for it in told]
        found[path.relative_to(root).as_posix()] = content
    return found


def same(name, expected):
    found, expected = run_files(name), run_files(expected)
    assert found.keys() == expected.keys(), found.keys() ^ expected.keys()
    for path, content in expected.items():
        assert found[path] == content, path
    return len(found)


def seconds(name):
    """Seconds of training, and steps that were played in them."""
    told = json.loads(pathlib.Path("runs", name, "summary.json").read_text())
    return told["seconds/training"], told["environment_steps"]


def the_same(program, options, name):
    """One process with one thread and two, one actor and two: the same run, and how long each takes."""
    train_alone(program, options, f"{name}-1-thread", 1)
    train_alone(program, options, f"{name}-2-threads", 2)
    train_with_actors(options, f"{name}-1-actor", 1)
    train_with_actors(options, f"{name}-2-actors", 2)
    ways = ["1-thread", "2-threads", "1-actor", "2-actors"]
    count = [same(f"{name}-{way}", f"{name}-1-thread") for way in ways][0]
    print(f"ray: {ITERATIONS} iterations of {name} come to the same {count} files in all ways")
    for way in ways:
        took, steps = seconds(f"{name}-{way}")
        print(f"    {name}, {way}: {took:.1f} s of training, {steps / took:.0f} steps of environments a second")
    subprocess.run([program, "eval", f"runs/{name}-2-actors", "--tasks", "8", "--device", "cpu"], check=True, capture_output=True)
    subprocess.run([program, "report", f"runs/{name}-2-actors", "-o", f"{name}.html"], check=True, capture_output=True)


def lines_of(name):
    path = pathlib.Path("runs", name, "metrics.jsonl")
    return len(path.read_text().splitlines()) if path.exists() else 0


def wait_for(name, count, process=None):
    while lines_of(name) < count:
        assert process is None or process.poll() is None, process.communicate()
        time.sleep(0.05)


def gridworld(program, _, second):
    the_same(program, GRIDWORLD, "gridworld")
    return second


def chores(program, _, second):
    the_same(program, CHORES, "chores")
    return second


def lose_machine(program, cluster, second):
    """A machine goes in the middle: the run goes on with what is left, and with another machine once there is one."""
    train_alone(program, CHORES, "chores-1-thread", 1)
    told = []
    run = threading.Thread(target=lambda: told.extend(train_with_actors(CHORES, "lost", 2)))
    run.start()
    wait_for("lost", 6)
    cluster.remove_node(second, allow_graceful=False)
    wait_for("lost", 12)
    with processor(1):
        third = cluster.add_node(num_cpus=1)
    run.join()
    assert [line.split(" on ")[0] for line in told] == ["lost the actor", "another actor works"], told
    same("lost", "chores-1-thread")
    assert len(list(pathlib.Path("runs/lost/traces").iterdir())) == ITERATIONS
    print(f"ray: a machine that was lost on the way changes nothing; {ITERATIONS} traces are complete, as without the loss")
    return third


def other_version(_, cluster, second):
    """A machine on which another hgpo-train is installed takes no part, and is named."""
    cluster.remove_node(second)
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "hgpo_train.py").write_text("def version(): return '0.0.9 (another)'\n")
        node = cluster.add_node(num_cpus=1, env_vars={"PYTHONPATH": folder})
        while ray.cluster_resources().get("CPU") != 2:
            time.sleep(0.1)
        try:
            train_with_actors(SHORT, "other-version", 2)
            raise AssertionError("a machine with another version took part")
        except RuntimeError as error:
            assert "has hgpo-train 0.0.9 (another), and the run is one of" in str(error), error
            assert "install the same package on all machines" in str(error), error
        assert not pathlib.Path("runs/other-version").exists()
        cluster.remove_node(node)
    print("ray: a machine with another version of the package is refused")
    return cluster.add_node(num_cpus=1)


def command(name, address, *options):
    line = [sys.executable, "-m", "hgpo.ray", "train", *options, "--address", address, "--actors", "2"]
    return subprocess.Popen([*line, *(["--name", name] if name else [])], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def killed(program, cluster, second):
    """SIGKILL of the process that trains: its actors go with it, and the run goes on from its checkpoint."""
    train_alone(program, SHORT, "short", 1)
    process = command("killed", cluster.address, *SHORT)
    wait_for("killed", 20, process)
    process.kill()
    process.wait()
    while ray.available_resources().get("CPU", 0) < 2:
        time.sleep(0.1)
    assert lines_of("killed") < 60
    process = command(None, cluster.address, "--resume", "runs/killed", "--device", "cpu")
    said, _ = process.communicate()
    assert process.returncode == 0 and "iterations 2" in said, said
    same("killed", "short")
    print("ray: a run that was killed goes on, and comes to the same")
    return second


def interrupted(program, cluster, second):
    """Ctrl-C saves; hgpo train goes on alone. A request to end does the same."""
    train_alone(program, SHORT, "short", 1)
    address = cluster.address
    for sent in (signal.SIGINT, signal.SIGTERM):
        name = f"stopped-{sent.value}"
        process = command(name, address, *SHORT)
        wait_for(name, 20, process)
        process.send_signal(sent)
        said, _ = process.communicate()
        assert process.returncode == 130, said
        assert f"continue with: python -m hgpo.ray train --resume runs/{name} --device cpu --address {address} --actors 2" in said, said
        assert 20 <= lines_of(name) < 60
        subprocess.run([program, "train", "--resume", f"runs/{name}", "--device", "cpu"], check=True, capture_output=True)
        same(name, "short")
    print("ray: a run that was stopped is gone on with by hgpo train, and comes to the same")
    return second


PARTS = dict(gridworld=gridworld, chores=chores, lost=lose_machine, version=other_version, killed=killed, stopped=interrupted)


if __name__ == "__main__":
    started = time.perf_counter()
    main()
    print(f"ray: all of it in {time.perf_counter() - started:.0f} s")
