"""Reads the edges of graph files in several text formats.

The readers yield (u, v, weight) with the texts of the file; the weight is None if the file has none.
simple.py handles loops and parallel edges.
"""
import gzip
import itertools
import re
import shutil
import subprocess


# The keys of the lists that hold the edge of a GML file.
EDGE = ["graph", "edge"]


class Unreadable(Exception):
    """A file cannot be read; the text is one line with the reason."""


def text_of(path):
    """Returns the decompressed content of a file."""
    with open(path, "rb") as file:
        data = file.read()
    try:
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        elif data[:4] == b"\x28\xb5\x2f\xfd":
            if shutil.which("zstd") is None:
                raise Unreadable(f"{path} is compressed with zstd; install zstd and try again")
            data = subprocess.run(["zstd", "-dc"], input=data, check=True, capture_output=True).stdout
        return data.decode("utf-8")
    except (EOFError, OSError, UnicodeDecodeError, subprocess.CalledProcessError) as error:
        raise Unreadable(f"{path}: {error}") from None


def read_edges(path):
    """Returns all edges of a file. The content or the name determines the format."""
    text = text_of(path)
    plain = re.sub(r"\.(gz|zst)$", "", str(path))
    if text.startswith("%%MatrixMarket"):
        read = read_matrix_market
    elif plain.endswith((".graph", ".metis")):
        read = read_metis
    elif plain.endswith(".gml"):
        read = read_gml
    elif re.search(r"^p\s+sp\s", text, re.MULTILINE):
        read = read_dimacs
    else:
        read = read_edge_list
    try:
        edges = list(read(text))
    except (IndexError, ValueError) as error:
        raise Unreadable(f"{path}: {read.__name__.replace('_', ' ')[5:]}: {error}") from None
    if not edges:
        raise Unreadable(f"{path} has no edges")
    return edges


def read_edge_list(text):
    for number, line in enumerate(text.splitlines(), 1):
        fields = line.split()
        if not fields or fields[0][0] in "#%":
            continue
        if len(fields) < 2:
            raise ValueError(f"line {number} has one column")
        yield fields[0], fields[1], fields[2] if len(fields) > 2 else None


def read_matrix_market(text):
    lines = text.splitlines()
    if "coordinate" not in lines[0].lower():
        raise ValueError("not a coordinate file")
    entries = (line.split() for line in lines[1:] if line.strip() and not line.startswith("%"))
    next(entries, None)  # the size
    for fields in entries:
        yield fields[0], fields[1], fields[2] if len(fields) > 2 else None


def read_dimacs(text):
    for line in text.splitlines():
        if line.startswith("a"):
            _, u, v, length = line.split()
            yield u, v, length


def read_metis(text):
    lines = (line.split() for line in text.splitlines() if not line.lstrip().startswith("%"))
    header = next(lines, [])
    kind = (header[2] if len(header) > 2 else "").rjust(3, "0")
    constraints = int(header[3]) if len(header) > 3 else int(kind[1] == "1")
    skipped = int(kind[0] == "1") + constraints
    step = 2 if kind[2] == "1" else 1
    for vertex, fields in enumerate(itertools.islice(lines, int(header[0])), 1):
        arcs = fields[skipped:]
        for at in range(0, len(arcs), step):
            yield str(vertex), arcs[at], arcs[at + 1] if step == 2 else None


def read_gml(text):
    """Yields edges with `value` or `weight`, without lists inside them, such as `graphics`."""
    # Comments are lines that start with #. Strings may hold any character.
    tokens = re.finditer(r'^\s*#.*|("[^"]*"|[\[\]]|[^\s\[\]"]+)', text, re.MULTILINE)
    lists, key, edge = [], None, {}
    for token in filter(None, (match[1] for match in tokens)):
        if token == "[":
            lists.append(key)
            key = None
            if lists == EDGE:
                edge = {}
        elif token == "]":
            if lists == EDGE:
                if "source" not in edge or "target" not in edge:
                    raise ValueError("an edge without source or target")
                yield edge["source"], edge["target"], edge.get("value", edge.get("weight"))
            lists.pop()
        elif key is None:
            key = token
        else:
            if lists == EDGE:
                edge[key] = token
            key = None
