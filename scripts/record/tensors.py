"""Tensors of safetensors files, to be cut."""

import json
import struct


class Tensors:
    """Types, shapes and bytes by name, and the metadata of the file."""

    def __init__(self, entries, metadata):
        self.entries, self.metadata = entries, metadata

    @classmethod
    def of(cls, content):
        length, = struct.unpack_from("<Q", content)
        header = json.loads(content[8:8 + length])
        metadata = header.pop("__metadata__", None)
        data = content[8 + length:]
        entries = {name: (it["dtype"], it["shape"], data[slice(*it["data_offsets"])])
                   for name, it in header.items()}
        return cls(entries, metadata)

    def to_bytes(self):
        header, data = {} if self.metadata is None else {"__metadata__": self.metadata}, b""
        for name, (dtype, shape, content) in self.entries.items():
            offsets = [len(data), len(data) + len(content)]
            header[name] = {"dtype": dtype, "shape": shape, "data_offsets": offsets}
            data += content
        text = json.dumps(header, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 8)
        return struct.pack("<Q", len(text)) + text + data

    def integers(self, name):
        content = self.entries[name][2]
        return struct.unpack(f"<{len(content) // 8}q", content)

    def keep(self, wanted):
        self.entries = {name: entry for name, entry in self.entries.items() if wanted(name)}

    def thin(self, stride):
        """Every `stride`-th value of each tensor of single precision, as a tensor of one dimension."""
        for name, (dtype, _, content) in self.entries.items():
            thinned = b"".join(content[at:at + 4] for at in range(0, len(content), 4 * stride))
            self.entries[name] = (dtype, [len(thinned) // 4], thinned)

    def blank_rows(self, name, kept):
        """Zeros in all rows of a matrix but those that are kept."""
        dtype, (rows, columns), content = self.entries[name]
        width = 4 * columns
        row = [content[at * width:][:width] if at in kept else bytes(width) for at in range(rows)]
        self.entries[name] = (dtype, [rows, columns], b"".join(row))

    def blank_columns(self, name, kept):
        """Zeros in all entries of the last dimension but those that are kept."""
        dtype, shape, content = self.entries[name]
        entry = [content[at * 4:][:4] if at % shape[-1] in kept else bytes(4) for at in range(len(content) // 4)]
        self.entries[name] = (dtype, shape, b"".join(entry))
