"""The runs that are attacked, and what each comes to when nothing disturbs it."""

import json
import os
import shutil

import journal
from reproducible_files import difference, read_run

NAME = "attacked"
SMALL = ["rollout.tasks=2", "rollout.group_size=4", "warm_start.episodes=60", "warm_start.epochs=2",
         "evaluation.tasks=16", "evaluation.seeds=[1,2]"]
HOUSES = ["environment.generated.houses=4", "environment.generated.longest_plan=12"]
SHAPE = ["model.hidden_size=32", "model.intermediate_size=64", "model.num_hidden_layers=1",
         "model.num_attention_heads=2", "model.num_key_value_heads=1", "initialization.look_back=false"]
SCENARIOS = {
    "chores, table": ("chores", [*SMALL, "policy.kind=table", "rollout.history_length=0", "learn.iterations=24", "checkpoint.every=5",
                                 "checkpoint.traces_every=4", "evaluation.every=8"]),
    "chores, transformer": ("chores", [*SMALL, *SHAPE, "learn.iterations=12", "checkpoint.every=4",
                                       "checkpoint.traces_every=3", "evaluation.every=6"]),
    "games, table": ("alfworld-generated", [*SMALL, *HOUSES, "policy.kind=table", "rollout.history_length=0", "learn.iterations=16",
                                            "checkpoint.every=3", "checkpoint.traces_every=5"]),
    "games, transformer": ("alfworld-generated", [*SMALL, *HOUSES, *SHAPE, "learn.iterations=8",
                                                  "checkpoint.every=2", "checkpoint.traces_every=2"]),
    "team, transformers": ("guide-team", [*SMALL, *SHAPE, "agents.guide.policy=own", "agents.walker.policy=own",
                                          "agents.walker.learning_rate=0.002", "learn.agent_average=agents",
                                          "learn.iterations=8", "checkpoint.every=3", "checkpoint.traces_every=3"]),
}


class Scenario:
    """One run: its settings, and its files where nothing disturbed it."""

    def __init__(self, program, name, seed, folder):
        preset, settings = SCENARIOS[name]
        self.name, self.program, self.seed = name, program, seed
        self.settings = ["train", "--device", "cpu", "--preset", preset, "--seed", str(seed)]
        for setting in settings:
            self.settings += ["--set", setting]
        self.begin = [*self.settings, "--name", NAME]
        self.resume = ["train", "--device", "cpu", "--resume", NAME]
        self.folder = os.path.join(folder, "-".join([*name.replace(",", "").split(), str(seed)]))
        os.makedirs(self.folder)
        self.record()
        self.files = read_run(os.path.join(self.folder, "runs", NAME))
        plain = self.run_undisturbed([*self.settings, "--name", "again"])
        self.seconds, self.lines = plain.seconds, len(plain.out[:plain.out.find("\nsuccess ")].splitlines())
        again = difference(self.files, read_run(os.path.join(self.folder, "runs", "again")))
        if again:
            raise SystemExit(f"two undisturbed runs differ: {again}")

    def run_undisturbed(self, arguments, settings=None):
        return self.program.call([*arguments, "--threads", "1"], self.folder, settings).require_success()

    def record(self):
        """Runs once with every operation on files in a journal."""
        log = os.path.join(self.folder, "journal")
        self.run_undisturbed(self.begin, {"ATTACK_LOG": log})
        self.journal = journal.read(log)
        os.remove(log)
        self.bytes = sum(len(operation[3]) for operation in self.journal if operation[0] == "W")
        self.operations = sum(operation[0] != "O" or operation[2] for operation in self.journal)
        disk, self.peak = journal.Disk(), 0
        for operation in self.journal:
            disk.apply(operation)
            self.peak = max(self.peak, disk.pages())

    def difference(self, folder):
        """The first thing in which a run in `folder` differs from the undisturbed one."""
        return difference(self.files, read_run(os.path.join(folder, "runs", NAME)))

    def complete(self, folder, threads=1):
        """Goes on with a run as its user would: resumes it, or begins again where there is none. The last
        call, and what is wrong."""
        call = self.program.call([*self.resume, "--threads", str(threads)], folder)
        if call.status == 1 and "no run at" in call.err:
            call = self.program.call([*self.begin, "--threads", str(threads)], folder)
        wrong = call.failure()
        if not wrong and call.status != 0:
            wrong = "it cannot be resumed"
        return call, wrong or self.difference(folder)


def scenarios(program, generator, folder, seeds=3):
    """Every kind of run with some seeds."""
    chosen = []
    for name in SCENARIOS:
        for _ in range(seeds):
            chosen.append(Scenario(program, name, generator.randrange(1, 10**6), folder))
    return chosen


def iterations_done(call):
    """Iterations that a call found done when it opened the run; none where it did not come so far."""
    for line in call.out.splitlines():
        if line.startswith("policy ") and line.endswith(" iterations done"):
            return int(line.split(", ")[-1].split(" of ")[0])
    return None


def metrics(folder):
    """The numbers of iterations that a run has recorded."""
    try:
        with open(os.path.join(folder, "runs", NAME, "metrics.jsonl")) as file:
            return [json.loads(line)["iteration"] for line in file]
    except FileNotFoundError:
        return []


def end_trial(place, wrong, failures):
    """Ends a trial: what is wrong is noted and its folder kept, which otherwise goes."""
    if wrong:
        failures.append(f"{wrong}\nkept: {place}")
    else:
        shutil.rmtree(place)
