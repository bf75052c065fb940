"""A study dealt out to two machines of a Ray cluster, of which one is lost on the way, and one that is stopped; and what
Ray's workers do with `hgpo.verl_agent.install`:

    pip install ray==2.60.0 "./native/python[envs]"
    python native/python/frameworks/try_ray.py PROGRAM

PROGRAM is hgpo (target/release/hgpo). The machines are two of `ray.cluster_utils.Cluster`, with one processor each:
processes of this one that Ray takes for machines.
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time

import ray
from ray.cluster_utils import Cluster

import hgpo.ray

STUDY = """
preset = "gridworld"
seeds = "1-3"
environment_steps = {steps}
[set]
"learn.iterations" = 50000
[arms.grpo]
estimator = "grpo"
[arms.hgpo]
estimator = "hgpo"
"""
# Runs of a few seconds, so that both machines are still at theirs when one goes.
STEPS_WHEN_LOST = 5_000_000
# Ray gives machines of this kind 150 MB for objects, and a study that was stopped leaves the program there (100 MB).
MACHINE = dict(num_cpus=1, object_store_memory=1_000_000_000)
STOPPED = "stopped: finished runs are kept, and the same command goes on"
OF_THE_MACHINE = ("seconds", "peak_memory_bytes", "device", "threads", "command")


def main():
    program = os.path.abspath(sys.argv[1])
    os.environ.setdefault("RAY_AUTH_MODE", "disabled")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        expected = run_alone(program)
        cluster = Cluster(initialize_head=True, head_node_args=MACHINE)
        second = cluster.add_node(**MACHINE)
        ray.init(address=cluster.address, log_to_driver=False, logging_level="error", runtime_env={"worker_process_setup_hook": "hgpo.verl_agent.install"})
        assert ray.cluster_resources()["CPU"] == 2
        the_hook()
        run_on_ray(program, expected, shared=False)
        lose_machine(program, cluster, second)
        cluster.add_node(**MACHINE)
        run_on_ray(program, expected, shared=True)
        a_failure(program)
        stopped(program, cluster.address)
        ray.shutdown()
        cluster.shutdown()


def write(name, steps=40000):
    pathlib.Path(name).mkdir()
    pathlib.Path(name, f"{name}.toml").write_text(STUDY.format(steps=steps))
    os.chdir(name)
    return f"{name}.toml"


def run_alone(program, name="alone", steps=40000):
    """What `hgpo compare` itself comes to."""
    study = write(name, steps)
    subprocess.run([program, "compare", study, "--jobs", "2"], check=True, capture_output=True)
    found = study_files(name)
    os.chdir("..")
    return found


def study_files(name):
    """A study's summary and the bytes of its policies, without what machines differ in."""
    root = pathlib.Path("runs", name)
    policies = {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("policy.csv"))}
    return without(json.loads((root / "summary.json").read_text())), policies


def without(told):
    if isinstance(told, dict):
        return {name: without(it) for name, it in told.items() if name not in ("study", *OF_THE_MACHINE)}
    return [without(it) for it in told] if isinstance(told, list) else told


def compare(study, program, **options):
    """Deals a study out, and gives the status and which run was finished where."""
    lines = []
    status = hgpo.ray.compare(study, program=program, told=lambda line: (lines.append(line), print(f"    {line}")), **options)
    return status, lines


def run_on_ray(program, expected, shared):
    name = "shared" if shared else "sent"
    study = write(name)
    status, lines = compare(study, program, shared=shared)
    assert status == 0 and sum(" finished on " in line for line in lines) == 6, lines
    assert same(study_files(name), expected)
    status, lines = compare(f"runs/{name}", program, shared=shared)
    assert status == 0 and lines == ["6 runs, 6 of them finished before"], lines
    # Part of a study, that somebody else goes on with.
    subprocess.run(["rm", "-r", f"runs/{name}/hgpo/2", f"runs/{name}/summary.json"], check=True)
    status, lines = compare(f"runs/{name}", program, shared=shared)
    assert status == 0 and lines[0] == "6 runs, 5 of them finished before", lines
    assert same(study_files(name), expected)
    os.chdir("..")
    print(f"ray: 6 runs on two machines ({name}) come to the same summary and policies as hgpo compare")


def same(found, expected):
    for path, policy in expected[1].items():
        assert found[1].get(path) == policy, path
    assert found[0] == expected[0], difference(found[0], expected[0])
    return True


def difference(found, expected, at=""):
    if isinstance(expected, dict):
        return [line for key in expected for line in difference(found.get(key), expected[key], f"{at}.{key}")]
    return [] if found == expected else [(at, str(found)[:100], str(expected)[:100])]


def lose_machine(program, cluster, second):
    """One machine goes while it works: its run is made again on the other."""
    expected = run_alone(program, "lost-alone", STEPS_WHEN_LOST)
    study = write("lost", STEPS_WHEN_LOST)
    places = pathlib.Path(tempfile.gettempdir())
    before = set(places.glob("hgpo-*"))

    def lose():
        # Both machines are at a run of theirs, each in a folder of its own.
        while len(set(places.glob("hgpo-*/runs/lost")) - before) < 2:
            time.sleep(0.05)
        time.sleep(1.0)
        cluster.remove_node(second, allow_graceful=False)

    gone = threading.Thread(target=lose)
    gone.start()
    status, lines = compare(study, program)
    gone.join()
    assert status == 0 and same(study_files("lost"), expected)
    assert ray.cluster_resources()["CPU"] == 1
    (abandoned,) = set(places.glob("hgpo-*")) - before
    assert not list(abandoned.rglob("summary.json")) or "finished" not in (abandoned / "runs/lost/summary.json").read_text()
    shutil.rmtree(abandoned)
    left = runs_there()
    assert not left, left
    os.chdir("..")
    print("ray: a machine that was lost on the way changes nothing, and leaves no run behind")


def a_failure(program):
    """A run that cannot be made is told with what it said, and stops no other."""
    study = write("fails")
    pathlib.Path(study).write_text(pathlib.Path(study).read_text() + '[arms.broken]\nestimator = "hgpo"\n"learn.learning_rate" = 1e37\n')
    status, lines = compare(study, program)
    failed = [line for line in lines if " failed on " in line]
    assert status == 1 and len(failed) == 3 and sum(" finished on " in line for line in lines) == 6, lines
    assert lines[-1] == "3 of 9 runs are not finished: to try them again, give the same command"
    assert json.loads(pathlib.Path("runs/fails/summary.json").read_text())
    try:
        compare("no-such.toml", program)
        raise AssertionError("a study that there is not was taken")
    except ValueError as error:
        assert "no study at no-such.toml" in str(error), error
    os.chdir("..")
    print("ray: runs that fail are told, the others are finished")


def stopped(program, address):
    """Ctrl-C and a request to end stop the runs, too; the same command goes on where they were."""
    expected = run_alone(program, "stopped-alone", STEPS_WHEN_LOST)
    # Where this was started in the background, what it starts does not hear Ctrl-C either, without this.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for sent in (signal.SIGINT, signal.SIGTERM):
        name = f"stopped-{sent.value}"
        study = write(name, STEPS_WHEN_LOST)
        command = [sys.executable, "-m", "hgpo.ray", "compare", study, "--program", program, "--shared", "--address", address]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        while sum(lines_of(path) > 20 for path in pathlib.Path("runs").glob("*/*/*/metrics.jsonl")) < 2:
            assert process.poll() is None, process.communicate()
            time.sleep(0.05)
        process.send_signal(sent)
        said, _ = process.communicate()
        assert process.returncode == 130 and said.splitlines()[-1] == STOPPED, said
        until = time.monotonic() + 10
        while (left := runs_there()) and time.monotonic() < until:
            time.sleep(0.05)
        assert not left, left
        status, lines = compare(f"runs/{name}", program, shared=True)
        assert status == 0 and same(study_files(name), expected)
        os.chdir("..")
    print("ray: a study that was stopped leaves no run behind, goes on, and comes to the same")


def lines_of(path):
    return path.read_bytes().count(b"\n")


def runs_there():
    """Processes at a run of a study."""
    return subprocess.run(["pgrep", "-f", "compare.*--only"], capture_output=True, text=True).stdout.split()


def the_hook():
    """Ray calls `install` in its workers before any task: verl-agent's functions are replaced there."""
    with tempfile.TemporaryDirectory() as folder:
        package = pathlib.Path(folder, "gigpo")
        package.mkdir()
        (package / "__init__.py").write_text("")
        (package / "core_gigpo.py").write_text(
            textwrap.dedent(
                """
                def compute_gigpo_outcome_advantage(): return "theirs"
                """
            )
        )

        @ray.remote
        def module_of_estimator():
            sys.path.insert(0, folder)
            from gigpo import core_gigpo

            return core_gigpo.compute_gigpo_outcome_advantage.__module__

        assert ray.get(module_of_estimator.remote()) == "hgpo.verl_agent._advantages"
    print("ray: worker_process_setup_hook installs in workers")


if __name__ == "__main__":
    started = time.perf_counter()
    main()
    print(f"ray: all of it in {time.perf_counter() - started:.0f} s")
