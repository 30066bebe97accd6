"""Implements scripts/bench-peers: finds the programs and measures them on each graph."""
import datetime
import json
import shlex
import signal
import sys
import tempfile
from pathlib import Path

import graphs
import measure
import options
import page
import programs
import tools
from programs import say
from readers import Unreadable
from simple import simplify

# networkx checks graphs up to this product of vertices and edges, which takes a few seconds.
SMALL = 10_000_000


class Bench:
    """Finds the programs and measures them. `remarks` has notes on missing programs and on checks."""

    def __init__(self, chosen, scratch):
        self.options = chosen
        self.scratch = scratch
        self.brandes = tools.brandes(chosen.brandes)
        self.tools = {}
        self.remarks = []
        self.makers = []
        self.python = None
        self.networkx = False
        wanted = programs.PEERS if chosen.peers is None else chosen.peers
        if set(wanted) & set(programs.LIBRARIES):
            self.find_libraries(wanted)
        if "boost" in wanted:
            self.find_boost()

    def find_libraries(self, wanted):
        self.python = tools.python(self.options.venv)
        names = [name for name in wanted if name in programs.LIBRARIES]
        found = tools.versions(self.python, [*names, "networkx", "numpy"])
        if found["numpy"] is None:
            raise tools.Missing(f"{self.python} has no NumPy, which scripts/peers/library.py needs")
        for name in names:
            kind = programs.LIBRARIES[name]
            if found[name] is None:
                self.left_out(name, f"{kind.title} is not installed in the virtual environment")
            else:
                self.makers.append(lambda threads, kind=kind: kind(self.python, threads))
        self.networkx = found["networkx"] is not None

    def find_boost(self):
        binary, why = tools.boost(self.scratch)
        if binary is None:
            self.left_out("boost", f"the Boost Graph Library is left out: {why}")
            return
        self.tools["g++"] = tools.compiler().rpartition(" ")[2]
        self.makers.append(lambda threads: programs.Boost(binary, threads))

    def left_out(self, name, why):
        """Notes that a peer is missing. Raises an error if the command line named it."""
        if self.options.peers is not None:
            raise tools.Missing(why)
        say(why)
        self.remarks.append(why)

    def programs(self):
        """Returns all programs to measure. Single-threaded programs are listed once."""
        listed = []
        for threads in self.options.threads:
            for engine in self.options.engines:
                listed.append(programs.Engine(self.brandes, engine, threads))
            for make in self.makers:
                program = make(threads)
                if program.parallel:
                    listed.append(program)
                elif threads == self.options.threads[0]:
                    listed.append(make(1))
        return listed

    def job(self, name):
        source = graphs.source(name, self.options.graphs_dir, self.brandes, self.scratch)
        edges = self.scratch / "graph.txt"
        graph = simplify(graphs.label(name), source, edges, self.options.weighted)
        count = graphs.source_count(graph.name, self.options.roots, graph.vertices)
        take = graph.stretch if self.options.consecutive else graph.sample
        sources = None if count is None else take(count)
        series = [measure.Series(program) for program in self.programs()]
        job = measure.Job(graph, sources, series, self.options.limit, self.scratch)
        measure.rounds(job, self.options.repeat, self.options.whole_runs)
        if self.networkx and graph.vertices * graph.edges <= SMALL:
            self.check(job)
        return job

    def check(self, job):
        """Compares the scores of a small graph with those of networkx."""
        series = measure.Series(programs.Networkx(self.python, 1))
        checked = measure.Job(job.graph, job.sources, [series], job.limit, job.folder, job.references)
        measure.rounds(checked, 1, False)
        if series.failure:
            job.series.append(series)
        elif series.compute:
            remark = f"networkx {series.program.version} agrees on {job.graph.name}"
            self.remarks.append(f"{remark} (largest relative difference {series.difference or 0:.0e})")


def about(chosen, bench):
    return {
        "date": datetime.date.today().isoformat(), "machine": page.machine(), "tools": bench.tools,
        "command": shlex.join(["scripts/bench-peers", *sys.argv[1:]]), "weighted": chosen.weighted,
        "threads": chosen.threads, "repeat": chosen.repeat, "limit": chosen.limit,
    }


def write(chosen, bench, jobs):
    head = about(chosen, bench)
    if chosen.output:
        page.replace(chosen.output, page.markdown(head, jobs, bench.remarks))
    if chosen.json:
        page.replace(chosen.json, json.dumps(page.record(head, jobs, bench.remarks), indent=1) + "\n")
    return page.markdown(head, jobs, bench.remarks)


def interrupted(_number, _frame):
    raise KeyboardInterrupt


def main():
    chosen = options.parse(None)
    # SIGTERM also ends the running program and removes the scratch files.
    signal.signal(signal.SIGTERM, interrupted)
    with tempfile.TemporaryDirectory(prefix="bench-peers-") as folder:
        try:
            return measure_all(chosen, Path(folder))
        except (tools.Missing, Unreadable, OSError) as error:
            say(error)
            return 2
        except KeyboardInterrupt:
            return 130


def measure_all(chosen, scratch):
    bench = Bench(chosen, scratch)
    jobs = []
    if chosen.named:
        # Named graphs must exist before the measurements, which may take hours.
        for name in chosen.graphs:
            if name not in graphs.GENERATED:
                graphs.source(name, chosen.graphs_dir, bench.brandes, scratch)
    broken = stopped = False
    try:
        for name in chosen.graphs:
            try:
                jobs.append(bench.job(name))
            except Unreadable as error:
                say(error)
                bench.remarks.append(f"left out: {error}")
                broken = broken or chosen.named
            write(chosen, bench, jobs)
    except KeyboardInterrupt:
        say("interrupted; the tables have the graphs that were finished")
        bench.remarks.append("interrupted: not all graphs were measured")
        stopped = True
    print(write(chosen, bench, jobs))
    if not jobs:
        say("no graph was measured")
    failures = [(job.graph.name, series.program.key) for job in jobs for series in job.series if series.failure]
    for graph, program in failures:
        say(f"FAILED: {program} on {graph}; see above")
    return 130 if stopped else 1 if failures or broken or not jobs else 0
