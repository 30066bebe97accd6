"""Finds or builds brandes, a virtual environment with the libraries, and the program of Boost."""
import shutil
import subprocess
from pathlib import Path

from programs import say

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# The libraries that scripts/bench-peers compares with, and what they and library.py need.
LIBRARIES = ("igraph==1.0.0", "networkit==11.2.2", "rustworkx==0.18.1", "numpy>=1.26", "scipy")


class Missing(Exception):
    """A tool or a graph is missing; the text says what to do."""


def run(command, what, **options):
    """Runs a tool, and shows its output only if it fails."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        output = (done.stderr or done.stdout).strip()
        raise Missing(f"{what} failed:\n{output[-2000:]}")
    return done.stdout


def install(function, *arguments):
    """Calls a function of scripts/lib.sh."""
    command = ["bash", "-c", 'source scripts/lib.sh && "$@"', "bench-peers", function, *map(str, arguments)]
    if subprocess.run(command, cwd=ROOT).returncode:
        raise Missing(f"{function} {' '.join(command[5:])} failed")


def brandes(path):
    """Returns the binary at `path`, or target/release/brandes, which is built if missing."""
    binary = Path(path) if path else ROOT / "target/release/brandes"
    if not path and not binary.is_file():
        say("building target/release/brandes")
        install("need_build_tools")
        install("cargo", "build", "--quiet", "--release", "--locked")
    if not binary.is_file():
        raise Missing(f"{binary} does not exist")
    return binary.resolve()


def python(venv, packages=LIBRARIES, name="peers-venv"):
    """Returns the Python of `venv`, or of the environment `name` in target/, made with these packages."""
    program = Path(venv or ROOT / "target" / name) / "bin/python"
    if not venv:
        install("need_venv", f"target/{name}", *packages)
    if not program.is_file():
        raise Missing(f"{venv} is not a virtual environment: it has no bin/python")
    return program.absolute()


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
