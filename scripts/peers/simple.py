"""The one graph that all programs get: simple, undirected, in a plain edge list.

Loops are dropped and parallel edges merged (the least weight is kept), as brandes does, so that
nobody has to, and vertices without edges are left out, since an edge list cannot name them.
Vertices are 0 to n-1, in the order of their numbers in the input (or of their appearance, if they
have names). Weights become integers on a common scale: all programs then add them exactly, and
agree about which paths are equally long.
"""
import math
import zlib
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from readers import Unreadable, read_edges

# Doubles count exactly up to here; a shortest path has at most n - 1 edges.
EXACT = 2**53


class Sources(list):
    """Vertices, and how `brandes run --roots` is told to take these; positions are translated to vertices."""

    def __init__(self, asked, vertices):
        super().__init__(vertices)
        self.asked = asked


class SimpleGraph:
    """An edge list on disk and what is known of it."""

    def __init__(self, name, path, vertices, edges, mentioned, weights, scale):
        self.name = name
        self.path = path
        self.vertices = vertices
        self.edges = edges
        # Vertices in the order in which the file mentions them, the order of brandes' scores.
        self.mentioned = mentioned
        # "own", "made" (by hashing) or None; the length that stands for a weight of 1.
        self.weights = weights
        self.scale = scale

    def sample(self, count):
        """`count` sources, evenly spread."""
        n = self.vertices
        return Sources(str(count), (self.mentioned[i * n // count] for i in range(count)))

    def stretch(self, count):
        """`count` sources in the middle, one after the other."""
        first = (self.vertices - count) // 2
        return Sources(f"{first}..{first + count}", self.mentioned[first:first + count])


def simplify(name, source, path, weighted):
    """Reads the file `source`, writes the edge list `path`."""
    edges = [edge for edge in read_edges(source) if edge[0] != edge[1]]
    if not edges:
        raise Unreadable(f"{source} has nothing but loops")
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
        least = {pair: made_weight(pair) for pair in least}
    if weighted and len(number) * max(least.values()) >= EXACT:
        raise Unreadable(f"{source}: its weights are too fine to be added exactly by all programs")

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
        pass  # names: as they appear
    return {name: i for i, name in enumerate(names)}


def made_weight(pair):
    """1 to 10, by the edge alone, so that it is the same everywhere and always."""
    return zlib.crc32(b"%d %d" % pair) % 10 + 1


def to_integers(source, texts):
    """Decimals as integers on the largest common scale, and the scale's unit."""
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
