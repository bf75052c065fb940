"""Cuts the power: what was not flushed to the disk is lost, then the run must go on by itself."""

import os
import re
import shutil

import journal
from scenario import NAME, iterations_done

SAVED = re.compile(rf"runs/{NAME}/checkpoints/iteration_(\d+)$")


def attack(chosen, moments, generator, folder, report):
    """`moments` moments, each with every view of what lasts; trials by view, and what failed."""
    trials, failures = dict.fromkeys(journal.VIEWS, 0), []
    for moment in range(moments):
        scenario = chosen[moment % len(chosen)]
        disk, operations = journal.Disk(), scenario.journal
        saved = Saved()
        if moment % 3 == 2:
            # A run that was killed and resumed before: what the killed process has not flushed is as
            # unsafe as what its successor writes.
            lines = [at for at, it in enumerate(operations, 1) if it[0] == "W" and it[3].startswith(b'{"iteration":')]
            killed = generator.choice([generator.choice(lines), generator.randrange(1, len(operations))])
            play(disk, saved, operations[:killed])
            operations = resume_after_cut(scenario, disk, os.path.join(folder, "before"))
        play(disk, saved, operations[:generator.randrange(1, len(operations) + 1)])
        for view in journal.VIEWS:
            place = os.path.join(folder, f"power-{moment}-{view}")
            contents = disk.after_cut(view, generator)
            write_tree(place, contents)
            trials[view] += 1
            call, wrong = check_recovery(scenario, place, saved.newest)
            if wrong:
                kept = "after a kill, " if moment % 3 == 2 else ""
                failures.append(f"power {moment} ({scenario.name}, seed {scenario.seed}, {kept}{view}, "
                                f"saved {saved.newest}): {wrong}\n{call}\nkept: {place}.cut")
                write_tree(place + ".cut", contents)
            shutil.rmtree(place)
        report(moment + 1, moments, len(failures))
    return trials, failures


class Saved:
    """The newest checkpoint that the program has finished saving."""

    def __init__(self):
        self.newest, self.renamed, self.checkpoints = None, None, set()

    def observe(self, operation):
        kind, *values = operation
        if kind == "R" and (found := SAVED.search(values[1])):
            self.renamed = int(found[1])
        elif kind == "O" and values[2] == f"runs/{NAME}/checkpoints":
            self.checkpoints.add(values[0])
        elif kind == "O":
            self.checkpoints.discard(values[0])
        elif kind == "S" and values[0] in self.checkpoints and self.renamed is not None:
            self.newest = self.renamed


def play(disk, saved, operations):
    for operation in operations:
        disk.apply(operation)
        saved.observe(operation)


def resume_after_cut(scenario, disk, place):
    """The operations of a process that goes on with what is there."""
    write_tree(place, disk.contents())
    log = place + ".journal"
    arguments = [*scenario.resume, "--threads", "1"]
    call = scenario.program.call(arguments, place, {"ATTACK_LOG": log})
    if call.status == 1 and "no run at" in call.err:
        os.path.exists(log) and os.remove(log)
        scenario.program.call([*scenario.begin, "--threads", "1"], place, {"ATTACK_LOG": log})
    operations = journal.read(log)
    os.remove(log)
    shutil.rmtree(place)
    return operations


def write_tree(place, contents):
    """Puts files and folders there."""
    os.makedirs(place)
    for name, inner in contents.items():
        path = os.path.join(place, name)
        if isinstance(inner, dict):
            write_tree(path, inner)
        else:
            with open(path, "wb") as file:
                file.write(inner)


def check_recovery(scenario, place, saved):
    call = scenario.program.call([*scenario.resume, "--threads", "1"], place)
    at = iterations_done(call)
    if call.status == 1 and "no run at" in call.err:
        if saved is not None:
            return call, f"the run is gone, though iteration {saved} was saved"
        call, wrong = scenario.complete(place)
        return call, wrong
    wrong = call.failure()
    if not wrong and call.status != 0:
        wrong = "it does not resume by itself"
    if not wrong and at is not None and saved is not None and at < saved:
        wrong = f"it goes back to iteration {at}, though iteration {saved} was saved"
    if not wrong and saved is not None and "\nwarm start: " in call.out:
        wrong = "it repeats the warm start, though that was saved"
    return call, wrong or scenario.difference(place)
