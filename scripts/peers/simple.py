"""Writes the edge list that all programs read: a simple undirected graph.

Loops are dropped and parallel edges merged (the least weight is kept), as brandes does. Vertices
without edges are omitted, because an edge list cannot name them. Vertices are 0 to n-1, in the order
of their numbers in the input (or of their appearance, if they have names). Weights become integers
on a common scale, so that all programs add them exactly and agree on ties.
"""
import math
import zlib
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from readers import Unreadable, read_edges

# Doubles represent all integers up to this one; a shortest path has at most n - 1 edges.
EXACT = 2**53


class Sources(list):
    """Source vertices, and `option`, the value of `brandes run --roots` that selects them."""

    def __init__(self, option, vertices):
        super().__init__(vertices)
        self.option = option


class SimpleGraph:
    """An edge list on disk and its properties."""

    def __init__(self, name, path, vertices, edges, mentioned, weights, scale):
        self.name = name
        self.path = path
        self.vertices = vertices
        self.edges = edges
        # The vertices in the order in which the file mentions them, which is that of brandes' scores.
        self.mentioned = mentioned
        # "own" (from the file), "made" (by hashing) or None; and the integer length of weight 1.
        self.weights = weights
        self.scale = scale

    def sample(self, count):
        """Returns `count` evenly spread sources."""
        n = self.vertices
        return Sources(str(count), (self.mentioned[i * n // count] for i in range(count)))

    def stretch(self, count):
        """Returns `count` consecutive sources from the middle."""
        first = (self.vertices - count) // 2
        return Sources(f"{first}..{first + count}", self.mentioned[first:first + count])


def simplify(name, source, path, weighted):
    """Reads the file `source` and writes the edge list `path`."""
    edges = [edge for edge in read_edges(source) if edge[0] != edge[1]]
    if not edges:
        raise Unreadable(f"{source} has only loops")
    number = numbering(edges)
    own = weighted and all(weight is not None for _, _, weight in edges)
    lengths, scale = to_integers(source, [weight for _, _, weight in edges]) if own else (None, 1)
    least = {}
    for i, (a, b, _) in enumerate(edges):
        u, v = number[a], number[b]
        pair = (u, v) if u < v else (v, u)
        length = lengths[i] if own else 1
        if length < least.get(pair, math.inf):
            least[pair] = length
    if weighted and not own:
        least = {pair: hashed_weight(pair) for pair in least}
    if weighted and len(number) * max(least.values()) >= EXACT:
        raise Unreadable(f"{source}: its weights have too many digits for exact sums in all programs")

    mentioned = {}
    with open(path, "w", encoding="ascii") as file:
        for (u, v), length in sorted(least.items()):
            mentioned[u] = mentioned[v] = None
            file.write(f"{u} {v} {length}\n" if weighted else f"{u} {v}\n")
    kind = ("own" if own else "made") if weighted else None
    return SimpleGraph(name, path, len(number), len(least), list(mentioned), kind, scale)


def numbering(edges):
    names = dict.fromkeys(name for edge in edges for name in edge[:2])
    try:
        names = sorted(names, key=int)
    except ValueError:
        pass  # Names keep the order of their appearance.
    return {name: i for i, name in enumerate(names)}


def hashed_weight(pair):
    """Returns a weight from 1 to 10 that depends only on the edge."""
    return zlib.crc32(b"%d %d" % pair) % 10 + 1


def to_integers(source, texts):
    """Converts decimals to the smallest integers on a common scale; returns them and the scale."""
    try:
        values = [Fraction(Decimal(text)) for text in texts]
    except (InvalidOperation, OverflowError, ValueError):
        raise Unreadable(f"{source}: not every weight is a number") from None
    if min(values) <= 0:
        raise Unreadable(f"{source}: a weight is zero or less")
    below = math.lcm(*{value.denominator for value in values})
    lengths = [value.numerator * (below // value.denominator) for value in values]
    unit = math.gcd(*lengths)
    return [length // unit for length in lengths], below / unit
