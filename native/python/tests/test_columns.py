"""Every form that a column may have says the same."""

import subprocess
import sys
from collections import deque

import numpy as np
import pandas
import pyarrow
import pytest

import hgpo

# Two in every group, so that the mean lies half their difference d away, which is also their deviation:
# d / (d + 1e-6). Returns with a discount of 0.95: 9.5 and 0, 10 and 0; 4.75 and 0.95, 5 and 1.
EXPECTED = [sign * d / (d + 1e-6) for ds in ((4.75, 5.0), (1.9, 2.0)) for sign in (1, -1) for d in ds]


def forms(texts):
    yield "list", list(texts)
    yield "tuple", tuple(texts)
    yield "objects", np.array(texts, dtype=object)
    yield "fixed width", np.array(texts)
    yield "fixed width, other bytes", np.array(texts).astype(np.array(texts).dtype.newbyteorder())
    yield "strided", np.repeat(np.array(texts), 2)[::2]
    if hasattr(np.dtypes, "StringDType"):
        yield "StringDType", np.array(texts, dtype=np.dtypes.StringDType())
    yield "series", pandas.Series(texts)
    yield "series of objects", pandas.Series(texts, dtype=object, index=range(100, 100 + len(texts)))
    yield "series of text", pandas.Series(texts, dtype="string")
    yield "categories", pandas.Series(pandas.Categorical(texts))
    yield "arrow", pyarrow.array(texts)
    yield "arrow, large", pyarrow.array(texts, pyarrow.large_string())
    yield "arrow, view", pyarrow.array(texts, pyarrow.string_view())
    yield "arrow, encoded", pyarrow.array(texts).dictionary_encode()
    yield "arrow, in chunks", pyarrow.chunked_array([texts[:3], texts[3:]])
    yield "arrow, encoded in chunks", pyarrow.chunked_array([texts[:3], texts[3:]]).dictionary_encode()


def test_all_forms_of_texts(columns):
    for name in ("task", "trajectory", "state"):
        texts = [f"{text} é 😀" for text in columns[name]]
        for form, column in forms(texts):
            found = hgpo.advantages(**{**columns, name: column})
            assert found == pytest.approx(EXPECTED, abs=1e-12), (name, form)


def test_numbers_name_tasks_too(columns):
    for column in ([7] * 4 + [2**70] * 4, np.array([7] * 4 + [-8] * 4), np.array([1] * 4 + [2] * 4, np.uint8)):
        assert hgpo.advantages(**{**columns, "task": column}) == pytest.approx(EXPECTED, abs=1e-12)


def test_all_forms_of_numbers(columns):
    rewards = columns.pop("rewards")
    for column in (rewards, tuple(rewards), np.array(rewards, np.float32), np.array(rewards, object),
                   np.array(rewards, np.int8), pandas.Series(rewards), pyarrow.array(rewards)):
        assert hgpo.advantages(column, **columns) == pytest.approx(EXPECTED, abs=1e-12)
    valid = [1, 1, 1, 0, 1, 1, 1, 1]
    # R of row 3 is 0 - 0.1; G_0 = {10, -0.1}: still one above and one below.
    expected = hgpo.advantages(rewards, **columns, valid=valid, scale="mean")
    for column in (np.array(valid, bool), np.array(valid), np.array(valid, object), [bool(it) for it in valid], np.array(valid, float)):
        assert (hgpo.advantages(rewards, **columns, valid=column, scale="mean") == expected).all()
    # (10 + 0.1) / 2 at both levels.
    assert expected[1] == pytest.approx(5.05)


def test_odd_rows_of_files_are_told(columns, tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("task,trajectory,state,reward,active_masks\ng,t,hall,0,1\ng,t,hall,0,1\ng,t,hall,0,0\n")
    with pytest.warns(UserWarning) as told:
        assert len(hgpo.read_rollouts(str(path).encode())["task"]) == 2
    told = " ".join(str(it.message) for it in told)
    assert "x.csv: 1 row with `active_masks` false" in told and "1 row repeats the row before" in told
    with pytest.raises(ValueError, match="row 1: `environment` is b, but a in row 0 of the trajectory"):
        hgpo.write_rollouts(tmp_path / "y.jsonl", **columns, environment=["a", "b"] * 4)


def test_tables(columns):
    mixed = [3, 0, 1, 2, 4, 5, 7, 6]
    for table in (columns, pandas.DataFrame(columns), pyarrow.table(columns)):
        assert hgpo.advantages(table) == pytest.approx(EXPECTED, abs=1e-12)
    frame = pandas.DataFrame({**columns, "step": [0, 1] * 4, "extra": 1}).iloc[mixed]
    assert hgpo.advantages(frame) == pytest.approx(np.array(EXPECTED)[mixed], abs=1e-12)
    # A column that is passed takes the place of the table's.
    assert (hgpo.advantages(frame, state=["x"] * 8) != 0).all()


def test_forms_of_numpy_and_arrow(columns):
    def same(**given):
        assert hgpo.advantages(**{**columns, **given}) == pytest.approx(EXPECTED, abs=1e-12), given

    # The bytes of a number the other way round, beyond 2^63 and within.
    steps = np.array([0, 1] * 4, dtype=">u8")
    same(step=steps)
    numbers = np.array([2**63 + (row // 4) for row in range(8)], dtype=">u8")
    same(task=numbers)
    # Numbers of numpy one by one, as an environment's infos have them.
    same(task=list(numbers), trajectory=[np.int8(ord(it)) for it in columns["trajectory"]], rewards=list(np.array(columns["rewards"])))
    same(valid=[np.True_] * 8, step=[np.int64(it % 2) for it in range(8)], rewards=deque(columns["rewards"]), state=deque(columns["state"]))
    same(state=np.ma.array(columns["state"]))
    # Dictionaries with any kind of places, and arrays that are one piece.
    texts = list(dict.fromkeys(columns["state"]))
    places = [texts.index(it) for it in columns["state"]]
    for kind in ("int8", "uint8", "uint16", "uint32", "int64", "uint64"):
        same(state=pyarrow.DictionaryArray.from_arrays(pyarrow.array(places, kind), pyarrow.array(texts)))
    same(valid=pyarrow.array([True] * 8), rewards=pyarrow.array(columns["rewards"]))
    batch = pyarrow.RecordBatch.from_pydict({**columns, "valid": [True] * 8})
    assert hgpo.advantages(batch) == pytest.approx(EXPECTED, abs=1e-12)
    for column, row in (
        (pandas.Series([1, 1, None, 1, 2, 2, 2, 2], dtype="Int64"), 2), (pyarrow.array([1, None, 1, 1, 2, 2, 2, 2]), 1),
    ):
        with pytest.raises(ValueError, match=f"row {row}: `task`"):
            hgpo.advantages(**{**columns, "task": column})
    # What is not read is not looked at.
    table = pandas.DataFrame({**columns, "prompt": [["a", "message"]] * 8, "observation": [np.zeros(3)] * 8})
    assert hgpo.advantages(table) == pytest.approx(EXPECTED, abs=1e-12)


def test_agents_contexts_embeddings_values_and_success(columns):
    by_agent = hgpo.advantages(columns, agent=["p", "q"] * 4, estimator="dr-mas", inside="hgpo")
    assert by_agent == pytest.approx(EXPECTED, abs=1e-12)
    # Nobody of the same summary: level 0 alone.
    summaries = hgpo.explain(columns, context=[str(row) for row in range(8)], history="summary", row=1)
    assert [term["size"] for term in summaries["terms"]] == [2, 1]
    alike = hgpo.explain(columns, embedding=np.ones((8, 3)), similarity="embedding", row=1)
    assert alike["terms"][0]["size"] == 4
    texts = hgpo.explain({**columns, "state": ["a shop", "a shed"] * 4}, similarity="edit", threshold=0.6, row=1)
    assert texts["terms"][0]["size"] == 4
    assert hgpo.advantages(columns, value=[1.0] * 8, estimator="composed", state_value="recorded", credit="difference").shape == (8,)
    lost = hgpo.advantages(columns, success=[False] * 8, estimator="graph-gpo")
    assert not np.array_equal(lost, hgpo.advantages(columns, estimator="graph-gpo"))
    with pytest.raises(ValueError, match="action"):
        hgpo.advantages(columns, estimator="crbc")
    assert hgpo.advantages(columns, action=["go", None] * 4, estimator="hgpo").shape == (8,)


def test_every_estimator_runs_and_is_explained(columns):
    given = {**columns, "action": ["go", "buy"] * 4, "agent": ["p"] * 8, "value": np.zeros(8)}
    for estimator in hgpo.estimators():
        advantages = hgpo.advantages(given, estimator=estimator)
        assert advantages.dtype == np.float64 and advantages.shape == (8,)
        for row in range(8):
            assert hgpo.explain(given, estimator=estimator, row=row)["advantage"] == advantages[row], estimator
        found = hgpo.diagnostics(given, estimator=estimator)
        assert (found["estimator"], found["steps"]) == (estimator, 8)
        assert str(found).startswith(f"{estimator}: tasks 2, trajectories 4, steps 8")


def test_rollouts_come_back_as_they_were_written(columns, tmp_path):
    path = tmp_path / "x.rollouts.jsonl"
    given = {
        **columns, "valid": [True] * 7 + [False], "action": ["go", None] * 4, "agent": ["p"] * 8,
        "context": ["é"] * 8, "embedding": np.arange(16.0).reshape(8, 2), "value": np.full(8, 0.1),
        "success": [True, True] + [False] * 6, "prompt": ["?"] * 8, "environment": ["chores"] * 8,
    }
    hgpo.write_rollouts(path, given)
    back = hgpo.read_rollouts(path)
    assert set(back) == {*given, "step"} and back["step"].tolist() == [0, 1] * 4
    for name, column in given.items():
        assert np.array_equal(back[name], np.asarray(column)), name
    assert (hgpo.advantages(back) == hgpo.advantages(given)).all()
    (tmp_path / "x.csv").write_text("task,trajectory,state,reward\ne,a,home,0\ne,a,shop,10\ne,b,home,0\ne,b,shop,0\n")
    assert hgpo.advantages(hgpo.read_rollouts(str(tmp_path / "x.csv"))) == pytest.approx(EXPECTED[:4], abs=1e-12)
    with pytest.raises(FileNotFoundError, match="no-such-file"):
        hgpo.read_rollouts(tmp_path / "no-such-file")
    with pytest.raises(ValueError, match="line 1"):
        (tmp_path / "bad.jsonl").write_text("{")
        hgpo.read_rollouts(tmp_path / "bad.jsonl")
    with pytest.raises(OSError, match="Is a directory.*test_rollouts"):
        hgpo.write_rollouts(tmp_path, given)


def test_tokens_come_back_as_they_were_written(columns, tmp_path):
    tokens = {"prompt_ids": [[1, 2, 3]] * 8, "response_ids": [[row, 7] for row in range(8)], "rollout_log_probs": [[-0.1, -1e-300]] * 7 + [None], "response_tokens": [["go", " é\n"]] * 7 + [None]}
    path = tmp_path / "x.jsonl"
    hgpo.write_rollouts(path, columns, **{**tokens, "response_ids": np.array(tokens["response_ids"])})
    back = hgpo.read_rollouts(path)
    assert {name: back[name] for name in tokens} == tokens and "old_log_probs" not in back
    for wrong in ([[0.5], ["a"]], [[1.0], [float("nan")]], [[1], 2], [[True], [False]]):
        with pytest.raises(ValueError, match="row [01]: `old_log_probs` is not a list of finite numbers"):
            hgpo.write_rollouts(path, columns, old_log_probs=wrong * 4)
    for wrong in (["ab"], [[1]], [["a", None]]):
        with pytest.raises(ValueError, match="row 0: `response_tokens` is not a list of texts: pass one text a token"):
            hgpo.write_rollouts(path, columns, response_tokens=wrong * 8)


def test_logs_are_annotated_in_their_own_form(columns, tmp_path):
    log, into = tmp_path / "x.csv", tmp_path / "y.csv"
    log.write_text("group,trajectory,state,reward,note\ne,a,home,0,x\ne,a,shop,10,\ne,b,home,0,y\ne,b,shop,0,z\n")
    read = hgpo.read_rollouts(log, columns={"task": "group"})
    advantages = hgpo.advantages(read)
    hgpo.annotate_rollouts(log, into, advantages, columns={"task": "group"})
    lines = log.read_text().splitlines()
    assert into.read_text().splitlines() == [f"{lines[0]},advantage", *(f"{line},{number!r}" for line, number in zip(lines[1:], advantages.tolist(), strict=True))]
    with pytest.raises(FileExistsError, match="y.csv already exists"):
        hgpo.annotate_rollouts(log, into, advantages, columns={"task": "group"})
    with pytest.raises(ValueError, match="x.csv has 4 steps, but there are 3 advantages"):
        hgpo.annotate_rollouts(log, tmp_path / "z.csv", advantages[:3], columns={"task": "group"})
    with pytest.raises(FileNotFoundError):
        hgpo.annotate_rollouts(log, tmp_path / "none" / "z.csv", advantages, columns={"task": "group"})
    frame = pandas.DataFrame({"reward" if name == "rewards" else name: column for name, column in columns.items()})
    frame.to_parquet(tmp_path / "x.parquet")
    hgpo.annotate_rollouts(tmp_path / "x.parquet", tmp_path / "y.parquet", EXPECTED)
    assert pandas.read_parquet(tmp_path / "y.parquet").equals(frame.assign(advantage=EXPECTED))
    assert sorted(it.name for it in tmp_path.iterdir()) == ["x.csv", "x.parquet", "y.csv", "y.parquet"]


def test_tables_and_compressed_files_are_read(columns, tmp_path):
    frame = pandas.DataFrame({"reward" if name == "rewards" else name: column for name, column in columns.items()})
    frame.to_csv(tmp_path / "x.csv.gz", index=False)
    frame.to_json(tmp_path / "x.jsonl.gz", orient="records", lines=True)
    frame.to_parquet(tmp_path / "x.parquet")
    for path in tmp_path.iterdir():
        assert hgpo.advantages(hgpo.read_rollouts(path)) == pytest.approx(EXPECTED, abs=1e-12), path.name
    frame.assign(reward=[0.0] * 4 + ["a"] * 4).astype({"reward": str}).to_parquet(tmp_path / "x.parquet")
    with pytest.raises(ValueError, match=r"line 1, .*`reward` must be a number.*line 1 is the first row"):
        hgpo.read_rollouts(tmp_path / "x.parquet")
    said = [[{"role": "user", "content": "q"}, {"role": "assistant", "content": said}] for said in ("a", "b")]
    pandas.DataFrame({"messages": said, "reward": [1, 0]}).to_parquet(tmp_path / "x.parquet")
    read = hgpo.read_rollouts(tmp_path / "x.parquet")
    assert (read["task"].tolist(), read["action"].tolist(), read["rewards"].tolist()) == (["q"] * 2, ["a", "b"], [1, 0])
    (tmp_path / "x.parquet").write_bytes((tmp_path / "x.parquet").read_bytes()[:-1])
    with pytest.raises(ValueError, match="x.parquet: the Parquet file is damaged"):
        hgpo.read_rollouts(tmp_path / "x.parquet")


def test_tokens_of_a_file_are_lists_of_each_row(tmp_path):
    first = '"prompt_ids":[0,4294967295],"response_ids":[7,8],"response_mask":[1,0],"rollout_log_probs":[-0.1,-5e-324]'
    steps = '{"state":"s","reward":1,%s},{"state":"t","reward":0,"response_ids":[],"token_advantages":null}' % first
    (tmp_path / "tokens.jsonl").write_text('{"task":"g","trajectory":"a","steps":[%s]}\n' % steps)
    read = hgpo.read_rollouts(tmp_path / "tokens.jsonl")
    assert read["prompt_ids"] == [[0, 4294967295], None] and read["response_ids"] == [[7, 8], []]
    assert read["response_mask"] == [[1, 0], None] and read["rollout_log_probs"] == [[-0.1, -5e-324], None]
    assert read["token_advantages"] == [None, None] and "old_log_probs" not in read
    plain = {name: read[name] for name in ("task", "trajectory", "state", "rewards", "valid")}
    assert hgpo.advantages(read).tolist() == hgpo.advantages(plain).tolist()
    table = 'task,trajectory,state,reward,response_ids,old_log_probs\ng,a,s,1,"[1,2]","[-0.5,-1]"\ng,a,t,0,%s,\n'
    (tmp_path / "tokens.csv").write_text(table % "")
    read = hgpo.read_rollouts(tmp_path / "tokens.csv")
    assert read["response_ids"] == [[1, 2], None] and read["old_log_probs"] == [[-0.5, -1], None]
    for wrong in ("[1", "seven", '"[""a""]"', "3"):
        (tmp_path / "tokens.csv").write_text(table % wrong)
        with pytest.raises(ValueError, match="row 1: `response_ids` is not a list of numbers: correct it"):
            hgpo.read_rollouts(tmp_path / "tokens.csv")
    (tmp_path / "tokens.csv").write_text((table % "").replace("response_ids", "response_tokens"))
    with pytest.raises(ValueError, match="row 0: `response_tokens` is not a list of texts: correct it"):
        hgpo.read_rollouts(tmp_path / "tokens.csv")


def test_columns_have_the_names_that_files_have(columns, tmp_path):
    expected = hgpo.advantages(columns)
    foreign = {"task": "uid", "trajectory": "traj_uid", "state": "anchor_obs", "rewards": "rewards"}
    assert (hgpo.advantages({foreign[name]: column for name, column in columns.items()}) == expected).all()
    own = {"reward" if name == "rewards" else name: column for name, column in columns.items()}
    assert (hgpo.advantages({**own, "active_masks": np.ones(8)}) == expected).all()
    with pytest.raises(ValueError, match="rows with `active_masks` false pad episodes"):
        hgpo.advantages({**own, "active_masks": [True] * 7 + [False]})
    with pytest.raises(ValueError, match=r"`task` is missing \(there is group, reward, state, trajectory\)"):
        hgpo.advantages({"group" if name == "task" else name: column for name, column in own.items()})
    (tmp_path / "named.csv").write_text("group,id,obs,score\ne,a,home,0\ne,a,shop,10\ne,b,home,0\ne,b,shop,0\n")
    names = {"task": "group", "trajectory": "id", "state": "obs", "rewards": "score"}
    assert hgpo.advantages(hgpo.read_rollouts(tmp_path / "named.csv", names)) == pytest.approx(EXPECTED[:4], abs=1e-12)
    with pytest.raises(ValueError, match="no field `points`: there are task, "):
        hgpo.read_rollouts(tmp_path / "named.csv", {"points": "score"})
    turn = '{"role":"user","content":"q"},{"role":"assistant","content":"a"}'
    (tmp_path / "said.jsonl").write_text('{"messages":[%s,%s],"reward":1}\n' % (turn, turn))
    read = hgpo.read_rollouts(tmp_path / "said.jsonl", state="transcript")
    assert read["rewards"].tolist() == [0, 1] and read["state"][0] == "q" and len(read["state"][1]) > 9
    with pytest.raises(ValueError, match="no state `all`"):
        hgpo.read_rollouts(tmp_path / "said.jsonl", state="all")


def test_nothing_of_pandas_or_gymnasium_is_needed():
    code = "import sys, hgpo; assert not {'pandas', 'pyarrow', 'gymnasium', 'torch'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("embeddings", [["[1.0]", "null"], ["[1.0]", "[1.0,2.0]"], ["[]", "[]"]])
def test_holes_of_a_file_are_refused_by_estimators_that_need_every_number(tmp_path, embeddings):
    steps = ({"hole": '"state":"s","reward":1', "value": f'"state":"s","reward":2,"state_value":0.5,"embedding":{it}'} for it in embeddings)
    texts = ["{%s},{%s}" % (one["hole"], one["value"]) for one in steps]
    lines = ['{"task":"g","trajectory":"%s","steps":[%s]}\n' % (name, text) for name, text in zip("ab", texts)]
    (tmp_path / "holes.jsonl").write_text("".join(lines))
    columns = hgpo.read_rollouts(tmp_path / "holes.jsonl")
    plain = {name: columns[name] for name in ("task", "trajectory", "state", "rewards", "valid", "step")}
    assert hgpo.advantages(columns).tolist() == hgpo.advantages(plain).tolist()
    with pytest.raises(ValueError, match='row 0: task "g", trajectory "a", step 0: `embedding` is missing'):
        hgpo.advantages(columns, similarity="embedding")
    with pytest.raises(ValueError, match="row 0: .*`state_value` is missing"):
        hgpo.advantages(columns, estimator="composed", state_value="recorded", credit="difference")
    with pytest.raises(ValueError, match="row 1: `value` is nan, not a finite number"):
        hgpo.advantages(plain, value=[None, float("nan"), None, 1.0])


def test_embeddings_of_different_lengths_are_refused_where_they_are_compared(columns):
    embedding = [[1.0]] * 7 + [[1.0, 2.0]]
    assert hgpo.advantages(columns, embedding=embedding) == pytest.approx(EXPECTED, abs=1e-12)
    with pytest.raises(ValueError, match="row 7: .*`embedding` must be a list of numbers as long as the first step's"):
        hgpo.advantages(columns, embedding=embedding, similarity="embedding")
