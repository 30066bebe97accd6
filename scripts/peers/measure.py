"""Runs programs on a graph in turns, each run a process of its own, and compares their scores."""
import json
import math
import shutil
import subprocess
import time
from dataclasses import dataclass, field

from programs import Failed, say

# How far scores may be apart, relative to the larger one; scores below the floor are taken for as
# large as it, since what is left of a sum of large and small shares there is rounding.
TOLERANCE = 1e-6
FLOOR = 1e-3


@dataclass
class Series:
    """What was measured of a program on a graph, a list entry per round."""

    program: object
    # Computing, the whole process, peak memory.
    compute: list = field(default_factory=list)
    total: list = field(default_factory=list)
    peak: list = field(default_factory=list)
    # What the program said of how it searched.
    remark: str | None = None
    # Why there is nothing: not for this graph, or stopped at the limit.
    left_out: str | None = None
    # Seconds that it had computed for when it was stopped; 0 if that is not known.
    stopped: float | None = None
    failure: str | None = None
    # The part of a whole run that the sources are, if the program had to take all of them.
    part: float = 1.0
    # Largest relative difference from the scores of the first engine.
    difference: float | None = None

    @property
    def over(self):
        return bool(self.left_out or self.failure or self.stopped is not None)


@dataclass
class Job:
    """A graph, the programs to measure on it, and how."""

    graph: object
    # Vertices to search from, None for all.
    sources: list | None
    series: list
    limit: float
    folder: object
    # Scores to compare with: of the sources, and of whole runs by programs without a choice.
    references: dict = field(default_factory=dict)


def unsuited(program, graph, sources, whole):
    """Why a program is not run on a graph at all."""
    if graph.weights and not program.weighted:
        return "takes no weights"
    if sources is not None and not program.sources and not whole:
        return "no choice of sources"
    return None


def rounds(job, repeat, whole):
    """Measures all programs of a job, in rounds of one run each."""
    for series in job.series:
        series.left_out = unsuited(series.program, job.graph, job.sources, whole)
        if job.sources is not None and not series.program.sources:
            series.part = len(job.sources) / job.graph.vertices
    for number in range(repeat):
        for series in job.series:
            # Whole runs in place of samples take long, and are estimates anyway.
            if series.over or (number > 0 and series.part < 1):
                continue
            say(f"{job.graph.name}: round {number + 1} of {repeat}: {series.program.key}")
            try:
                once(job, series)
            except (Failed, KeyError, OSError, ValueError) as error:
                known = isinstance(error, Failed)
                series.failure = str(error) if known else f"{type(error).__name__}: {error}"
                say(f"FAILED: {job.graph.name}: {series.program.key}: {series.failure}")


def once(job, series):
    program = series.program
    sources = job.sources if series.part == 1 else None
    folder = job.folder / "run"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    command = [str(part) for part in program.command(job.graph, sources, folder)]
    begin = time.time()
    code, seconds, stdout, stderr = child(command, program.environment(), job.limit, folder)
    if code is None:
        began = [json.loads(line)["computes_since"] for line in stdout.splitlines()
                 if line.startswith('{"computes_since"')]
        series.stopped = max(seconds - (began[0] - begin), 0.0) if began else 0.0
        say(f"{job.graph.name}: {program.key} was stopped after {seconds:.0f} s")
        return
    last = (stderr.strip().splitlines() or ["no message"])[-1]
    if code == 2 and program.ours:
        # An option that does not go with the graph, such as lanes with long lengths.
        series.left_out = last.removeprefix("brandes: ")
        return
    if code != 0:
        raise Failed(f"exit code {code}: {last}")
    compute, peak, scores, series.remark = program.result(job.graph, sources, folder, stdout)
    check(job, series, scores, "sources" if sources is not None else "all")
    series.compute.append(compute * series.part)
    # Only computing is shorter with fewer sources.
    series.total.append(seconds - compute + compute * series.part)
    series.peak.append(peak)


def child(command, environment, limit, folder):
    """Exit code (None if it was stopped at the limit), seconds, what it printed."""
    with open(folder / "stdout", "w+b") as out, open(folder / "stderr", "w+b") as err:
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=err, stdin=subprocess.DEVNULL,
                                   env=environment)
        try:
            code = process.wait(timeout=limit)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            seconds = time.perf_counter() - begin
            if process.poll() is None:
                process.kill()
                process.wait()
        printed = []
        for stream in (out, err):
            stream.seek(0)
            printed.append(stream.read().decode("utf-8", "replace"))
    return code, seconds, *printed


def check(job, series, scores, kind):
    """Compares scores with those of the first program that had the same sources."""
    if kind not in job.references:
        job.references[kind] = (series.program, scores)
        return
    first, expected = job.references[kind]
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
