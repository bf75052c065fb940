"""Compressed files whose bytes depend on what is in them alone."""

import gzip
import pathlib


def pack(path, content):
    """Writes `content` compressed, without a name or a time."""
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(content, compresslevel=9, mtime=0))
    print(f"{path}: {path.stat().st_size} bytes of {len(content)}")
