"""Finds or builds brandes, a virtual environment with the libraries, and the program of Boost."""
import shutil
import subprocess
import sys
from pathlib import Path

from programs import say

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
REQUIREMENTS = HERE / "requirements.txt"


class Missing(Exception):
    """A tool or a graph is missing; the text says what to do."""


def run(command, what, **options):
    """Runs a tool, and shows its output only if it fails."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        output = (done.stderr or done.stdout).strip()
        raise Missing(f"{what} failed:\n{output[-2000:]}")
    return done.stdout


def brandes(path):
    """Returns the binary at `path`, or target/release/brandes, which is built if missing."""
    if path is not None:
        if not Path(path).is_file():
            raise Missing(f"{path} does not exist")
        return Path(path).resolve()
    binary = ROOT / "target" / "release" / "brandes"
    if not binary.is_file():
        if shutil.which("cargo") is None:
            raise Missing(f"{binary} and cargo are missing; install Rust, or name the program by --brandes")
        say("building target/release/brandes")
        run(["cargo", "build", "--release", "--locked"], "building brandes", cwd=ROOT)
    return binary


def python(venv, wanted=REQUIREMENTS.read_text(encoding="utf-8"), name="peers-venv"):
    """Returns the Python of `venv`, or of the environment `name` in target/, made if missing.

    `wanted` lists the packages to install, as requirements of pip."""
    if venv is not None:
        program = Path(venv) / "bin" / "python"
        if not program.is_file():
            raise Missing(f"{venv} is not a virtual environment: it has no bin/python")
        return program.absolute()
    folder = ROOT / "target" / name
    program, stamp = folder / "bin" / "python", folder / "installed.txt"
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != wanted:
        say(f"installing libraries into {folder.relative_to(ROOT)}")
        run([sys.executable, "-m", "venv", "--clear", folder],
            "making a virtual environment (Debian package python3-venv)")
        stamp.with_suffix(".part").write_text(wanted, encoding="utf-8")
        run([program, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
             "--requirement", stamp.with_suffix(".part")], "installing the libraries")
        stamp.with_suffix(".part").rename(stamp)
    return program


def boost(folder):
    """Compiles boost.cpp; returns the program and None, or None and the reason."""
    if shutil.which("g++") is None:
        return None, "g++ is missing"
    probe = subprocess.run(["g++", "-E", "-x", "c++", "-"], capture_output=True, text=True,
                           input="#include <boost/graph/betweenness_centrality.hpp>\n")
    if probe.returncode != 0:
        return None, "g++ finds no headers of the Boost Graph Library (Debian package libboost-graph-dev)"
    say("compiling boost.cpp")
    binary = folder / "boost"
    run(["g++", "-std=c++17", "-O3", "-march=native", "-DNDEBUG", "-o", binary, HERE / "boost.cpp"],
        "compiling scripts/peers/boost.cpp")
    return binary, None
