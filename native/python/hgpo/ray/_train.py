"""Trains with the policy's work dealt out to actors of Ray."""

import functools

import ray

from hgpo.ray import _actor
from hgpo.ray._connection import connected


def train(arguments=(), *, address=None, actors=None, cpus=1.0, gpus=0.0, told=functools.partial(print, flush=True)):
    """Trains as `hgpo train` does, with the work of the policy dealt out to actors of Ray: they answer the prompts of
    running episodes, and find scores and gradients of micro-batches. The run is that of one process, bit by bit, however
    many actors there are and whichever of them is lost on the way, as long as their processors are of one kind.

    Parameters
    ----------
    arguments : options of `hgpo train`, such as ["--preset", "chores", "--seed", "2"], or ["--resume", "runs/NAME"].
    address : of Ray's cluster; the one that there is (`RAY_ADDRESS`), or a new one of this machine, by default.
    actors : how many work; as many as the cluster has processors for by default.
    cpus, gpus : what an actor needs; it does as many jobs at once as it has processors, and has one more at hand.
    told : called with what is worth telling of actors.

    Returns
    -------
    int : the exit status of `hgpo train`: 0, or 130 where it was stopped by Ctrl-C, after saving.

    Raises
    ------
    ValueError : settings that do not make sense.
    RuntimeError : everything else, with what to do.
    SystemExit : where the options are wrong, or ask for help, after saying so.
    """
    import hgpo_train

    asked = hgpo_train.Training([str(one) for one in arguments])
    if "--dry-run" in arguments:
        return asked.run(Nobody(), "")
    if cpus < 0 or gpus < 0 or actors is not None and actors < 1:
        raise ValueError("actors are at least 1, and neither cpus nor gpus is less than 0")
    given = dict(address=address, actors=actors, cpus=None if cpus == 1.0 else cpus, gpus=gpus or None)
    flags = "".join(f" --{name} {value}" for name, value in given.items() if value is not None)
    with connected(address, _actor):
        from hgpo.ray._crew import Crew

        crew = Crew(actors or room(cpus, gpus), cpus, gpus, asked.device, told)
        try:
            return asked.run(crew, flags)
        finally:
            crew.dismiss()


def room(cpus, gpus):
    """How many actors a cluster has room for."""
    there = ray.cluster_resources()
    rooms = [int(there.get(name, 0) // need) for name, need in (("CPU", cpus), ("GPU", gpus)) if need > 0]
    return max(1, min(rooms, default=1))


class Nobody:
    """Does nothing for a run that is not made."""

    jobs = 1

    def stop(self):
        pass
