"""Runs for which others work, in this process: Ray itself is tried in native/python/frameworks/try_ray_train.py."""

import itertools
import json
import queue
import signal
import time

import pytest

import hgpo_train

QUICK = ["--preset", "chores-tiny", "--device", "cpu"]


class Crew:
    """Workers of this process, of which every `lost`-th word loses one."""

    def __init__(self, jobs=2, lost=None):
        self.jobs, self.lost, self.words = jobs, lost, itertools.count(1)
        self.published, self.free, self.stopped, self.talks, self.gone = {}, queue.SimpleQueue(), False, itertools.count(), 0

    def begin(self, start):
        self.start = start
        for _ in range(self.jobs):
            self.free.put(hgpo_train.Worker(start, "cpu"))

    def publish(self, weights, data):
        self.published[weights] = data

    def withdraw(self, weights):
        del self.published[weights]

    def engage(self, weights):
        return Talk(self, self.free.get(), weights)

    def stop(self):
        self.stopped = True


class Talk:
    def __init__(self, crew, worker, weights):
        self.crew, self.worker, self.weights, self.number = crew, worker, weights, next(crew.talks)
        worker.hold(weights, crew.published[weights], list(crew.published))

    def say(self, message):
        heard = self.worker.say(self.number, self.weights, message)
        if self.crew.lost and next(self.crew.words) % self.crew.lost == 0:
            self.crew.gone += 1
            self.worker = hgpo_train.Worker(self.crew.start, "cpu")
            raise hgpo_train.Lost("gone")
        return heard

    def close(self):
        self.worker.leave(self.number)
        self.crew.free.put(self.worker)


def files(run):
    """What a run left, but for times and what machines differ in."""
    found = {}
    for path in sorted(it for it in run.rglob("*") if it.is_file() and it.name != "lock"):
        content = path.read_bytes()
        if path.name in ("metrics.jsonl", "summary.json"):
            documents = [json.loads(content)] if path.name == "summary.json" else [json.loads(line) for line in content.splitlines()]
            apart = ("seconds", "time", "tokens_per_second", "peak_memory", "threads", "run")
            content = [{key: value for key, value in it.items() if not key.startswith(apart)} for it in documents]
        found[path.relative_to(run).as_posix()] = content
    return found


def trained(tmp_path, name, crew, *options, preset=QUICK):
    status = hgpo_train.Training([*preset, "--runs", str(tmp_path), "--name", name, *options]).run(crew, "")
    return status, files(tmp_path / name)


@pytest.mark.parametrize("preset", [QUICK, ["--preset", "gridworld", "--set", "learn.iterations=3", "--set", "rollout.tasks=2"]])
def test_however_many_work_and_go_away_the_run_is_the_same(tmp_path, preset):
    one = trained(tmp_path, "one", Crew(1), preset=preset)
    three = trained(tmp_path, "three", Crew(3), preset=preset)
    losing = Crew(2, lost=5)
    lost = trained(tmp_path, "lost", losing, preset=preset)
    assert one[0] == 0 and "traces/iteration_000003.rollouts.jsonl" in one[1] and "summary.json" in one[1]
    assert losing.gone > 10 and losing.published == {}
    assert one == three == lost


def test_a_run_goes_on_from_its_checkpoint(tmp_path):
    whole = trained(tmp_path, "whole", Crew())
    status, _ = trained(tmp_path, "parts", Crew(), "--set", "learn.iterations=1")
    assert status == 0
    resume = ["--resume", "parts", "--runs", str(tmp_path), "--device", "cpu", "--set", "learn.iterations=3"]
    assert hgpo_train.Training(resume).run(Crew(), "") == 0
    of = "checkpoints/iteration_000003/"
    found = files(tmp_path / "parts")
    assert {name for name in found if name.startswith(of)} == {name for name in whole[1] if name.startswith(of)}
    assert all(found[name] == content for name, content in whole[1].items() if name.startswith(of))


def test_ctrl_c_saves_and_the_run_goes_on(tmp_path):
    class Impatient(Crew):
        def engage(self, weights):
            if next(self.words) == last // 2:
                # Who waits for the run hears of it; the run goes on until it is told.
                signal.raise_signal(signal.SIGINT)
                while not self.stopped:
                    time.sleep(0.01)
            return super().engage(weights)

    unhurried = Crew()
    whole = trained(tmp_path, "whole", unhurried)
    last = next(unhurried.talks)
    crew = Impatient()
    status, stopped = trained(tmp_path, "stopped", crew)
    assert status == 130 and crew.stopped and "summary.json" not in stopped
    assert hgpo_train.Training(["--resume", "stopped", "--runs", str(tmp_path), "--device", "cpu"]).run(Crew(), "") == 0
    found = files(tmp_path / "stopped")
    # What was evaluated again has the same numbers, whenever that was.
    assert found["checkpoints/iteration_000003/policy.safetensors"] == whole[1]["checkpoints/iteration_000003/policy.safetensors"]
    assert found["metrics.jsonl"] == whole[1]["metrics.jsonl"]


@pytest.mark.parametrize(
    ("options", "raised", "said"),
    [
        (["--set", "learn.iteration=3"], ValueError, "learn.iterations"), (["--set", "estimator=no-such"], ValueError, "no-such"),
        (["--threads", "2"], RuntimeError, "set --actors"), (["--resume", "no-such"], RuntimeError, "no run at .*python -m hgpo.ray train"),
        (["--device", "wgpu:99"], RuntimeError, "wgpu:99"),
    ],
)
def test_what_cannot_be_run_is_refused(tmp_path, options, raised, said):
    with pytest.raises(raised, match=said):
        hgpo_train.Training(["--runs", str(tmp_path), *options]).run(Crew(), "")
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(("options", "status"), [(["--help"], 0), (["--no-such"], 2), (["--device", "gpu"], 2), (["--preset", "chores", "--config", "x"], 2)])
def test_usage_is_said_and_exits(options, status, capsys):
    with pytest.raises(SystemExit) as ended:
        hgpo_train.Training(options)
    said = capsys.readouterr()
    assert ended.value.code == status and any(word in said.out + said.err for word in ("python -m hgpo.ray train", "wgpu:N"))


def test_a_crew_that_fails_ends_the_run_with_its_words(tmp_path):
    class Broken(Crew):
        def engage(self, weights):
            raise RuntimeError("the machines are on fire")

    with pytest.raises(RuntimeError, match="the machines are on fire"):
        trained(tmp_path, "broken", Broken())


class Begun(Exception):
    pass


def start_of(tmp_path):
    """What a crew is told to begin with."""

    class Curious(Crew):
        def begin(self, start):
            self.start = start
            raise Begun("enough")

    crew = Curious()
    with pytest.raises(RuntimeError, match="enough"):
        trained(tmp_path, "begun", crew)
    return crew.start


def test_another_version_is_refused(tmp_path):
    start = json.loads(start_of(tmp_path))
    assert start["version"] == hgpo_train.version()
    assert hgpo_train.Worker(json.dumps(start).encode(), "cpu").device == "CPU: chosen with --device cpu"
    start["version"] = "0.0.9 (abcdefg)"
    for other in (start, {"version": "0.0.9 (abcdefg)", "other": 1}):
        with pytest.raises(RuntimeError, match=r"0\.0\.9 .*install the same package hgpo-train on all machines"):
            hgpo_train.Worker(json.dumps(other).encode(), "cpu")


def test_words_that_make_no_sense_are_refused(tmp_path):
    with pytest.raises(RuntimeError, match="damaged"):
        hgpo_train.Worker(b"no start", "cpu")
    worker = hgpo_train.Worker(start_of(tmp_path), "cpu")
    with pytest.raises(ValueError, match="wgpu:N"):
        hgpo_train.Worker(b"", "gpu")
    with pytest.raises(RuntimeError, match="weights 3 are not here"):
        worker.say(0, 3, b"")
    for data in (b"", b"\xc3", b"\x92\xc2\xc4\x03abc"):
        with pytest.raises(RuntimeError):
            worker.hold(3, data, [])
    worker.leave(77)


