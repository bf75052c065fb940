"""Environments, as Gymnasium has them: tasks that are solved by writing one action a step.

Observations and actions are texts. What can be done is in ``info["admissible"]``; any other action changes
nothing and costs the step.

>>> from hgpo.envs import Chores
>>> env = Chores()
>>> text, info = env.reset(seed=1)
>>> text, reward, terminated, truncated, info = env.step(info["admissible"][0])
>>> reward, terminated, truncated
(0.0, False, False)

For every environment of the registry there is a class, and one with ``Vec`` behind its name that plays many
episodes side by side: ``ChoresVec(env_num=16, group_n=8)`` has 16 groups of 8 that play the same task.
"""

try:
    import gymnasium
except ImportError:
    raise ImportError("hgpo.envs needs Gymnasium: pip install gymnasium") from None

from hgpo.envs._single import TextEnv
from hgpo.envs._suites import environments
from hgpo.envs._text import AnyText
from hgpo.envs._vector import GroupedVectorEnv

__all__ = ["AnyText", "GroupedVectorEnv", "TextEnv", "environments"]

for _name, _entry in environments().items():
    _what = f"{_entry['summary']}.\n\n    Splits: " + "; ".join(f"{split}: {of}" for split, of in _entry["splits"].items()) + ".\n\n    "
    globals()[_name] = type(_name, (TextEnv,), {"__doc__": _what + TextEnv.__doc__, "entry": _entry, "__module__": __name__})
    globals()[_name + "Vec"] = type(
        _name + "Vec", (GroupedVectorEnv,), {"__doc__": _what + GroupedVectorEnv.__doc__, "entry": _entry, "__module__": __name__}
    )
    __all__ += [_name, _name + "Vec"]
    gymnasium.register(f"hgpo/{_name}-v0", entry_point=f"hgpo.envs:{_name}")
