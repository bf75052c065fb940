"""Deals the runs of a study out."""

import json
import os
import pathlib
import shutil
import subprocess

import ray

from hgpo.ray import _files, _task
from hgpo.ray._connection import connected


def compare(study=None, *options, program="hgpo", address=None, shared=False, cpus=1.0, gpus=0.0, retries=3, told=print):
    """Runs the runs of a study as tasks of Ray, and keeps them in ``runs/STUDY`` of this folder, as `hgpo compare` does:
    what is finished is kept, and the same call goes on after any stop.

    Parameters
    ----------
    study : a study file, the folder of a study to go on with, or a built-in study.
    *options : others of `hgpo compare`, such as "--seeds", "1-8".
    program : `hgpo` itself, by name or path; it is sent to the machines, which need to be of the same kind.
    address : of Ray's cluster; the one that there is (`RAY_ADDRESS`), or a new one of this machine, by default.
    shared : whether all machines see this folder. If so, a run whose machine was lost goes on from its checkpoint
        elsewhere; else it begins anew. Both come to the same numbers.
    cpus, gpus : what a run needs.
    retries : how often a run whose worker or machine was lost is tried again; -1 without end.
    told : called with every line of progress.

    Returns
    -------
    int : the exit status of `hgpo compare`: 0 where all runs are finished, 1 where some are not.

    Raises
    ------
    ValueError : where there is no such program, or the study cannot be read.
    """
    path = shutil.which(program)
    if path is None:
        raise ValueError(f"there is no program {program!r}: build it (cargo install --path native), or give its path with --program")
    path, given = os.path.abspath(path), [*([] if study is None else [study]), *options]
    runs = list_runs(path, given)
    files, there = ({}, study) if shared else _files.of_study(study)
    arguments = ["compare", *([] if there is None else [there]), *options]
    finished = {run for run, status in runs if status == "finished"}
    told(f"{len(runs)} runs, {len(finished)} of them finished before")
    wanted = [run for run, _ in runs if run not in finished]
    needs = dict(num_cpus=cpus, num_gpus=gpus, max_retries=retries)
    if wanted:
        with connected(address, _files, _task):
            task = ray.remote(**needs)(_task.run_of_study)
            place = os.getcwd() if shared else None
            content = pathlib.Path(path).read_bytes()
            for line in _files.cramped(ray.nodes(), len(content)):
                told(line)
            content = ray.put(content)
            waiting = {task.remote(content, arguments, run, files, place): run for run in wanted}
            finished |= collect_runs(waiting, told)
    if finished:
        # What is finished is kept: this writes the summary and prints its tables.
        subprocess.run([path, "compare", *given, *(part for run in sorted(finished) for part in ("--only", run))], check=False)
    missing = len(runs) - len(finished)
    if missing:
        told(f"{missing} of {len(runs)} runs are not finished: to try them again, give the same command")
    return 1 if missing else 0


def collect_runs(waiting, told):
    """Takes runs in as they come, and gives the names of those that are finished."""
    finished, count = set(), len(waiting)
    while waiting:
        (ready,), _ = ray.wait(list(waiting), num_returns=1)
        run = waiting.pop(ready)
        try:
            machine, status, said, files = ray.get(ready)
        except ray.exceptions.RayError as error:
            told(f"{run}  lost, {len(waiting)} to come: {str(error).strip().splitlines()[-1]}")
            continue
        _files.take_in(files, run, ".")
        if status == 0:
            finished.add(run)
        told(f"{run}  {'finished' if status == 0 else 'failed'} on {machine}, {len(finished)}/{count} runs done, {len(waiting)} to come")
        if status != 0:
            told(said.rstrip())
    return finished


def list_runs(program, given):
    """The runs of a study and how far each is, as `hgpo compare --list` tells."""
    found = subprocess.run([program, "compare", *given, "--list", "--json"], capture_output=True, text=True)
    if found.returncode != 0:
        raise ValueError(found.stderr.strip().removeprefix("error: "))
    lines = [json.loads(line) for line in found.stdout.splitlines()]
    return [(f"{line['arm']}/{line['seed']}", line["status"]) for line in lines]
