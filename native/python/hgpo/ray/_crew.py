"""Actors of Ray as the crew of a run: what `hgpo_train.Training.run` deals its work out to."""

import itertools
import queue
import threading
import time

import hgpo_train
import ray
from ray.exceptions import RayError, RayTaskError

from hgpo.ray import _actor

PATIENCE = 10.0
"""Seconds for which a run waits for all of its actors, once it has one."""
REMINDER = 30.0
"""Seconds after which it is said again what is waited for."""


class Crew:
    """Actors who do a run's work; one that goes away is replaced, and others do what it was doing.

    Parameters
    ----------
    actors : how many.
    cpus, gpus : what each of them needs; it does as many jobs at once as it has processors, and has one more at hand.
    device : where each of them computes.
    told : called with every line that is worth telling.
    """

    def __init__(self, actors, cpus, gpus, device, told):
        self.count, self.needs, self.device, self.told = actors, dict(num_cpus=cpus, num_gpus=gpus), device, told
        # One more than it computes at once, lest it waits for an answer or for the next job.
        self.slots = max(1, int(cpus)) + 1
        self.jobs = actors * self.slots
        self.published, self.lock = {}, threading.Lock()
        self.free, self.settled = queue.SimpleQueue(), queue.SimpleQueue()
        self.members, self.devices, self.begun, self.stopped = set(), set(), False, False

    def begin(self, start):
        """Hires all actors; the run begins when they are there, or after a while with those that are."""
        self.start = ray.put(start)
        for _ in range(self.count):
            self.hire()
        here, until = 0, None
        while here < self.count:
            try:
                problem = self.wait(self.settled, until)
            except queue.Empty:
                self.told(f"{here} of {self.count} actors work; the others join them when Ray finds room")
                break
            if problem is not None:
                raise problem
            here, until = here + 1, until or time.monotonic() + PATIENCE
        self.begun = True

    def publish(self, weights, data):
        self.published[weights] = ray.put(data)

    def withdraw(self, weights):
        del self.published[weights]

    def engage(self, weights):
        """An actor who is free, with these weights."""
        while True:
            member = self.wait(self.free)
            if member.alive:
                try:
                    member.hold(weights)
                    return Talk(self, member, weights)
                except RayTaskError:
                    self.free.put(member)
                    raise
                except RayError as error:
                    self.lose(member, error)

    def stop(self):
        self.told("stopping after this step and saving; press Ctrl-C again to stop at once")
        self.stopped = True

    def dismiss(self):
        """Lets all actors go."""
        self.stopped = True
        with self.lock:
            members, self.members = self.members, set()
        for member in members:
            ray.kill(member.actor)

    def wait(self, line, until=None):
        """The next in a line; nobody there by `until` is `queue.Empty`. A stop waits for work that was begun, but not for
        actors who may never come."""
        reminded = time.monotonic()
        while True:
            try:
                return line.get(timeout=0.2)
            except queue.Empty:
                now = time.monotonic()
                if until is not None and now > until:
                    raise
                if any(member.ready for member in list(self.members)):
                    continue
                if self.stopped:
                    raise RuntimeError("stopped while there was no actor: what was saved before is kept") from None
                if self.begun and not self.members:
                    raise RuntimeError("no actor is left that can work: see above, and go on with --resume") from None
                if now - reminded > REMINDER:
                    reminded = now
                    self.told(f"waiting for an actor: Ray has no room for one that needs {self.needs}")

    def hire(self, replaced=False):
        actor = ray.remote(_actor.Worker).options(max_concurrency=self.slots + 2, **self.needs).remote()
        member = Member(self, actor)
        with self.lock:
            self.members.add(member)
        threading.Thread(target=self.receive, args=(member, replaced), daemon=True).start()

    def receive(self, member, replaced):
        """Waits for an actor to be there, wherever that is."""
        try:
            begin = member.actor.begin.remote(hgpo_train.version(), self.start, self.device, self.slots)
            member.place, device = ray.get(begin)
        except RayTaskError as error:
            problem = RuntimeError(str(error.cause))
            # At the start, it ends the run; later, the others go on.
            if self.begun:
                self.told(f"an actor cannot work: {problem}")
            self.settled.put(problem)
            self.members.discard(member)
            return
        except RayError as error:
            if not self.stopped:
                self.lose(member, error)
            return
        if device not in self.devices:
            self.devices.add(device)
            self.told(f"actors compute on {device}")
        member.ready = True
        if replaced:
            self.told(f"another actor works on {member.place}")
        self.settled.put(None)
        for _ in range(self.slots):
            self.free.put(member)

    def lose(self, member, error):
        """An actor went away: another one is hired in its place."""
        with self.lock:
            if not member.alive:
                return
            member.alive = False
            self.members.discard(member)
        if self.stopped:
            return
        self.told(f"lost the actor on {member.place}: others do its work ({reason(error)})")
        try:
            ray.kill(member.actor)
            self.hire(replaced=True)
        except RayError as failed:
            self.told(f"no actor in its place: {reason(failed)}")


class Member:
    """An actor, and what it holds."""

    def __init__(self, crew, actor):
        self.crew, self.actor, self.place = crew, actor, "a machine that was to be found"
        self.alive, self.ready = True, False
        self.held, self.lock, self.talks = set(), threading.Lock(), itertools.count()

    def hold(self, weights):
        with self.lock:
            if weights not in self.held:
                kept = list(self.crew.published)
                ray.get(self.actor.hold.remote(weights, self.crew.published[weights], kept))
                self.held = self.held.intersection(kept) | {weights}


class Talk:
    """A job with an actor."""

    def __init__(self, crew, member, weights):
        self.crew, self.member, self.weights = crew, member, weights
        self.number, self.ended = next(member.talks), False

    def say(self, message):
        try:
            heard = ray.get(self.member.actor.say.remote(self.number, self.weights, message))
        except RayTaskError as error:
            self.ended = True
            raise RuntimeError(f"{self.member.place}: {error.cause}") from None
        except RayError as error:
            self.ended = True
            self.crew.lose(self.member, error)
            raise hgpo_train.Lost(reason(error)) from None
        self.ended = heard[-1] == 1
        return heard

    def close(self):
        if self.member.alive:
            if not self.ended:
                self.member.actor.leave.remote(self.number)
            self.crew.free.put(self.member)


def reason(error):
    """What Ray says, in a few words."""
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)[:200]
