"""Commands of a week of use, and what each may come to. A command is its name and numbers between 0 and 1,
so that a sequence can be carried out again, also with some of it left out."""

import os
import re
import shutil
import signal
import time

import damages
import oracle
from damages import choose
from reproducible_files import list_folder
from scenario import iterations_done

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGHUP]
HARMLESS = ["checkpoint.every=1", "checkpoint.every=2", "checkpoint.every=5", "checkpoint.keep=1",
            "checkpoint.keep=4", "checkpoint.traces_every=1"]
LEARNING = ["learn.learning_rate=0.002", "learn.kl_coefficient=0.05", "learn.iterations=15", "rollout.tasks=3",
            "estimator=gigpo", "learn.epochs=2"]
FIXED = ["seed=9", "environment.max_steps=9", "warm_start.episodes=5", "model.hidden_size=48",
         "environment.name=alfworld-generated"]
BROKEN = ["learn.iterations = \n", "[learn\n", "nonsense = 1\n", "[checkpoint]\nevery = -1\n", "\x00\xff"]
MANY = 6  # numbers that a command is made of


class Violation(Exception):
    """Something that may not happen."""


def require(holds, what, call=None):
    if not holds:
        raise Violation(f"{what}\n{call}" if call else what)


class User:
    """Who has one run, and does with it what users do."""

    def __init__(self, program, reference, folder):
        self.program, self.reference, self.folder = program, reference, folder
        self.run = os.path.join(folder, "runs", reference.NAME)
        self.config = os.path.join(self.run, "config.toml")
        self.seconds = 0.1  # that a whole run takes, for the moments of signals
        # What may not be compared any more, because the user has changed it.
        self.unlike = set()

    def call(self, arguments, killed=(), **more):
        call = self.program.stop(arguments, self.folder, **more) if more else self.program.call(arguments, self.folder)
        wrong = call.failure(killed)
        require(not wrong, wrong, call)
        return call

    def resume_arguments(self, settings=()):
        arguments = ["train", "--device", "cpu", "--threads", "1", "--resume", self.reference.NAME]
        for setting in settings:
            arguments += ["--set", setting]
        return arguments

    def is_begun(self):
        return os.path.exists(self.config)

    def newest(self):
        found = oracle.checkpoints(self.run)
        return found[-1] if found else (None, None)

    def check_resumption(self, call, expected, allowed=(0,)):
        """Whether a call that opens the run has done what its files demand."""
        kind, value = expected
        if kind == "refused":
            require(call.status == 1 and value in call.err, f"no refusal that names {value}", call)
        elif kind == "from":
            require(call.status in allowed, f"the run is not resumed from {value}", call)
            at = iterations_done(call)
            require(at is None or at == value, f"resumed from {at} in place of {value}", call)
        elif call.status == 0 or iterations_done(call) is not None:
            self.unlike |= {"numbers", "evaluations"}

    def check_training(self, call):
        """What must hold after training has ended in order."""
        if call.status not in (0, 130) or iterations_done(call) is None:
            return
        metrics = oracle.whole_lines(os.path.join(self.run, "metrics.jsonl"))
        with open(os.path.join(self.run, "metrics.jsonl"), "rb") if metrics else open(os.devnull, "rb") as file:
            require(file.read().count(b"\n") == len(metrics), "metrics.jsonl is not of consecutive iterations", call)
        saved = re.search(r"saved after iteration (\d+)", call.out)
        require(not saved or int(saved[1]) == len(metrics), "what is said to be saved is not what is recorded", call)
        at, folder = self.newest()
        require(at is None or at == len(metrics), "checkpoint and metrics differ in their iteration", call)
        if at is None or "numbers" in self.unlike:
            return
        require(oracle.damage(at, folder) is None, "a new checkpoint is not whole", call)
        require(oracle.digests(folder) == self.reference.weights[at], "weights differ from the undisturbed run", call)
        last = len(metrics) - (call.status != 0 and len(metrics) > 0)  # its evaluation may not be done yet
        if "metrics" not in self.unlike:
            require(metrics[:last] == self.reference.metrics[:last], "metrics differ from the undisturbed run", call)
        if call.status == 0 and "evaluations" not in self.unlike:
            with open(os.path.join(self.run, "evaluations.jsonl"), "rb") as file:
                require(file.read() == self.reference.evaluations, "evaluations differ from the undisturbed run", call)

    # What users do

    def train(self, how, when, which, *_):
        """Begins the run, or tries to where it is there; sometimes stops it."""
        begun = self.is_begun() or self.has_files()
        arguments = self.reference.train(self.reference.SAVING)
        if how < 0.5:
            call = self.call(arguments)
        else:
            number = choose(SIGNALS, which)
            call = self.call(arguments, killed=(number,), seconds=when * self.seconds * 1.2, number=number)
        if begun:
            require(call.status in (1, *self.stopped_statuses(call)) and (call.status != 1 or "exists" in call.err),
                   "a second run of the same name", call)
            return
        require(call.status == 0 or call.status in self.stopped_statuses(call), "the run does not begin", call)
        self.unlike = set()
        if call.status == 0:
            self.seconds = call.seconds
        self.check_training(call)

    def stopped_statuses(self, call):
        """Statuses of a call that a signal has ended: before it listens, by the signal itself."""
        asleep = iterations_done(call) is None
        return (130, -signal.SIGKILL, *((-number for number in SIGNALS) if asleep else ()))

    def resume(self, how, when, which, *_):
        """Goes on with the run; sometimes stops it."""
        if not self.is_begun():
            return self.check_absence(self.resume_arguments())
        expected = oracle.start(self.run)
        if how < 0.5:
            call = self.call(self.resume_arguments())
            self.check_resumption(call, expected)
        else:
            number = choose(SIGNALS, which)
            call = self.call(self.resume_arguments(), killed=(number,), seconds=when * self.seconds, number=number)
            if expected[0] != "refused" or call.status not in self.stopped_statuses(call):
                self.check_resumption(call, expected, (0, *self.stopped_statuses(call)))
        self.check_training(call)

    def has_files(self):
        """Whether there is more of a run than a start leaves that was killed at once."""
        return os.path.isdir(self.run) and set(os.listdir(self.run)) - {"lock", ".config.toml.partial"}

    def check_absence(self, arguments):
        call = self.call(arguments)
        if self.has_files():
            # It has lost its settings: then `train --name` is refused, too.
            require(call.status == 0 or "starts one" not in call.err, "advice that does not work", call)
        else:
            require(call.status == 1 and "no run at" in call.err, "a run that is not there", call)

    def set(self, how, which, *_):
        """Goes on with another setting: one that changes no number, one that does, or one that is fixed."""
        if not self.is_begun():
            return self.check_absence(self.resume_arguments())
        expected = oracle.start(self.run)
        settings = HARMLESS if how < 0.6 else LEARNING if how < 0.7 else FIXED
        setting = choose(settings, which)
        if settings is LEARNING and expected[0] == "from":
            self.unlike |= {"numbers", "evaluations", "metrics"}
        call = self.call(self.resume_arguments([setting]))
        if settings is FIXED and expected[0] == "from":
            require(call.status == 1 and setting.split("=")[0] in call.err, "a fixed setting is changed", call)
        elif settings is LEARNING and call.status == 1 and "would change nothing" in call.err:
            require(" is finished: " in call.out, "a setting is refused that something is left to train with", call)
        else:
            self.check_resumption(call, expected)
            self.check_training(call)

    def edit(self, how, which, *_):
        """Edits the settings in the run's file: a fixed one, one that is none, or all of them away."""
        if not self.is_begun():
            return
        with open(self.config, "rb") as file:
            before = file.read()
        expected = oracle.start(self.run)
        fixed = expected[0] == "from" and oracle.checkpoints(self.run)  # else there is nothing yet that is
        if how < 0.5:
            name, value = choose(FIXED, which).split("=")
            table, _, key = name.rpartition(".")
            text = before.decode()
            place = text.index(f"[{table}]") if table else 0
            old = re.compile(rf"^{key} = .*$", re.M)
            value = f'"{value}"' if not value.isdigit() else value
            text = text[:place] + old.sub(f"{key} = {value}", text[place:], count=1)
            words = name
        elif how < 0.8:
            text, words = before.decode() + choose(BROKEN, which), "config.toml"
        else:
            text, words = "", None  # all settings are those of the checkpoint then
        if words != "config.toml" and not fixed:
            return
        with open(self.config, "w", encoding="latin-1") as file:
            file.write(text)
        calls = [self.call(self.resume_arguments()), self.call(["eval", "--device", "cpu", self.reference.NAME])]
        for call in calls:
            if expected[0] == "refused" and call is calls[0]:
                require(call.status == 1 and expected[1] in call.err, f"no refusal that names {expected[1]}", call)
            elif words is None:
                require(call.status == 0, "settings that the file lacks are not what they were", call)
            else:
                require(call.status == 1 and words in call.err, f"no refusal that names {words}", call)
        if words is not None:
            with open(self.config, "wb") as file:
                file.write(before)
        else:
            self.check_training(calls[0])

    def evaluate(self, how, which, *_):
        more = choose([[], ["--split", "seen"], ["--seeds", "7"]], which)
        self.check_numbers(["eval", "--device", "cpu", "--threads", "1", *more, self.reference.NAME])

    def bias(self, *_):
        self.check_numbers(["bias", "--device", "cpu", "--threads", "1", "--tasks", "1", "--groups", "2", "--rollouts", "2",
                   "--estimators", "hgpo", self.reference.NAME])

    def check_numbers(self, arguments):
        """Asks for numbers of the newest checkpoint: those of intact weights, or none."""
        if not self.is_begun():
            return self.check_absence(arguments)
        at, folder = self.newest()
        known = folder and os.path.exists(os.path.join(folder, "manifest.json"))
        call = self.call(arguments)
        if at is None:
            require(call.status == 1 and "no checkpoint" in call.err, "numbers without a checkpoint", call)
        elif known and (problem := oracle.damage(at, folder)):
            require(call.status == 1 and problem in call.err, f"numbers of a checkpoint with a damaged {problem}", call)
            return
        if known:
            require(call.status == 0, "an intact checkpoint is refused", call)
        if at in self.reference.weights and not self.unlike and call.status == 0:
            intact = oracle.digests(folder) == self.reference.weights[at]
            require(intact, "numbers of damaged weights", call)
            expected = self.reference.say(at, arguments)
            # Where bias.json goes depends on what is there already.
            place = re.compile(r"/bias(-\d+)?$", re.M)
            require(place.sub("", call.out) == place.sub("", expected), f"not the numbers of the undisturbed run:\n{expected}", call)

    def advantages(self, which, *_):
        """Estimates the advantages of a trace."""
        traces = [name for name in list_folder(os.path.join(self.run, "traces")) if name[0] == "i"]
        if not traces:
            return
        name = choose(traces, which)
        path = os.path.join("runs", self.reference.NAME, "traces", name)
        arguments = ["advantages", path, "--recorded"]
        call = self.call(arguments)
        iteration = int(name[len("iteration_"):][:6])
        with open(os.path.join(self.folder, path), "rb") as file:
            data = file.read()
        if iteration <= self.reference.ITERATIONS and data == self.reference.trace(iteration):
            require(call.status == 0 and call.out == self.reference.say(iteration, arguments),
                   "not the advantages of the undisturbed run", call)
        elif call.status != 0:
            require(name in call.err, "a failure that does not name the file", call)

    def preview(self, *_):
        """Asks what would be done, which changes nothing."""
        before = damages.snapshot(self.run)
        call = self.call(["train", "--dry-run", "--resume", self.reference.NAME])
        require(damages.snapshot(self.run) == before, "a preview has changed files", call)

    def twice(self, when, *_):
        """Two processes at once on one run."""
        if not self.is_begun():
            return
        expected = oracle.start(self.run)
        first = self.program.start(self.resume_arguments(), self.folder)
        time.sleep(when * self.seconds)
        second = self.call(self.resume_arguments())
        out, err = first.communicate(timeout=60)
        if expected[0] != "from":
            if expected[0] == "unknown":
                self.unlike |= {"numbers", "evaluations", "metrics"}
            return
        # Where the second has come first, the first is the one that is refused.
        require(first.returncode == 0 or first.returncode == 1 and "is in use by" in err, f"the first of two: {err}{out}")
        require(second.status == 0 or second.status == 1 and "is in use by" in second.err, "the second of two", second)
        require(0 in (first.returncode, second.status), "both of two are refused", second)
        self.check_training(second)

    def harm(self, how, which, where, bit, also, *_):
        """Deletes, cuts or flips a bit of one of the run's files."""
        damages.damage_run(self, how, which, where, bit, also)

    def end(self):
        """Whatever has happened: what can go on goes on, to the numbers of an undisturbed run."""
        if not self.is_begun():
            self.check_absence(self.resume_arguments())
            shutil.rmtree(self.run, ignore_errors=True)
            call = self.call(self.reference.train(self.reference.SAVING))
            require(call.status == 0, "the run does not begin", call)
            self.unlike = set()
        else:
            expected = oracle.start(self.run)
            call = self.call(self.resume_arguments())
            self.check_resumption(call, expected)
        self.check_training(call)
