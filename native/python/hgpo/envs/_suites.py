"""What there is to play, and what settings and arguments may be."""

import json
import math
import os
import threading
import weakref

from hgpo import _hgpo


def environments():
    """What there is: of each environment its class, what it is, its settings with their defaults, its splits,
    its panels and the variable that names the folder of its data."""
    found = {class_name(entry["name"]): entry for entry in json.loads(_hgpo.environments())}
    for table in (entry["table"] for entry in found.values() if entry["table"]):
        # A shop has a seed of its own, and episodes have another.
        named = {f"{table['name']}_{name}" if name == "seed" else name: name for name in table["settings"]}
        table["settings"] = {name: table["settings"][own] for name, own in named.items()}
        table["named"] = named
    return found


def class_name(name):
    """`alfworld-generated` as AlfworldGenerated."""
    return "".join({"webshop": "WebShop"}.get(part, part.capitalize()) for part in name.split("-"))


_suites = weakref.WeakValueDictionary()
_one_at_a_time = threading.Lock()


def suite_of(entry, data, max_steps, success_reward, settings):
    """The suite of these settings: those that play the same share it, with its games and products."""
    config = {
        "name": entry["name"],
        "max_steps": entry["max_steps"] if max_steps is None else check_integer("max_steps", max_steps, 1),
        "success_reward": entry["success_reward"] if success_reward is None else coerce("success_reward", success_reward, 0.0),
    }
    table = entry["table"]
    for name in settings:
        if table is None or name not in table["settings"]:
            known = ", ".join(["split", "data", "max_steps", "success_reward", *(table["settings"] if table else [])])
            raise ValueError(f"{entry['name']} has no setting `{name}`: it has {known}")
    if table is not None:
        defaults = table["settings"]
        config[table["name"]] = {table["named"][name]: coerce(name, value, defaults[name]) for name, value in settings.items()}
    if data is not None:
        data = os.path.abspath(os.fspath(data))
    config = json.dumps(config)
    key = (config, data or os.environ.get(entry["data"] or ""))
    with _one_at_a_time:
        suite = _suites.get(key)
        if suite is None:
            suite = _suites[key] = _hgpo.Suite(config, data)
        return suite


class Panel:
    """A fixed list of tasks to evaluate on: its name, its split, the digest of all that its tasks are, and what each of
    them is known by."""

    def __init__(self, suite, name):
        self.name = coerce("panel", name, "")
        self.split, self.digest, tasks = suite.panel(self.name)
        self.seeds, self.tasks = [seed for seed, _ in tasks], [task for _, task in tasks]

    def __len__(self):
        return len(self.tasks)

    def place(self, task):
        """The place of a task, from 0 on."""
        return check_integer("task", task, 0, len(self.tasks) - 1)


class Panels:
    """The panels of an environment, each made once."""

    def __init__(self, suite):
        self._suite, self._opened = suite, {}

    def __getitem__(self, name):
        if name not in self._opened:
            self._opened[name] = Panel(self._suite, name)
        return self._opened[name]


def coerce(name, value, default):
    """The value of a setting, of the kind that its default is."""
    if isinstance(default, bool):
        known = isinstance(value, bool) or type(value).__name__ == "bool"  # numpy's, too
        wanted, made = "True or False", bool
    elif isinstance(default, int):
        return check_integer(name, value)
    elif isinstance(default, float):
        known = isinstance(value, (int, float)) or hasattr(value, "__float__") and not hasattr(value, "__len__")
        known = known and not isinstance(value, bool) and math.isfinite(value)
        wanted, made = "a finite number", float
    elif isinstance(default, str):
        known, wanted, made = isinstance(value, str), "text", str
    else:
        known = not isinstance(value, (str, bytes, dict)) and hasattr(value, "__iter__") and getattr(value, "ndim", 1) == 1
        if known and default:
            return [coerce(f"{name}[{place}]", entry, default[0]) for place, entry in enumerate(value)]
        wanted, made = "a list", list
    if not known:
        raise ValueError(f"{name} is {value!r}: pass {wanted}")
    return made(value)


def check_render_mode(mode):
    """How an environment is rendered."""
    if mode not in (None, "ansi"):
        raise ValueError(f"render_mode is {mode!r}: use 'ansi' or None")
    return mode


def check_options(options, known):
    """The options of a reset."""
    for name in options or {}:
        if name not in known:
            raise ValueError(f"reset has no option {name!r}: it has {', '.join(known)}")
    return options or {}


def check_integer(name, value, least=0, most=2**64 - 1):
    if isinstance(value, bool) or not hasattr(value, "__index__") or not least <= int(value) <= most:
        raise ValueError(f"{name} is {value!r}: pass a whole number from {least} to {most}")
    return int(value)


def as_text(place, action):
    if not isinstance(action, str):
        raise ValueError(f"environment {place}: the action is of type {type(action).__name__}: pass text")
    try:
        action.encode()
    except UnicodeEncodeError:
        raise ValueError(f"environment {place}: the action holds half a character (a lone surrogate): replace it") from None
    return action
