"""Writes the Markdown page of the measurements: tables with notes."""
import os
import platform
import statistics

from programs import ENGINES, PEERS

# The order of columns.
ORDER = [*(f"brandes-{engine}" for engine in ENGINES), *PEERS]
READING = """\
Each run is a separate process, programs take turns, and figures are medians of the rounds. All programs read
the same edge list: undirected, no loops, no parallel edges, vertices 0 to n-1, weights as integers. *Computing*
is the call of the library alone; for brandes it is everything between the end of reading and the last score:
preparation (components, folding, ordering, contracting), search and unfolding; for its engine `device`, the
search alone. Memory is the peak of the resident set of the process. The scores of every run are compared."""
# Notes on marks, which are shown if a table has the mark.
MARKS = {"¹": "- ¹ one thread: the program is single-threaded",
         "| > ": "- > stopped: the process took longer than the limit"}


def processor():
    """Returns the name of the processor."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


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
    """Returns the series of a table by name: those with `threads` threads and single-threaded programs."""
    return {series.program.name: series for series in job.series
            if series.program.threads == threads or not series.program.parallel}


def cell(series, values, limit, threads):
    """Returns a median, or the reason why there is none; `limit` is the time limit in a table of times."""
    if series.failure:
        return "**failed**"
    mark = "¹" if series.program.threads != threads else ""
    if series.stopped is not None and limit:
        return f"> {figure(limit)}{mark}"
    return figure(statistics.median(values)) + mark if values and not series.is_over else "-"


def speed_up(engine, peers):
    """Returns the speed-up over the fastest peer, and its name; a lower bound if all peers were stopped."""
    times = {peer.program.title: statistics.median(peer.compute) for peer in peers if peer.compute and not peer.is_over}
    about = "" if times else "> "
    times = times or {peer.program.title: peer.stopped for peer in peers if peer.stopped}
    if engine.is_over or not times:
        return "-"
    best = min(times, key=times.get)
    return f"{about}{figure(times[best] / statistics.median(engine.compute))} ({best})"


def values_table(jobs, threads, what, scale, limit):
    """Returns a table of times, with the speed-up of the last engine, or of memory."""
    titles = {name: series.program.title for job in jobs for name, series in chosen(job, threads).items()
              if not series.left_out}
    names = sorted(titles, key=ORDER.index)
    engines = [name for name in names if name.startswith("brandes-")]
    peers = names[len(engines):]
    rows = []
    for job in jobs:
        by_name = chosen(job, threads)
        medians = {name: statistics.median(getattr(series, what)) for name, series in by_name.items()
                   if getattr(series, what) and not series.is_over}
        row = [job.graph.name]
        for name in names:
            series = by_name[name]
            text = cell(series, [value / scale for value in getattr(series, what)], limit, threads)
            row.append(f"**{text}**" if medians and name == min(medians, key=medians.get) else text)
        if limit:
            row += [by_name[engines[-1]].remark or "-", speed_up(by_name[engines[-1]], [by_name[name] for name in peers])]
        rows.append(row)
    more = [f"engine of {titles[engines[-1]]}", "its speed-up over the fastest other"] if limit else []
    return table(["graph", *(titles[name] for name in names), *more], rows)


def graphs_table(jobs):
    rows = []
    for job in jobs:
        graph = job.graph
        sources = "all" if job.sources is None else f"{len(job.sources):,} ({job.sources.option})"
        row = [graph.name, f"{graph.vertices:,}", f"{graph.edges:,}", sources]
        if graph.weights:
            row.append("its own" + f", times {graph.scale:g}" * (graph.scale != 1) if graph.weights == "own"
                       else "1 to 10, by hash")
        compared = [series.difference for series in job.series if series.difference is not None]
        row.append(f"{max(compared):.0e}" if compared else "nothing to compare")
        rows.append(row)
    header = ["graph", "vertices", "edges", "sources", *["weights"] * any(job.graph.weights for job in jobs)]
    return table([*header, "largest relative difference of a score"], rows)


def notes(jobs):
    """Returns the reasons for empty cells, and the failures."""
    lines, failures = {}, []
    for job in jobs:
        for series in job.series:
            title = series.program.title
            if series.left_out:
                lines.setdefault(f"- {title}: {series.left_out}", {})[job.graph.name] = None
            if series.failure:
                failures.append(f"- **{job.graph.name}, {title}, threads {series.program.threads}: {series.failure}**")
    return [f"{line} ({', '.join(names)})" for line, names in lines.items()] + failures


def markdown(options, command, date, jobs, remarks):
    programs = [series.program for job in jobs for series in job.series if series.program.version]
    versions = {"brandes" if program.ours else program.title: program.version for program in programs}
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    lines = [f"## Beside other libraries, {'' if options.weighted else 'un'}weighted graphs ({date})", "",
             f"Machine: {processor()}, {len(os.sched_getaffinity(0))} cores, {memory:.1f} GiB, {platform.system()} "
             f"{platform.release()}. {', '.join(map(' '.join, versions.items()))}.", "", f"    {command}", "", READING, ""]
    if jobs:
        lines += [graphs_table(jobs), ""]
        for threads in options.threads:
            count = "1 thread" if threads == 1 else f"{threads} threads"
            lines += [f"### {count}: computing, seconds", "",
                      values_table(jobs, threads, "compute", 1, options.limit), "",
                      f"### {count}: peak memory, MB", "", values_table(jobs, threads, "peak", 1e6, None), ""]
    legend = [note for mark, note in MARKS.items() if any(mark in line for line in lines)]
    return "\n".join([*lines, *legend, *notes(jobs), *(f"- {remark}" for remark in remarks)])
