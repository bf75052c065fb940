"""What a run needs, and what it comes to, as files that travel with a task."""

import pathlib
import shutil

LOCKS = ("lock", ".writing")


def pack(folder, below):
    """The files below a folder, by their paths in it."""
    folder = pathlib.Path(folder)
    paths = sorted(path for path in (folder / below).rglob("*") if path.is_file() and path.name not in LOCKS)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def unpack(files, folder):
    """Writes files into a folder."""
    for name, content in files.items():
        path = pathlib.Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def of_study(study):
    """The files that tell what a study is, and its argument where they lie; a built-in study has none."""
    path = None if study is None else pathlib.Path(study)
    if path is None or not path.exists():
        return {}, study
    if path.is_dir():
        there = f"runs/{path.resolve().name}"
        return {f"{there}/{file}": (path / file).read_bytes() for file in ("study.toml", "base.toml") if (path / file).is_file()}, there
    files = {path.name: path.read_bytes()}
    base = base_of(path)
    if base is not None:
        files[base] = (path.parent / base).read_bytes()
    return files, path.name


def base_of(path):
    """The file of settings that a study begins with."""
    try:
        import tomllib
    except ImportError:
        raise ValueError(f"{path}: reading studies needs Python 3.11: use it, or --shared where all machines see this folder") from None
    base = tomllib.loads(path.read_text()).get("config")
    if base is not None and (pathlib.PurePath(base).is_absolute() or ".." in pathlib.PurePath(base).parts):
        raise ValueError(f"{path}: `config` is {base!r}: put that file beside the study, or use --shared where all machines see this folder")
    return base


def take_in(files, run, folder):
    """Puts a run that came back into its place in the study's folder, and what tells of the study where it is not yet."""
    folder = pathlib.Path(folder)
    names = {tuple(name.split("/")[:2]) for name in files}
    if not names:
        return
    ((runs, study),) = names
    place = f"{runs}/{study}/{run}"
    shutil.rmtree(folder / place, ignore_errors=True)
    (folder / f"{place}.error").unlink(missing_ok=True)
    for name, content in files.items():
        mine = name == f"{place}.error" or name.startswith(f"{place}/")
        # The summary of one run would be taken for that of all.
        if mine or name != f"{runs}/{study}/summary.json" and not (folder / name).exists():
            unpack({name: content}, folder)


def cramped(machines, size):
    """A line for every machine whose store has no room for two programs of so many bytes: where a study was stopped, the
    store may still hold the one before, and runs wait for room without a word of Ray's."""
    for machine in machines:
        room = machine["Resources"].get("object_store_memory", 0)
        if machine["Alive"] and room < 2 * size:
            yield (
                f"{machine['NodeManagerAddress']}: Ray's object store has {room / 1e6:.0f} MB, and the program is sent through it with "
                f"{size / 1e6:.0f}: runs may wait there for good; start Ray with --object-store-memory {2 * size}, or strip the program"
            )
