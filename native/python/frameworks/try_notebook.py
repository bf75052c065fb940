"""Runs the package's notebook from top to bottom, in a copy of its own:

    pip install nbclient ipykernel matplotlib nbconvert playwright "./native/python[envs]"
    python native/python/frameworks/try_notebook.py

With HGPO_PAGE, the address of a page that is served, what it left is opened in a browser too (HGPO_BROWSER),
and HGPO_PICTURE names a file for a picture of it.
"""

import base64
import html
import os
import pathlib
import re
import tempfile
import zlib

import nbformat
from nbclient import NotebookClient

import hgpo

EXAMPLES = pathlib.Path(__file__).resolve().parents[1] / "examples"


def main():
    notebook = nbformat.read(EXAMPLES / "advantages.ipynb", as_version=4)
    nbformat.validate(notebook)
    assert not any(cell.get("outputs") for cell in notebook.cells), "the notebook is kept without outputs: clear them"
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(EXAMPLES)}}).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", []) if "data" in output]
    pictures = [output for output in shown if "image/png" in output["data"]]
    frames = [output["data"]["text/html"] for output in shown if "<iframe" in output["data"].get("text/html", "")]
    assert len(pictures) == 2 and len(frames) == 1, [list(output["data"]) for output in shown]
    told = "".join(output["text"] for cell in notebook.cells for output in cell.get("outputs", []) if output.output_type == "stream")
    columns = hgpo.read_rollouts(EXAMPLES.parents[2] / "assets/presets/chores.rollouts.jsonl")
    assert f"{len(columns['task'])} steps" in told and "advantage" in told, told
    compare(frames[0], columns)
    print(f"notebook: {len(notebook.cells)} cells, {len(pictures)} figures, and a link with the trajectories that were read")
    if os.environ.get("HGPO_PAGE"):
        look(notebook, columns)


def compare(frame, columns):
    """The link holds the attempts at the first task, with the advantages that they have in the file."""
    address = html.unescape(re.search(r'src="([^"]+)"', frame)[1])
    letters = address.partition("#1.")[2]
    text = zlib.decompress(base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4)), wbits=-15).decode()
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write(text.partition("\n")[2])
        file.flush()
        found = hgpo.read_rollouts(file.name)
    rows = columns["task"] == columns["task"][0]
    assert len(found["task"]) == rows.sum() and (found["state"] == columns["state"][rows]).all()
    assert (hgpo.advantages(found) == hgpo.advantages(columns)[rows]).all()


def look(notebook, columns):
    """The page inside the notebook shows the attempts, and at every step the advantage that Python finds."""
    from nbconvert import HTMLExporter
    from playwright.sync_api import sync_playwright

    rows = columns["task"] == columns["task"][0]
    expected = hgpo.advantages(columns, estimator="hgpo", context_length=2)[rows]
    with tempfile.NamedTemporaryFile("w", suffix=".html") as file, sync_playwright() as playwright:
        file.write(HTMLExporter().from_notebook_node(notebook)[0])
        file.flush()
        browser = playwright.chromium.launch(executable_path=os.environ.get("HGPO_BROWSER", "/usr/bin/chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        page.goto(f"file://{file.name}")
        frame = page.frame_locator("iframe")
        frame.locator("table[role=grid]").wait_for(timeout=120_000)
        attempts = list(dict.fromkeys(columns["trajectory"][rows]))
        for trajectory, step, advantage in zip(columns["trajectory"][rows], columns["step"][rows], expected):
            cell = frame.locator(f"#step-{attempts.index(trajectory)}-{step}").inner_text()
            shown = float(cell.split()[-1].replace("−", "-"))
            assert abs(shown - advantage) <= 0.005 + 1e-9, (trajectory, step, cell, advantage)
        if os.environ.get("HGPO_PICTURE"):
            page.locator("iframe").scroll_into_view_if_needed()
            page.wait_for_timeout(3000)  # a frame that comes into view is drawn later
            page.screenshot(path=os.environ["HGPO_PICTURE"])
        browser.close()
    print(f"notebook in a browser: {len(expected)} steps of {len(attempts)} attempts, with Python's advantages")


if __name__ == "__main__":
    main()
