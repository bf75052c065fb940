"""Bad input: an exception with the row and what to do, never an end of the interpreter."""

import math
import os
import signal
import subprocess
import sys
import sysconfig
import threading
import time

import numpy as np
import pandas
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hgpo


def refused(pattern, *arguments, **columns):
    with pytest.raises(ValueError, match=pattern):
        hgpo.advantages(*arguments, **columns)


def test_lengths_and_missing_columns(columns):
    refused("`state` has 7 rows, but `rewards` has 8: pass one entry per step", **{**columns, "state": ["s"] * 7})
    refused("`state` is missing .*rewards, task, trajectory", {name: columns[name] for name in ("rewards", "task", "trajectory")})
    refused("no rows", [], [], [], [])
    refused("`task` is of type str: pass a column", **{**columns, "task": "errand"})
    refused("`task` is of type generator", **{**columns, "task": (it for it in range(8))})
    refused("`rewards` is a single value", **{**columns, "rewards": np.array(3.0)})
    refused("2 dimensions", **{**columns, "state": np.zeros((8, 2), dtype="U3")})


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf, np.float32("nan"), None, "x", 1 + 2j, [1], 10**400])
def test_rewards_that_are_no_numbers(columns, wrong):
    refused("row 2: `rewards` is .* not a finite number: correct it", **{**columns, "rewards": [0, 1, wrong, *columns["rewards"][3:]]})


def test_rewards_beyond_the_limit(columns):
    refused('row 3: task "t", trajectory "b", step 1: `reward` is 1e101', **{**columns, "rewards": [0, 1, 2, 1e101, 0, 0, 0, 0]})


@pytest.mark.parametrize("name", ["task", "trajectory", "state"])
@pytest.mark.parametrize("wrong", [None, math.nan, 1.5, b"home", ["home"], True, object()])
def test_texts_that_are_none(columns, name, wrong):
    for make in (list, lambda it: np.fromiter(it, dtype=object, count=8), lambda it: pandas.Series(it, dtype=object)):
        texts = list(columns[name])
        texts[5] = wrong
        refused(f"row 5: `{name}` is of type {type(wrong).__name__}: pass text", **{**columns, name: make(texts)})


def test_mixed_types_missing_texts_and_half_characters(columns):
    states = ["a", "b", 3, *columns["state"][3:]]
    refused("row 2: `state` is a whole number, but text in row 0: give all rows", **{**columns, "state": states})
    refused("row 1: `task` is text, but a whole number in row 0", **{**columns, "task": [1, "x"] * 4})
    lone = ["a", "\ud800", *columns["state"][2:]]
    refused("row 1: `state` holds half a character .*replace", **{**columns, "state": lone})
    refused("row 1: `state` holds .*D800", **{**columns, "state": np.array(lone)})
    beyond = np.array(columns["state"], dtype="U4").view(np.uint32).copy()
    beyond[6] = 0x110000
    refused("row 1: `state` holds U.110000", **{**columns, "state": beyond.view("U4")})
    refused("row 3: `state` is", **{**columns, "state": pyarrow.array([*"abc", None, *"efgh"])})
    refused("row 3: `state` is", **{**columns, "state": pandas.Series([*"abc", None, *"efgh"], dtype="string")})
    refused("row 3: `state` is", **{**columns, "state": pandas.Series(pandas.Categorical([*"abc", None, *"efgh"]))})
    refused("row 2: `state` is of type float", **{**columns, "state": pandas.Series(pandas.Categorical(["a", "b", 1.5, *"cdefg"]))})
    refused("row 0: `state` is of type float64", **{**columns, "state": np.zeros(8)})
    refused("row 0: `state` is of type", **{**columns, "state": np.zeros(8, dtype="datetime64[s]")})


def test_flags_steps_success_and_embeddings(columns):
    refused("row 1: `valid` is 2, not True or False", **columns, valid=[1, 2, *[0] * 6])
    refused("row 1: `valid` is 'no'", **columns, valid=[True, "no", *[True] * 6])
    refused("row 1: `step` is 0.5, not a whole number", **columns, step=[0, 0.5, *range(6)])
    refused("row 7: `step` is nan", **columns, step=[*range(7), math.nan])
    refused("row 0: `step` is 9223372036854775808", **columns, step=np.full(8, 2**63, dtype=np.uint64))
    refused("row 3: step 4 of its trajectory stands in row 2 already: give every trajectory", **columns, step=[0, 1, 4, 4, 0, 1, 0, 1])
    refused(r"row 3: step 6 of its trajectory follows step 4 \(row 2\): pass the steps between", **columns, step=[0, 1, 4, 6, 0, 1, 0, 1])
    refused("row 1: `success` is True, but False in row 0 of the trajectory", **columns, success=[False, True] + [False] * 6)
    refused("row 2: `embedding` holds a number that is not finite", **columns, embedding=[[1.0]] * 2 + [[math.inf]] + [[1.0]] * 5)
    refused("row 7: `embedding` is of type str: pass a row of numbers", **columns, embedding=[[1.0]] * 7 + ["x"])
    refused("row 7: `embedding` holds a number that is not finite", **columns, embedding=[[1.0]] * 6 + [None, [math.nan]])
    refused(r"`embedding` is of shape \(8, 0\)", **columns, embedding=np.zeros((8, 0)))
    refused("row 2: `valid` is NoneType", **columns, valid=[np.True_] * 2 + [None] + [np.True_] * 5)
    refused("row 2: `valid` is 2, not True or False", **columns, valid=[np.int64(1)] * 2 + [np.int64(2)] + [np.int64(1)] * 5)
    refused("row 2: `step` is 0.5", **columns, step=[np.int64(0), np.int64(1), 0.5, *map(np.int64, range(5))])
    refused("row 0: `step` is of type", **columns, step=np.arange(8).astype("M8[ns]"))
    refused("row 0: `step` is 9223372036854775808", **columns, step=np.full(8, 2**63, dtype=">u8"))
    refused("row 3: `state` is masked", **{**columns, "state": np.ma.array(list("abcdabcd"), mask=[0, 0, 0, 1, 0, 0, 0, 0])})
    refused("`steps` is of type list, so no option.*columns are rewards, task", **columns, steps=[0] * 8)
    # Agents that act at the same time have the same number.
    assert hgpo.advantages(**columns, step=[0, 0] * 4, agent=["p", "q"] * 4).shape == (8,)


def test_addresses_of_rows(columns):
    for row in (8, -1, 2**32, 1.5, None, True, "0"):
        with pytest.raises(ValueError, match="row"):
            hgpo.explain(columns, row=row)


def test_more_rows_than_there_can_be():
    # 2^31 rows that take eight bytes: refused before anything is made of them.
    rewards = np.broadcast_to(np.float64(1), (2**31,))
    texts = np.broadcast_to(np.array(["s"]), (2**31,))
    refused("2147483648 rows, and 16777216 are the most: pass tasks in several calls", rewards, texts, texts, texts)

    # A column of 4 TB, and one of 16 TB, that take next to nothing.
    small = [0.0] * 4, ["t"] * 4, ["a"] * 4
    refused("`embedding` would take 4398 GB", *small, ["s"] * 4, embedding=np.broadcast_to(np.float64(0), (4, 2**37)))
    wide = np.broadcast_to(np.zeros(1, dtype=f"U{2**28}"), (4096,))
    refused("`state` would take 4398 GB, and 9 are the most: pass objects", *[column * 1024 for column in small], wide)

    class Announced:
        def __init__(self, rows):
            self.rows = rows

        def __len__(self):
            return self.rows

    refused("16777216 are the most", *[Announced(2**62)] * 4)
    refused("`rewards`", Announced(4), *[["s"] * 4] * 3)


def test_columns_that_lie(columns):
    class Shrinking(list):
        def __iter__(self):
            return iter(())

    refused("rows|entry|not", **{**columns, "state": Shrinking(columns["state"])})


scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary(max_size=4), st.complex_numbers(),
    st.text(st.characters(categories=("Cs", "Lu")), max_size=3), st.lists(st.integers(), max_size=2),
)
entries = st.one_of(st.lists(scalars, max_size=8), st.lists(st.sampled_from(["a", "b"]), max_size=8), st.lists(st.floats(-5, 5), max_size=8))


def shaped(entries):
    """A column in one of its forms, where it can be made."""
    forms = [
        lambda: entries, lambda: tuple(entries), lambda: np.fromiter(entries, dtype=object, count=len(entries)),
        lambda: np.array(entries), lambda: pandas.Series(entries), lambda: pyarrow.array(entries),
        lambda: np.array(entries, dtype="U3"), lambda: np.array(entries, dtype=np.float32),
        lambda: np.array(entries, dtype=object).reshape(-1, 1), lambda: np.array(entries, dtype="S4"),
    ]
    return st.sampled_from(forms)


@pytest.mark.filterwarnings("ignore:overflow")
@settings(max_examples=400, deadline=None)
@given(st.data())
def test_anything_is_advantages_or_a_value_error(data):
    columns = {}
    names = ("rewards", "task", "trajectory", "state", "step", "valid", "action", "agent", "context", "embedding", "value", "success")
    for name in names:
        if name in names[:4] or data.draw(st.booleans()):
            drawn = data.draw(entries)
            try:
                columns[name] = data.draw(shaped(drawn))()
            except Exception:
                columns[name] = drawn
    estimator = data.draw(st.sampled_from([*hgpo.estimators(), "moon"]))
    options = data.draw(st.dictionaries(st.sampled_from(["alpha", "context_length", "similarity", "scale", "x"]), scalars, max_size=2))
    try:
        advantages = hgpo.advantages(**columns, estimator=estimator, **options)
    except ValueError as error:
        assert str(error)
    else:
        assert advantages.shape == (len(columns["rewards"]),) and np.isfinite(advantages).all()


def batch(rows):
    generator = np.random.default_rng(3)
    return {
        "rewards": generator.random(rows), "task": np.arange(rows) // 400, "trajectory": np.arange(rows) // 50,
        "state": generator.integers(0, 40, rows),
    }


def test_threads_at_once():
    given = batch(20_000)
    expected = hgpo.advantages(given)
    found, errors = [], []

    def work():
        try:
            found.extend(hgpo.advantages(given) for _ in range(10))
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not errors and len(found) == 80 and all((it == expected).all() for it in found)


def test_lists_that_change_meanwhile():
    given = batch(2_000)
    given["state"] = [str(it) for it in given["state"]]
    stop = threading.Event()

    def change():
        while not stop.is_set():
            for row in range(0, 2_000, 7):
                # Objects that nothing else keeps, so that those before go.
                given["state"][row] = f"at {row % 40}, again"

    threads = [threading.Thread(target=change) for _ in range(2)]
    [thread.start() for thread in threads]
    try:
        for _ in range(200):
            assert np.isfinite(hgpo.advantages(given)).all()
    finally:
        stop.set()
        [thread.join() for thread in threads]


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this Python is not a free-threaded one")
def test_the_interpreters_lock_stays_off():
    asked = "import sys, hgpo.envs; print(sys._is_gil_enabled())"
    told = subprocess.run([sys.executable, "-W", "error", "-c", asked], capture_output=True, text=True)
    assert told.stdout == "False\n", told


def test_others_go_on_while_it_computes():
    given = batch(1_000_000)
    given["state"] = given["state"] % 40
    ticks, stop = [], threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    from hgpo import _columns

    rows = _columns.rows(given, {})
    thread.start()
    start = time.perf_counter()
    rows.advantages("hgpo", "{}")
    end = time.perf_counter()
    stop.set()
    thread.join()
    inside = [at for at in ticks if start < at < end]
    # With the lock held there would be one at most.
    assert len(inside) >= 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_fork_after_use():
    code = """
import os, warnings, numpy as np, hgpo
from hgpo.envs import ChoresVec
warnings.simplefilter("ignore")
given = dict(rewards=np.arange(5000.0), task=np.arange(5000) // 100, trajectory=np.arange(5000) // 10, state=np.arange(5000) % 7)
expected = hgpo.advantages(given)
envs = ChoresVec(8, 4, threads=4)
envs.reset()
envs.step(["look"] * 32)
child = os.fork()
if child == 0:
    assert (hgpo.advantages(given) == expected).all()
    envs.step(["look"] * 32)
    os._exit(7)
envs.step(["look"] * 32)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as on POSIX")
def test_ctrl_c_in_a_long_call():
    # Texts that are compared one with another: hours, if nobody ended it.
    # Where tests run in the background of a shell, programs begin with Ctrl-C ignored.
    code = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
import hgpo, numpy as np
generator = np.random.default_rng(1)
rows = 20_000
states = ["".join(generator.choice(list("abcdefgh"), 300)) for _ in range(rows)]
print("begins", flush=True)
try:
    hgpo.advantages(np.zeros(rows), ["t"] * rows, np.arange(rows) // 50, states, similarity="edit", linkage="complete", threshold=0.1)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    import os
    os._exit(0)
"""
    program = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert program.stdout.readline() == "begins\n"
    time.sleep(1)
    start = time.monotonic()
    program.send_signal(signal.SIGINT)
    assert program.stdout.readline() == "interrupted\n"
    assert time.monotonic() - start < 5
    assert program.wait(timeout=20) == 0
