"""Signatures of a package's public calls, as witnesses keep them:

    python signatures.py hgpo | hgpo_train > FILE.json

A call is a list of parameters, each with its name, kind and default. Modules that need packages of others are
read, not imported.
"""

import ast
import enum
import importlib
import inspect
import json
import pathlib
import sys

IMPORTED = {"hgpo": ["hgpo", "hgpo.environment", "hgpo.envs", "hgpo.ray", "hgpo.verl_agent"], "hgpo_train": ["hgpo_train"]}
NEED_OTHERS = {
    "hgpo": {
        "hgpo.openenv": ["TextAction", "TextClient", "TextEnvironment", "TextObservation", "app", "environment"],
        "hgpo.ray._compare": ["compare"],
        "hgpo.ray._train": ["train"],
        "hgpo.skyrl": ["Environment", "register"],
        "hgpo.skyrl.train": ["StepGenerator", "StepTrainer"],
        "hgpo.trinity": ["StepAdvantageFn"],
        "hgpo.trl": ["StepGRPOTrainer", "environment"],
        "hgpo.verifiers": ["TextEnv", "TextTaskset", "assign_advantages"],
    },
    "hgpo_train": {},
}
UNDOCUMENTED = ["entry"]
KINDS = inspect.Parameter
RULE = 'a witness of what users call is broken: scripts/witnesses/README.md, "Where one fails"'


def of_callable(call):
    found = []
    for it in inspect.signature(call).parameters.values():
        has_default = it.default is not KINDS.empty
        found.append([it.name, it.kind.name, *([shown(it.default)] if has_default else [])])
    return found


def shown(default):
    """A default as text that says nothing of where an object lies."""
    return str(default) if isinstance(default, enum.Enum) or " object at 0x" in repr(default) else repr(default)


def of_class(name, of, found):
    """A class with what it and the package's classes that it extends have."""
    try:
        found[name] = None if issubclass(of, dict) else of_callable(of)
    except ValueError:
        found[name] = None  # made by other calls alone
    own = [each for each in of.__mro__ if each is of or each.__module__.startswith("hgpo")]
    for member, value in inspect.getmembers(of):
        if member.startswith("_") or member in UNDOCUMENTED or not any(member in vars(each) for each in own):
            continue
        found[f"{name}.{member}"] = of_callable(value) if callable(value) else "attribute"


def of_module(module):
    found = {}
    public = getattr(module, "__all__", None) or [name for name in dir(module) if not name.startswith("_")]
    for name in public:
        try:
            value = getattr(module, name)
        except (AttributeError, ImportError):
            continue  # needs packages of others: its source is read
        full = f"{module.__name__}.{name}"
        if inspect.isclass(value):
            of_class(full, value, found)
        elif callable(value):
            found[full] = of_callable(value)
    return found


def of_definition(node, is_method):
    arguments = node.args
    positional = arguments.posonlyargs + arguments.args
    defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
    found = []
    for it, default in zip(positional, defaults):
        kind = "POSITIONAL_ONLY" if it in arguments.posonlyargs else "POSITIONAL_OR_KEYWORD"
        found.append([it.arg, kind, *([ast.unparse(default)] if default else [])])
    found += [[arguments.vararg.arg, "VAR_POSITIONAL"]] if arguments.vararg else []
    for it, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
        found.append([it.arg, "KEYWORD_ONLY", *([ast.unparse(default)] if default else [])])
    found += [[arguments.kwarg.arg, "VAR_KEYWORD"]] if arguments.kwarg else []
    return found[1:] if is_method else found


def of_source(name, public):
    """Public calls of a module that is not imported."""
    package, _, last = name.rpartition(".")
    folder = pathlib.Path(importlib.import_module(package.partition(".")[0]).__file__).parent.joinpath(*package.split(".")[1:])
    path = folder / f"{last}.py" if (folder / f"{last}.py").exists() else folder / last / "__init__.py"
    found = {}
    name = name.replace("._", "#").partition("#")[0]  # hgpo.ray._train is had as hgpo.ray.train
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef) and node.name in public:
            found[f"{name}.{node.name}"] = of_definition(node, False)
        if isinstance(node, ast.ClassDef) and node.name in public:
            found[f"{name}.{node.name}"] = None
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef) and (not inner.name.startswith("_") or inner.name == "__init__"):
                    found[f"{name}.{node.name}.{inner.name}"] = of_definition(inner, True)
    return found


def options():
    """The keywords that estimators and environments take, with their defaults."""
    hgpo = importlib.import_module("hgpo")
    environments = importlib.import_module("hgpo.envs").environments()
    found = {f"estimator {name}": {option: of["default"] for option, of in hgpo.options(name).items()} for name in hgpo.estimators()}
    for name, entry in environments.items():
        found[f"environment {name}"] = entry["table"]["settings"] if entry["table"] else {}
    return found


def calls(package):
    found = {}
    for name in IMPORTED[package]:
        found |= of_module(importlib.import_module(name))
    for name, public in NEED_OTHERS[package].items():
        found |= of_source(name, public)
    return dict(sorted(found.items()))


def broken(was, now):
    """What calls that were possible are not any more, a line each."""
    lines = []
    for name, parameters in was.items():
        if name not in now:
            lines.append(f"{name} is gone")
        elif parameters != now[name] and not takes(parameters, now[name]):
            lines.append(f"{name} took {parameters} and takes {now[name]}")
    return lines


def takes(was, now):
    """Whether a signature takes all calls that another one took, with the same meaning."""
    if was is None or not isinstance(was, list) or not isinstance(now, list):
        return was is None
    by_name = {it[0]: it for it in now}
    in_order = [it[0] for it in now if it[1].startswith("POSITIONAL")]
    places = [it[0] for it in was if it[1].startswith("POSITIONAL")]
    known = {it[0] for it in was}
    # What is new is left out by those who do not know it.
    is_free = all(len(it) == 3 or it[1].startswith("VAR") for it in now if it[0] not in known)
    return is_free and in_order[: len(places)] == places and all(by_name.get(it[0]) == it for it in was)


if __name__ == "__main__":
    package = sys.argv[1]
    lines = [f"{json.dumps(name)}: {json.dumps(of)}" for name, of in calls(package).items()]
    print("{\"calls\": {\n" + ",\n".join(lines) + "\n}", end="")
    if package == "hgpo":
        lines = [f"{json.dumps(name)}: {json.dumps(of)}" for name, of in options().items()]
        print(",\n\"keywords\": {\n" + ",\n".join(lines) + "\n}", end="")
    print("}")
