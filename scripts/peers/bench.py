"""Implements scripts/bench-peers: finds the programs and measures them on each graph."""
import argparse
import datetime
import shlex
import sys
import tempfile
from pathlib import Path

import graphs
import measure
import programs
import tables
import tools
from programs import say

EPILOG = f"""\
graphs (unweighted):    {", ".join(graphs.UNWEIGHTED)}
graphs with --weighted: {", ".join(graphs.WEIGHTED)}
graphs with --quick:    {", ".join(graphs.QUICK)}

Graphs are files NAME.* in --graphs-dir (from scripts/fetch-graphs), paths of files, or generated
({", ".join(graphs.GENERATED)}). All are read as undirected. With --weighted,
graphs without weights get integers from 1 to 10. Sampled sources by default:
{", ".join(f"{name} {count}" for name, count in graphs.SAMPLES.items())}. Needs Python 3.11 or later with
venv, and for Boost g++ and libboost-graph-dev.
"""


def names_of(allowed):
    """Returns a parser of some of the names, or of none."""
    def parse(text):
        names = [] if text == "none" else list(dict.fromkeys(text.split(",")))
        if unknown := [name for name in names if name not in allowed]:
            raise argparse.ArgumentTypeError(f"'{unknown[0]}' is none of {', '.join(allowed)}")
        return names

    return parse


def counts(text):
    """Parses numbers from 1, separated by commas."""
    numbers = sorted({int(part) for part in text.split(",")})
    if numbers[0] < 1:
        raise argparse.ArgumentTypeError(f"'{text}' has a number below 1")
    return numbers


def roots(text):
    return text if text == "all" else counts(text)[0]


def parse():
    parser = argparse.ArgumentParser(
        prog="scripts/bench-peers", epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Compares brandes' CPU engines with other CPU libraries, and prints Markdown "
                    "tables. All scores are compared; exit code 1 if any differ.")
    add = parser.add_argument
    add("--weighted", action="store_true", help="weighted graphs")
    add("--quick", action="store_true", help="the small graphs of bench-graphs, one round")
    add("--graphs", type=lambda text: text.split(","), metavar="NAME,...", help="names or files")
    add("--graphs-dir", type=Path, default=graphs.DOWNLOADS, metavar="DIR",
        help="folder of the graphs (bench-graphs/downloads)")
    add("--roots", type=roots, metavar="K",
        help="search from K sources of each graph, evenly spread; or all")
    add("--consecutive", action="store_true",
        help="sample consecutive sources from the middle of the file")
    add("--threads", type=counts, default=[1], metavar="N,...", help="numbers of threads (1)")
    add("--repeat", type=int, metavar="N", help="rounds; tables show medians (3)")
    add("--limit", type=float, default=300.0, metavar="SECONDS",
        help="stop a program that runs longer (300)")
    add("--peers", type=names_of(programs.PEERS), metavar="NAME,...",
        help=f"of {', '.join(programs.PEERS)}; or none, which installs nothing")
    add("--engines", type=names_of(programs.ENGINES), default=list(programs.ENGINES[:-1]), metavar="NAME,...",
        help=f"of {', '.join(programs.ENGINES)}; by default all but device, the first OpenCL device alone")
    add("--venv", metavar="DIR", help="a virtual environment with the libraries "
                                      "(default: target/peers-venv, made if missing)")
    add("--brandes", metavar="FILE", help="the program (default: target/release/brandes, built if missing)")
    options = parser.parse_args()
    if not options.engines:
        parser.error("--engines needs at least one engine to compare the peers with")
    options.repeat = options.repeat or (1 if options.quick else 3)
    options.graphs = options.graphs or (
        graphs.QUICK if options.quick else graphs.WEIGHTED if options.weighted else graphs.UNWEIGHTED)
    return options


class Bench:
    """Finds the programs and measures them. `remarks` has notes on what is left out."""

    def __init__(self, chosen, scratch):
        self.options = chosen
        self.scratch = scratch
        self.brandes = tools.brandes(chosen.brandes)
        self.remarks = []
        wanted = programs.PEERS if chosen.peers is None else chosen.peers
        libraries = [kind for name, kind in programs.LIBRARIES.items() if name in wanted]
        python = tools.python(chosen.venv) if libraries else None
        self.makers = [lambda threads, kind=kind: kind(python, threads) for kind in libraries]
        if "boost" in wanted:
            binary, why = tools.boost(scratch)
            if binary is not None:
                self.makers.append(lambda threads: programs.Boost(binary, threads))
            elif chosen.peers is not None:
                raise tools.Missing(why)
            else:
                self.remarks.append(f"Boost is left out: {why}")

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
        graph = graphs.SimpleGraph(graphs.label(name), source, self.scratch / "graph.txt", self.brandes,
                                   self.options.weighted)
        count = graphs.source_count(graph.name, self.options.roots, graph.vertices)
        take = graph.stretch if self.options.consecutive else graph.sample
        sources = None if count is None else take(count)
        series = [measure.Series(program) for program in self.programs()]
        job = measure.Job(graph, sources, series, self.options.limit, self.scratch)
        measure.rounds(job, self.options.repeat)
        return job


def main():
    chosen = parse()
    with tempfile.TemporaryDirectory(prefix="bench-peers-") as folder:
        try:
            return measure_all(chosen, Path(folder))
        except (tools.Missing, OSError) as error:
            say(error)
            return 2
        except KeyboardInterrupt:
            return 130


def measure_all(chosen, scratch):
    bench = Bench(chosen, scratch)
    jobs = []
    stopped = False
    try:
        for name in chosen.graphs:
            try:
                jobs.append(bench.job(name))
            except tools.Missing as error:
                say(error)
                bench.remarks.append(f"left out: {error}")
    except KeyboardInterrupt:
        say("interrupted; the tables have the graphs that were finished")
        bench.remarks.append("interrupted: not all graphs were measured")
        stopped = True
    command = shlex.join(["scripts/bench-peers", *sys.argv[1:]])
    print(tables.markdown(chosen, command, datetime.date.today(), jobs, bench.remarks))
    failures = [(job.graph.name, series.program.key) for job in jobs for series in job.series if series.failure]
    for graph, program in failures:
        say(f"FAILED: {program} on {graph}; see above")
    return 130 if stopped else 1 if failures or len(jobs) < len(chosen.graphs) else 0
