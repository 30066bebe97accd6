"""Writes Markdown tables of the measurements: seconds, ratios, memory."""
import statistics

from programs import ENGINES, PEERS

# The order of columns.
ORDER = [*(f"brandes-{engine}" for engine in ENGINES), *PEERS]


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def figure(value):
    """Formats a number with three digits and without an exponent."""
    if value >= 100:
        return f"{value:,.0f}"
    digits = 1 if value >= 10 else 2 if value >= 1 else 3
    while value and digits < 6 and value < 10 ** (2 - digits):
        digits += 1
    return f"{value:.{digits}f}"


def chosen(job, threads):
    """Returns the series of a table: those with `threads` threads and single-threaded programs."""
    return [series for series in job.series
            if series.program.threads == threads or not series.program.parallel]


def mark(series, threads):
    return "¹" if series.program.threads != threads else ""


def cell(series, limit, values, threads):
    """Returns a median, or the reason why there is none."""
    if series.failure:
        return "**failed**"
    if series.left_out:
        return "-"
    if series.stopped is not None:
        return f"> {figure(limit)}{mark(series, threads)}"
    return f"{figure(statistics.median(values))}{mark(series, threads)}"


def columns(jobs, threads):
    """Returns the programs that have a cell in a table: brandes' engines, then the peers."""
    names = {}
    for job in jobs:
        for series in chosen(job, threads):
            if not series.left_out:
                names.setdefault(series.program.name, series.program.title)
    return dict(sorted(names.items(), key=lambda item: ORDER.index(item[0])))


def values_table(jobs, threads, what, scale=1.0):
    names = columns(jobs, threads)
    auto = "brandes-auto" if what == "compute" and "brandes-auto" in names else None
    header = ["graph"]
    for name, title in names.items():
        header += [title, "chose"] if name == auto else [title]
    rows = []
    for job in jobs:
        by_name = {series.program.name: series for series in chosen(job, threads)}
        medians = {name: statistics.median(getattr(series, what)) for name, series in by_name.items()
                   if getattr(series, what) and not series.is_over}
        best = min(medians, key=medians.get, default=None)
        row = [job.graph.name]
        for name in names:
            series = by_name[name]
            values = [value / scale for value in getattr(series, what)]
            if what == "peak" and values and not series.is_over:
                row.append(figure(statistics.median(values)) + mark(series, threads))
            elif what == "peak":
                row.append("-")
            else:
                row.append(cell(series, job.limit, values, threads))
            if name == best:
                row[-1] = f"**{row[-1]}**"
            if name == auto:
                row.append(series.remark or "-")
        rows.append(row)
    return table(header, rows)


def ratio(engine, peers):
    """Returns the speed-up over the fastest peer (median of the rounds), and the name of that peer.

    If the time limit stopped all peers, returns a lower bound."""
    if engine.is_over:
        return "-"
    measured = [peer for peer in peers if peer.compute and not peer.is_over]
    if not measured:
        stopped = [peer for peer in peers if peer.stopped]
        if not stopped:
            return "-"
        least = min(peer.stopped for peer in stopped) / statistics.median(engine.compute)
        return f"> {figure(least)}"
    ratios, names = [], []
    for number, own in enumerate(engine.compute):
        times = {peer.program.title: peer.compute[number] for peer in measured}
        best = min(times, key=times.get)
        ratios.append(times[best] / own)
        names.append(best)
    best = statistics.mode(names)
    return f"{figure(statistics.median(ratios))} ({best})"


def ratio_table(jobs, threads):
    names = columns(jobs, threads)
    engines = [name for name in names if name.startswith("brandes-")]
    peers = [name for name in names if name not in engines]
    rows = []
    for job in jobs:
        by_name = {series.program.name: series for series in chosen(job, threads)}
        others = [by_name[peer] for peer in peers]
        rows.append([job.graph.name, *(ratio(by_name[name], others) for name in engines)])
    return table(["graph", *(names[name] for name in engines)], rows) if peers else None


def graphs_table(jobs):
    rows = []
    for job in jobs:
        graph = job.graph
        sources = "all" if job.sources is None else f"{len(job.sources):,} ({job.sources.option})"
        row = [graph.name, f"{graph.vertices:,}", f"{graph.edges:,}", sources]
        if graph.weights == "own":
            row.append("its own" if graph.scale == 1 else f"its own, times {graph.scale:g}")
        elif graph.weights:
            row.append("1 to 10, by hash")
        compared = [series.difference for series in job.series if series.difference is not None]
        row.append(f"{max(compared):.0e}" if compared else "nothing to compare")
        rows.append(row)
    header = ["graph", "vertices", "edges", "sources"]
    header += ["weights"] if any(job.graph.weights for job in jobs) else []
    return table([*header, "largest relative difference of a score"], rows)
