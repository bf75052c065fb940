"""Cuts the recordings that the repository holds out of the longer ones.

    python scripts/record/cut.py FOLDER

FOLDER is what HGPO_ORACLE names. Numbers are left out or, in the smaller models, set to zero; none is
computed. The README.md beside the files that this writes says what they are.
"""

import json
import pathlib
import sys

from packing import pack
from tensors import Tensors

TOP = pathlib.Path(__file__).resolve().parents[2]
CORE, ENV, TRAIN = (TOP / folder / "tests/recordings" for folder in ["core", "core/env", "core/train"])
# The tokens whose logits the smaller models keep, and every how many-th parameter is kept after updates.
TOKENS = 128
STRIDE = 8


def batches(folder):
    """All of the short batches, the first task of the two long ones: advantages never look beyond a task."""
    for path in sorted(folder.glob("case*.json")):
        case = json.loads(path.read_text())
        if path.stem in ["case1", "case2"]:
            rows = case["uid"].count(case["uid"][0])
            case = {name: first(value, rows) for name, value in case.items()}
        pack(CORE / f"advantages/{path.name}.gz", json.dumps(case, separators=(",", ":")).encode())


def first(value, rows):
    """The first rows of a column, or of a table of columns."""
    if isinstance(value, dict):
        return {name: column[:rows] for name, column in value.items()}
    return value[:rows] if isinstance(value, list) else value


def models(source):
    target = TRAIN / "qwen2-tiny"
    whole = ["config.json", "tokenizer.json", "tokenizer_config.json", "model.safetensors", "oracle.json",
             "quant_blocks.safetensors", "tiny.gguf", "llama_tiny/config.json", "untied/config.json"]
    for name in whole:
        pack(target / f"{name}.gz", (source / name).read_bytes())

    def cut(name, change):
        tensors = Tensors.of((source / name).read_bytes())
        change(tensors)
        pack(target / f"{name}.gz", tensors.to_bytes())

    cut("oracle.safetensors", lambda it: it.keep(
        lambda name: name in ["forward.input_ids", "forward.logits", "sampling.logits"]
        or name.startswith(("padded.", "ppo."))))
    # The first layer has every type of the file; the logits are those of all layers.
    cut("tiny_gguf_oracle.safetensors", lambda it: it.keep(
        lambda name: not name.startswith("w.") or ".layers.0." in name))
    cut("after_step3.safetensors", lambda it: it.thin(STRIDE))
    small(source, cut, "llama_tiny", ["model.embed_tokens.weight"])
    small(source, cut, "untied", ["lm_head.weight"])


def small(source, cut, model, heads):
    """A model and its logits, with zeros in the rows of tokens that are not looked at."""
    recorded = Tensors.of((source / model / "oracle.safetensors").read_bytes())
    asked, answered = set(recorded.integers("input_ids")), set(range(TOKENS))
    embedding = "model.embed_tokens.weight"
    kept = asked | answered if embedding in heads else answered

    def weights(tensors):
        for name in heads:
            tensors.blank_rows(name, kept)
        if embedding not in heads:
            tensors.blank_rows(embedding, asked)

    cut(f"{model}/model.safetensors", weights)
    cut(f"{model}/oracle.safetensors", lambda it: it.blank_columns("logits", kept))


def main(folder):
    folder = pathlib.Path(folder)
    batches(folder / "advantages")
    models(folder / "qwen2-tiny")
    pack(ENV / "rng_oracle.json.gz", (folder / "rng_oracle.json").read_bytes())


if __name__ == "__main__":
    main(*sys.argv[1:])
