"""Documentation, types and declarations."""

import ast
import doctest
import importlib
import inspect
import pathlib

import pytest
from stubs import environment_stubs, options, stubs

import hgpo

PACKAGE = pathlib.Path(hgpo.__file__).parent


@pytest.mark.parametrize("name", ["hgpo", "hgpo._advantages", "hgpo._options", "hgpo.envs"])
def test_every_example_in_the_documentation(name):
    module = importlib.import_module(name)
    result = doctest.testmod(module, extraglobs={"hgpo": hgpo})
    assert result.attempted > 0 and result.failed == 0


def test_the_types_are_those_of_the_declarations():
    written = (PACKAGE / "__init__.pyi").read_text()
    assert written == stubs(), "run python tests/stubs.py"
    functions = {it.name: it for it in ast.parse(written).body if isinstance(it, ast.FunctionDef)}
    for name in ("advantages", "explain", "diagnostics", "estimators", "options", "read_rollouts", "annotate_rollouts", "write_rollouts"):
        has = inspect.signature(getattr(hgpo, name)).parameters
        arguments = functions[name].args
        named = [it.arg for it in arguments.args + arguments.kwonlyargs] + ([arguments.kwarg.arg] if arguments.kwarg else [])
        assert set(named) == set(has), name


def test_the_types_of_environments_are_those_of_the_registry():
    written = (PACKAGE / "envs/__init__.pyi").read_text()
    compile(written, "envs/__init__.pyi", "exec")
    assert written == environment_stubs(), "run python tests/stubs.py"
    classes = {it.name: it for it in ast.parse(written).body if isinstance(it, ast.ClassDef)}
    assert set(classes) == set(hgpo.envs.__all__) - {"AnyText", "GroupedVectorEnv", "TextEnv", "environments"}
    for name, made in classes.items():
        arguments = made.body[-1].args
        for argument in arguments.args[1:] + arguments.kwonlyargs:
            known = inspect.signature(getattr(hgpo.envs, name)).parameters
            table = getattr(hgpo.envs, name).entry["table"]
            assert argument.arg in known or argument.arg in table["settings"], (name, argument.arg)


def test_every_option_is_taken_and_every_other_name_refused(columns):
    known = options()
    assert {"context_length", "alpha", "discount", "threshold", "inside"} <= set(known)
    given = {**columns, "action": ["go"] * 8, "agent": ["p"] * 8}
    for estimator in hgpo.estimators():
        declared = hgpo.options(estimator)
        # Every option with its default, together.
        defaults = {name: of["default"] for name, of in declared.items() if of["default"] is not None}
        plain = hgpo.advantages(given, estimator=estimator)
        assert (hgpo.advantages(given, estimator=estimator, **defaults) == plain).all()
        for name in sorted(set(known) - set(declared)):
            with pytest.raises(ValueError, match=f"{estimator} has no option `{name}`: it has .*discount"):
                hgpo.advantages(given, estimator=estimator, **{name: 1})
        for name, of in declared.items():
            if of["default"] is None:
                assert (hgpo.advantages(given, estimator=estimator, **{name: None}) == plain).all()
            for wrong in ("moon", -1, 1e300, *([] if of["default"] is None else [None]), [1], float("nan"), "\ud800"):
                with pytest.raises(ValueError, match=name):
                    hgpo.advantages(given, estimator=estimator, **{name: wrong})
    with pytest.raises(ValueError, match="unknown name `moon`: use one of hgpo, gigpo"):
        hgpo.advantages(given, estimator="moon")
    with pytest.raises(ValueError, match="use one of hgpo, gigpo"):
        hgpo.options("moon")
    inside = hgpo.options("dr-mas", inside="hgpo")
    assert {"inside", "context_length", "alpha"} <= set(inside) and set(inside) >= set(hgpo.options("hgpo"))
    for estimator, of in (("hgpo", "grpo"), ("dr-mas", "moon")):
        with pytest.raises(ValueError, match="choose dr-mas and one of hgpo, gigpo"):
            hgpo.options(estimator, inside=of)
