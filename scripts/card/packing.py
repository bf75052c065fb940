"""Programs, libraries and a model, packed here and unpacked on a bare machine."""

import hashlib
import json
import lzma
import os
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Where everything is unpacked: it stays while the machine is warm, so that a model can come in parts.
UNPACKED = os.path.join(tempfile.gettempdir(), "hgpo-card")
# The Vulkan loader, and what drivers without a display look for.
LIBRARIES = ["libvulkan.so.1", "libGLdispatch.so.0", "libEGL.so.1", "libGLX.so.0", "libX11.so.6", "libXext.so.6",
             "libxcb.so.1", "libXau.so.6", "libXdmcp.so.6"]
DRIVER = "/usr/local/nvidia/share/vulkan/icd.d/nvidia_icd.json"
PART = 40 * 2**20  # a model's part, which travels without the programs
MANIFEST = "model.json"


# Tests that compare an adapter with the CPU: package, test and options of cargo.
TESTS = [("hgpo-native", "wgpu", [])]


def built():
    """Paths of the program, the example `speed` and the tests of the adapter, whose names begin with test-."""
    cargo = ["cargo", "build", "--release", "--locked", "--message-format=json-render-diagnostics"]
    wanted = {("bin", "hgpo"): "hgpo", ("example", "speed"): "speed",
              **{("test", test): f"test-{test}" for _, test, _ in TESTS}}
    found = {}
    for targets in (["-p", "hgpo-native", "--bin", "hgpo", "--example", "speed"],
                    *(["-p", package, "--test", test, *options] for package, test, options in TESTS)):
        output = subprocess.run([*cargo, *targets], cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True)
        for line in output.stdout.splitlines():
            message = json.loads(line)
            target = message.get("target", {})
            name = wanted.get(((target.get("kind") or [""])[0], target.get("name")))
            if name and message.get("executable"):
                found[name] = message["executable"]
    return found


def known_libraries():
    """Paths of the libraries that the linker finds, by name."""
    try:
        listed = subprocess.run(["ldconfig", "-p"], stdout=subprocess.PIPE, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return {}
    lines = (line.strip() for line in listed.splitlines() if "x86-64" in line and "=>" in line)
    return {line.split(" ", 1)[0]: line.rsplit("=> ", 1)[1] for line in lines}


def compress(path, packed):
    with open(path, "rb") as file, lzma.open(packed, "wb", preset=6) as out:
        out.write(file.read())
    print(f"{packed}  {os.path.getsize(packed) / 1e6:.1f} MB")


def pack(folder, model):
    programs, models = os.path.join(folder, "programs"), os.path.join(folder, "model")
    os.makedirs(programs, exist_ok=True)
    for name, path in built().items():
        with tempfile.TemporaryDirectory() as scratch:
            stripped = os.path.join(scratch, name)
            subprocess.run(["strip", "-o", stripped, path], check=True)
            compress(stripped, os.path.join(programs, name + ".xz"))
    here = known_libraries()
    for name in LIBRARIES:
        if name in here:
            compress(here[name], os.path.join(programs, name + ".xz"))
    if model:
        split(model, models)


def split(model, folder):
    """A model's file in parts, each in a folder of its own, and what they are together."""
    digest, parts = hashlib.sha256(), 0
    with open(model, "rb") as file:
        while part := file.read(PART):
            digest.update(part)
            place = os.path.join(folder, f"part{parts}")
            os.makedirs(place, exist_ok=True)
            with open(os.path.join(place, f"part{parts}"), "wb") as out:
                out.write(part)
            print(f"{place}  {len(part) / 1e6:.1f} MB")
            parts += 1
    manifest = {"file": os.path.basename(model), "parts": parts, "sha256": digest.hexdigest()}
    for place in (f"part{number}" for number in range(parts)):
        with open(os.path.join(folder, place, MANIFEST), "w") as file:
            json.dump(manifest, file)


def unpack(folder):
    """Paths of the programs, and the variables with which they find what the machine lacks."""
    os.makedirs(UNPACKED, exist_ok=True)
    here, programs, lacking = known_libraries(), {}, False
    for packed in sorted(os.listdir(os.path.join(folder, "programs"))):
        name, _ = os.path.splitext(packed)
        if name in here:
            continue
        path = os.path.join(UNPACKED, name)
        with lzma.open(os.path.join(folder, "programs", packed)) as file, open(path, "wb") as out:
            out.write(file.read())
        os.chmod(path, 0o755)
        if ".so." in name:
            lacking = True
        else:
            programs[name] = path
    # Software drivers complain where this is not set.
    variables = {"XDG_RUNTIME_DIR": tempfile.gettempdir(), **os.environ}
    if lacking:
        known = variables.get("LD_LIBRARY_PATH")
        variables["LD_LIBRARY_PATH"] = ":".join(filter(None, [known, UNPACKED]))
    if os.path.exists(DRIVER) and "VK_DRIVER_FILES" not in variables:
        variables["VK_DRIVER_FILES"] = DRIVER
    return programs, variables


def collect(folder):
    """The model of a pack, once all of its parts have come; else none."""
    models = os.path.join(folder, "model")
    for place in sorted(os.listdir(models)) if os.path.isdir(models) else []:
        for name in os.listdir(os.path.join(models, place)):
            with open(os.path.join(models, place, name), "rb") as file:
                content = file.read()
            os.makedirs(UNPACKED, exist_ok=True)
            with open(os.path.join(UNPACKED, name), "wb") as out:
                out.write(content)
    manifest = os.path.join(UNPACKED, MANIFEST)
    if not os.path.exists(manifest):
        return None
    with open(manifest) as file:
        manifest = json.load(file)
    parts = [os.path.join(UNPACKED, f"part{number}") for number in range(manifest["parts"])]
    if not all(map(os.path.exists, parts)):
        return None
    digest, model = hashlib.sha256(), os.path.join(UNPACKED, manifest["file"])
    with open(model, "wb") as out:
        for part in parts:
            with open(part, "rb") as file:
                content = file.read()
            digest.update(content)
            out.write(content)
    return model if digest.hexdigest() == manifest["sha256"] else None
