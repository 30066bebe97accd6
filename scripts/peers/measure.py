"""Runs programs on a graph in turns, each in a separate process, and compares their scores."""
import json
import math
import shutil
import subprocess
import time
from dataclasses import dataclass, field

from programs import Failed, say

# The largest allowed difference of scores, relative to the larger one. Scores below the floor count
# as the floor, because rounding dominates them.
TOLERANCE = 1e-6
FLOOR = 1e-3


@dataclass
class Series:
    """The measurements of a program on a graph, one list entry per round."""

    program: object
    # Seconds of computing, and peak memory in bytes.
    compute: list = field(default_factory=list)
    peak: list = field(default_factory=list)
    # The engine that the program reported.
    remark: str | None = None
    # The reason why the program was not measured.
    left_out: str | None = None
    # Seconds of computing until the time limit stopped the program; 0 if unknown.
    stopped: float | None = None
    failure: str | None = None
    # The largest relative difference from the scores of the first engine.
    difference: float | None = None

    @property
    def is_over(self):
        """Whether the program has no further rounds on this graph."""
        return bool(self.left_out or self.failure or self.stopped is not None)


@dataclass
class Job:
    """A graph, the programs to measure on it, and the settings."""

    graph: object
    # The vertices to search from; None means all.
    sources: list | None
    series: list
    limit: float
    folder: object
    # The first program that ran, and its scores.
    reference: tuple | None = None


def rounds(job, repeat):
    """Measures all programs of a job in rounds, with one run of each program per round."""
    for series in job.series:
        if job.graph.weights and not series.program.weighted:
            series.left_out = "does not support weights"
        elif job.sources is not None and not series.program.sources:
            series.left_out = "cannot search from chosen sources"
    for number in range(repeat):
        for series in job.series:
            if series.is_over:
                continue
            say(f"{job.graph.name}: round {number + 1} of {repeat}: {series.program.key}")
            try:
                run_once(job, series)
            except (Failed, KeyError, OSError, ValueError) as error:
                known = isinstance(error, Failed)
                series.failure = str(error) if known else f"{type(error).__name__}: {error}"
                say(f"FAILED: {job.graph.name}: {series.program.key}: {series.failure}")


def run_once(job, series):
    program = series.program
    folder = job.folder / "run"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    command = program.command(job.graph, job.sources, folder)
    begin = time.time()
    code, seconds, stdout, stderr = child(command, program.environment(), job.limit)
    if code is None:
        began = [json.loads(line)["computes_since"] for line in stdout.splitlines()
                 if line.startswith('{"computes_since"')]
        series.stopped = max(seconds - (began[0] - begin), 0.0) if began else 0.0
        say(f"{job.graph.name}: {program.key} was stopped after {seconds:.0f} s")
        return
    last = (stderr.strip().splitlines() or ["no message"])[-1]
    if code == 2 and program.ours:
        # The engine does not support the graph, such as lanes with long lengths.
        series.left_out = last.removeprefix("brandes: ")
        return
    if code != 0:
        raise Failed(f"exit code {code}: {last}")
    compute, peak, scores, series.remark = program.result(job.graph, folder, stdout)
    check(job, series, scores)
    series.compute.append(compute)
    series.peak.append(peak)


def child(command, environment, limit):
    """Returns the exit code (None after the time limit), the seconds, stdout and stderr."""
    begin = time.perf_counter()
    try:
        done = subprocess.run([str(part) for part in command], env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=limit)
        code, printed = done.returncode, (done.stdout, done.stderr)
    except subprocess.TimeoutExpired as error:
        code, printed = None, (error.stdout or b"", error.stderr or b"")
    return code, time.perf_counter() - begin, *(text.decode("utf-8", "replace") for text in printed)


def check(job, series, scores):
    """Compares scores with those of the first program."""
    if job.reference is None:
        job.reference = series.program, scores
        return
    first, expected = job.reference
    if len(scores) != len(expected):
        raise Failed(f"{len(scores)} scores, but {len(expected)} of {first.title}")
    largest, where = 0.0, None
    for vertex, (a, b) in enumerate(zip(expected, scores)):
        relative = abs(a - b) / max(abs(a), abs(b), FLOOR)
        if relative > largest or math.isnan(relative):
            largest, where = relative, vertex
        if math.isnan(relative):
            break
    if not largest <= TOLERANCE:
        raise Failed(f"WRONG SCORES: vertex {where}: {scores[where]!r}, but {expected[where]!r} of "
                     f"{first.title} (threads {first.threads})")
    series.difference = max(largest, series.difference or 0.0)
