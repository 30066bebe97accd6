"""The command line of scripts/bench-peers."""
import argparse
import os
from pathlib import Path

from graphs import DOWNLOADS, GENERATED, QUICK, SAMPLES, UNWEIGHTED, WEIGHTED
from programs import ENGINES, PEERS

EPILOG = f"""\
graphs (unweighted):    {", ".join(UNWEIGHTED)}
graphs with --weighted: {", ".join(WEIGHTED)}
graphs with --quick:    {", ".join(QUICK)}

Some graphs are generated ({", ".join(GENERATED)}), the others
are files NAME.* in --graphs-dir; scripts/fetch-graphs downloads those of the catalog. --graphs also
accepts paths of files. All graphs are read as undirected.
With --weighted, graphs without weights get integers from 1 to 10, by a hash of the edge.
The script needs Python 3.11 or later with venv. It measures Boost if g++ finds its headers
(Debian: g++ libboost-graph-dev).
Sampled sources by default: {", ".join(f"{name} {count}" for name, count in SAMPLES.items())}.

examples:
  scripts/bench-peers --quick
      the small graphs of the project, in seconds (and a minute to install libraries, once)
  scripts/bench-peers --threads 1,2 --output peers.md --json peers.json
      all graphs, a table per number of threads; hours
  scripts/bench-peers --weighted --graphs rome99,cond-mat --repeat 5
  scripts/bench-peers --graphs soc-Epinions1 --roots 500 --peers igraph --engines lanes
  scripts/bench-peers --graphs wiki-Vote --engines device --peers pylibcugraph --venv DIR
      a GPU and cuGraph; the virtual environment needs pylibcugraph and cupy
  scripts/bench-peers --quick --peers none
      brandes' engines alone; installs nothing
"""


def listed(allowed):
    def parse(text):
        if text == "none":
            return []
        names = text.split(",")
        unknown = [name for name in names if name not in allowed]
        if unknown:
            raise argparse.ArgumentTypeError(f"'{unknown[0]}' is none of {', '.join(allowed)}")
        return list(dict.fromkeys(names))

    return parse


def number(kind, least, others=()):
    def parse(text):
        if text in others:
            return text
        try:
            value = kind(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"'{text}' is not a number") from None
        if not value >= least:
            raise argparse.ArgumentTypeError(f"'{text}' is less than {least}")
        return value

    return parse


def threads(text):
    parse = number(int, 1)
    return sorted({parse(part) for part in text.split(",")})


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="scripts/bench-peers", epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Compares brandes' CPU engines with other CPU libraries, and prints Markdown "
                    "tables. All scores are compared; exit code 1 if any differ.")
    add = parser.add_argument
    add("--weighted", action="store_true", help="weighted graphs")
    add("--quick", action="store_true", help="the small graphs of bench-graphs, one round")
    add("--graphs", type=lambda text: text.split(","), metavar="NAME,...", help="names or files")
    add("--graphs-dir", type=Path, default=DOWNLOADS, metavar="DIR",
        help="folder of the graphs (bench-graphs/downloads)")
    add("--roots", type=number(int, 1, ["all"]), metavar="K",
        help="search from K sources of each graph, evenly spread; or all")
    add("--consecutive", action="store_true",
        help="sample consecutive sources from the middle of the file")
    add("--whole-runs", action="store_true",
        help="let programs that cannot search from a sample search from all vertices once, and show "
             "the sample's fraction of the time, marked with ~ (default: omit them)")
    add("--threads", type=threads, default=[1], metavar="N,...", help="numbers of threads (1)")
    add("--repeat", type=number(int, 1), metavar="N", help="rounds; tables show medians (3)")
    add("--limit", type=number(float, 1), default=300.0, metavar="SECONDS",
        help="stop a program that runs longer (300)")
    add("--peers", type=listed(PEERS), metavar="NAME,...", help=f"of {', '.join(PEERS)}; or none")
    add("--engines", type=listed(ENGINES), default=list(ENGINES[:-1]), metavar="NAME,...",
        help=f"of {', '.join(ENGINES)}; by default all but device, the first OpenCL device alone")
    add("--venv", metavar="DIR", help="a virtual environment with the libraries "
                                      "(default: target/peers-venv, made if missing)")
    add("--brandes", metavar="FILE", help="the program (default: target/release/brandes, built if missing)")
    add("--output", type=Path, metavar="FILE.md", help="also write the tables to this file, after each graph")
    add("--json", type=Path, metavar="FILE", help="write all times as JSON")
    options = parser.parse_args(arguments)
    if not options.engines:
        parser.error("--engines needs at least one engine to compare the peers with")
    for path in filter(None, (options.output, options.json)):
        if not (path.absolute().parent.is_dir() and os.access(path.absolute().parent, os.W_OK)):
            parser.error(f"{path} cannot be written: {path.absolute().parent} is not a writable folder")
    if options.repeat is None:
        options.repeat = 1 if options.quick else 3
    options.named = options.graphs is not None
    if options.graphs is None:
        options.graphs = QUICK if options.quick else WEIGHTED if options.weighted else UNWEIGHTED
    return options
