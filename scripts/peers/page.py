"""Writes the Markdown page: tables with notes."""
import os
import platform
import tables

READING = """\
Each run is a separate process, programs take turns, and figures are medians of the rounds. All programs read
the same edge list: undirected, no loops, no parallel edges, vertices 0 to n-1, weights as integers. *Computing*
is the call of the library alone; for brandes it is everything between the end of reading and the last score:
preparation (components, folding, ordering, contracting), search and unfolding; for its engine `device`, the
search alone. Memory is the peak of the resident set of the process. The scores of every run are compared."""


def machine():
    model = platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            model = next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    cores = len(os.sched_getaffinity(0))
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {"cpu": model, "cores": cores, "memory_gib": round(memory, 1),
            "system": f"{platform.system()} {platform.release()}"}


def versions(jobs):
    """Returns a dict from each program that ran to its version."""
    found = {}
    for job in jobs:
        for series in job.series:
            if series.program.version:
                title = "brandes" if series.program.ours else series.program.title
                found[title] = series.program.version
    return found


def notes(jobs):
    """Returns the reasons for empty cells, and the failures."""
    lines = {}
    for job in jobs:
        for series in job.series:
            if series.left_out:
                lines.setdefault(f"{series.program.title}: {series.left_out}", []).append(job.graph.name)
    text = [f"- {line} ({', '.join(dict.fromkeys(names))})" for line, names in lines.items()]
    text += [f"- **{job.graph.name}, {series.program.title}, threads {series.program.threads}: "
             f"{series.failure}**" for job in jobs for series in job.series if series.failure]
    return text


def markdown(about, jobs, remarks):
    host = machine()
    kind = "weighted" if about["weighted"] else "unweighted"
    lines = [f"## Beside other libraries, {kind} graphs ({about['date']})", "",
             f"Machine: {host['cpu']}, {host['cores']} cores, {host['memory_gib']} GiB, {host['system']}. "
             + ", ".join(f"{name} {version}" for name, version in versions(jobs).items()) + ".", "",
             f"    {about['command']}", "", READING, ""]
    if not jobs:
        return "\n".join([*lines, *remarks, ""])
    lines += [tables.graphs_table(jobs), ""]
    for threads in about["threads"]:
        count = "1 thread" if threads == 1 else f"{threads} threads"
        parts = [("computing, seconds", tables.values_table(jobs, threads, "compute")),
                 ("speed-up over the fastest library", tables.ratio_table(jobs, threads)),
                 ("peak memory, MB", tables.values_table(jobs, threads, "peak", 1e6))]
        for title, text in parts:
            if text:
                lines += [f"### {count}: {title}", "", text, ""]
    legend = []
    if any("¹" in line for line in lines):
        legend.append("- ¹ one thread: the program is single-threaded")
    if any("| > " in line for line in lines):
        legend.append(f"- > stopped: the process took longer than the limit of {about['limit']:g} s")
    legend += notes(jobs)
    legend += [f"- {remark}" for remark in remarks]
    return "\n".join([*lines, *legend]) + "\n"
