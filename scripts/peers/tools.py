"""What has to be there: brandes itself, a virtual environment with the libraries, Boost's program."""
import json
import shutil
import subprocess
import sys
from pathlib import Path

from programs import say

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
REQUIREMENTS = HERE / "requirements.txt"


class Missing(Exception):
    """Something is not there; one line that says what to do."""


def run(command, what, **options):
    """Runs a tool whose output only matters if it fails."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        output = (done.stderr or done.stdout).strip()
        raise Missing(f"{what} failed:\n{output[-2000:]}")
    return done.stdout


def brandes(path):
    """The binary at `path`; without one target/release/brandes, built from the sources as they are."""
    if path is not None:
        if not Path(path).is_file():
            raise Missing(f"there is no {path}")
        return Path(path).resolve()
    binary = ROOT / "target" / "release" / "brandes"
    if not binary.is_file():
        if shutil.which("cargo") is None:
            raise Missing(f"there is no {binary}, and no cargo to build it; run scripts/demo first")
        say("building target/release/brandes")
        run(["cargo", "build", "--release", "--locked"], "building brandes", cwd=ROOT)
    return binary


def python(venv):
    """The Python of `venv`; without one of an environment in target/, made at the first time."""
    if venv is not None:
        program = Path(venv) / "bin" / "python"
        if not program.is_file():
            raise Missing(f"{venv} is no virtual environment: it has no bin/python")
        return program.absolute()
    folder = ROOT / "target" / "peers-venv"
    program, stamp = folder / "bin" / "python", folder / "installed.txt"
    wanted = REQUIREMENTS.read_text(encoding="utf-8")
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != wanted:
        say(f"installing libraries into {folder.relative_to(ROOT)}")
        run([sys.executable, "-m", "venv", "--clear", folder],
            "making a virtual environment (Debian package python3-venv)")
        run([program, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
             "--requirement", REQUIREMENTS], "installing the libraries")
        stamp.write_text(wanted, encoding="utf-8")
    return program


def versions(interpreter, names):
    """Versions of the libraries of an environment, None of those that are not there."""
    printed = run([interpreter, HERE / "library.py", "--versions", *names], "looking for libraries")
    return json.loads(printed.splitlines()[-1])


def boost(folder):
    """The program made of boost.cpp, or why there is none."""
    if shutil.which("g++") is None:
        return None, "there is no g++"
    probe = subprocess.run(["g++", "-E", "-x", "c++", "-"], capture_output=True, text=True,
                           input="#include <boost/graph/betweenness_centrality.hpp>\n")
    if probe.returncode != 0:
        return None, "g++ finds no headers of the Boost Graph Library (Debian package libboost-graph-dev)"
    say("compiling boost.cpp")
    binary = folder / "boost"
    run(["g++", "-std=c++17", "-O3", "-march=native", "-DNDEBUG", "-o", binary, HERE / "boost.cpp"],
        "compiling scripts/peers/boost.cpp")
    return binary, None


def compiler():
    """What g++ calls itself."""
    return run(["g++", "--version"], "g++ --version").splitlines()[0]
