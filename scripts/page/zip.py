"""Packs dist/ for places without a network:  zip.py FILE

Browsers run no modules from files that are opened by a double click, so the archive brings a server of its
own. The same page gives the same bytes.
"""
import os
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
DIST = HERE.parent.parent / "dist"
FOLDER = "hgpo-page"
READ_ME = """The page of HGPO, for use without a network.

On a computer with Python 3.8 or later:  python3 serve.py  (Windows: py serve.py)
It opens the page in your browser. Ctrl-C ends it.

On a web server or in a learning platform that takes folders: copy everything but serve.py; index.html is the
page.
"""


def entries():
    """Names in the archive, and what they hold."""
    yield "READ-ME.txt", READ_ME.encode()
    yield "serve.py", (HERE / "serve.py").read_bytes()
    for path in sorted(DIST.rglob("*")):
        if path.is_file() and path.suffix != ".br":  # serve.py compresses by itself
            yield path.relative_to(DIST).as_posix(), path.read_bytes()


def main():
    target = Path(sys.argv[1])
    draft = target.with_name(f"{target.name}.draft")
    try:
        with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for name, content in entries():
                # No times: the same page gives the same archive.
                entry = zipfile.ZipInfo(f"{FOLDER}/{name}")
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, content)
        os.replace(draft, target)
    except OSError as error:
        draft.unlink(missing_ok=True)
        sys.exit(f"error: {target} could not be written: {error.strerror}")
    print(f"packed: {target} ({target.stat().st_size / 1e6:.1f} MB)")


main()
