"""The space of texts."""

import gymnasium
from gymnasium.vector.utils import create_shared_memory

LONGEST = 1 << 20
"""Most characters of an observation or an action."""


class AnyText(gymnasium.spaces.Text):
    """Any text: `Text` would compare every character with those of its set. What it samples is of the
    letters and spaces of that set, and never admissible but by chance."""

    def __init__(self, seed=None):
        super().__init__(LONGEST, min_length=0, charset="abcdefghijklmnopqrstuvwxyz ", seed=seed)

    def contains(self, x):
        return isinstance(x, str) and len(x) <= self.max_length

    def sample(self, mask=None, probability=None):
        length = int(self.np_random.integers(1, 32)) if mask is None and probability is None else None
        return super().sample((length, None) if length else mask, probability)

    def __repr__(self):
        return "AnyText()"

    def __eq__(self, other):
        return isinstance(other, AnyText)


@create_shared_memory.register(AnyText)
def _refuse(space, n=1, ctx=None):
    # Gymnasium reads its shared memory once: arrays show what is written later, texts do not.
    raise gymnasium.error.CustomSpaceError("texts do not go through shared memory")
