"""Writes the tiny language model of the witness `lora`: a Llama that reads and writes bytes, with weights at random.

    python3 scripts/witnesses/model.py FOLDER
"""

import json
import pathlib
import random
import struct
import sys

HIDDEN, INNER, HEADS, KEY_HEADS, WIDTH = 8, 12, 2, 1, 4
SPECIAL = ["<|end|>", "<|begin|>"]
TEMPLATE = (
    "{% for message in messages %}<|begin|>{{ message.role }}: {{ message.content }}<|end|>{% endfor %}<|begin|>"
)


def letters():
    """The letter that stands for each byte in a byte-level vocabulary: itself where it can be seen."""
    seen = [byte for byte in range(256) if 33 <= byte <= 126 or 161 <= byte <= 172 or byte >= 174]
    others = iter(range(256, 512))
    return [chr(byte) if byte in seen else chr(next(others)) for byte in range(256)]


def tokenizer():
    plain = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    added = [{"id": 256 + at, "content": content, **plain} for at, content in enumerate(SPECIAL)]
    bytes_alone = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    vocabulary = {token: at for at, token in enumerate(letters() + SPECIAL)}
    model = {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None}
    model |= {"end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False, "ignore_merges": False}
    model |= {"vocab": vocabulary, "merges": []}
    parts = {"normalizer": None, "pre_tokenizer": bytes_alone, "post_processor": None, "decoder": bytes_alone}
    return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": added, **parts, "model": model}


def tensors(vocabulary):
    yield "model.embed_tokens.weight", [vocabulary, HIDDEN]
    for name, shape in [
        ("input_layernorm", [HIDDEN]),
        ("self_attn.q_proj", [HEADS * WIDTH, HIDDEN]),
        ("self_attn.k_proj", [KEY_HEADS * WIDTH, HIDDEN]),
        ("self_attn.v_proj", [KEY_HEADS * WIDTH, HIDDEN]),
        ("self_attn.o_proj", [HIDDEN, HEADS * WIDTH]),
        ("post_attention_layernorm", [HIDDEN]),
        ("mlp.gate_proj", [INNER, HIDDEN]),
        ("mlp.up_proj", [INNER, HIDDEN]),
        ("mlp.down_proj", [HIDDEN, INNER]),
    ]:
        yield f"model.layers.0.{name}.weight", shape
    yield "model.norm.weight", [HIDDEN]


def safetensors(vocabulary):
    drawn, header, data = random.Random(3), {}, b""
    for name, shape in tensors(vocabulary):
        count = shape[0] * (shape[1] if len(shape) > 1 else 1)
        values = [(1 if len(shape) == 1 else 0) + 0.2 * drawn.gauss(0, 1) for _ in range(count)]
        packed = struct.pack(f"<{count}f", *values)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(data), len(data) + len(packed)]}
        data += packed
    head = json.dumps(header, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 8)
    return struct.pack("<Q", len(head)) + head + data


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True)
    vocabulary = 256 + len(SPECIAL)
    config = {
        "architectures": ["LlamaForCausalLM"], "model_type": "llama", "vocab_size": vocabulary, "hidden_size": HIDDEN,
        "intermediate_size": INNER, "num_hidden_layers": 1, "num_attention_heads": HEADS,
        "num_key_value_heads": KEY_HEADS, "max_position_embeddings": 2048, "hidden_act": "silu", "rms_norm_eps": 1e-6,
        "rope_theta": 10000.0, "tie_word_embeddings": True, "torch_dtype": "float32", "bos_token_id": 257,
        "eos_token_id": 256, "attention_bias": False, "mlp_bias": False,
    }
    of_tokens = {"bos_token": SPECIAL[1], "eos_token": SPECIAL[0], "chat_template": TEMPLATE}
    for name, value in [("config", config), ("tokenizer", tokenizer()), ("tokenizer_config", of_tokens)]:
        text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
        (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    (folder / "model.safetensors").write_bytes(safetensors(vocabulary))


main()
