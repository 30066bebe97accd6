// Makes the sections of the page from the reports.

// --- Sections: each function returns one figure, or an array of figures to choose from -----------
// Adds the label of a run to a name if there are several runs.
const named = (all, { label }, name) =>
  (all.length === 1 ? name : [label, name].filter(Boolean).join(", "));

// Returns the searches of all reports whose D is known.
function searchesByD() {
  const ofRuns = runs.map(({ facts, report }) => ({ ...facts, median: report.seconds.search }));
  // If several reports have measurements of one kind, each report has its own lines.
  const several = ["bench", "tune"]
    .some((kind) => files.filter((file) => file.kind === kind).length > 1);
  const own = (name) => (several ? { report: name } : {});
  const ofBenches = benched.flatMap(({ facts, graph, name }) => graph.strategies.map((entry) => ({
    ...facts, ...own(name), ...entry, ...entry.spread, degree: entry.degree ?? entry.plan?.degree,
    hollow: entry.estimated,
  })));
  const ofTunes = tunes.flatMap(({ facts, name, report }) => settingsOf(report).map((entry) => ({
    ...facts, ...own(name), ...entry, ...entry.spread,
  })));
  return [...ofRuns, ...ofBenches, ...ofTunes].filter((one) => one.degree > 0 && one.median > 0);
}

// Returns the seconds of all searches with one D: their median, and the range of all.
function secondsOfD(D, searches) {
  const same = searches.filter(({ degree }) => degree === D).sort((a, b) => a.median - b.median);
  const { median, hollow } = same[(same.length - 1) >> 1];
  const min = Math.min(...same.map((one) => one.min ?? one.median));
  const max = Math.max(...same.map((one) => one.max ?? one.median));
  return { D, median, min, max, hollow };
}

// Returns the points of a line: times as multiples of the best median.
function relativePoints(name, all) {
  const best = Math.min(...all.map(({ median }) => median));
  return all.map(({ D, median, min, max, hollow }) => {
    const times = `${duration(median)}, from ${duration(min)} to ${duration(max)}`;
    const title = `${name ? `${name}, ` : ""}D ${D}: ${times}, ${digits(median / best, 3)} of best`;
    return { x: D, y: median / best, min: min / best, max: max / best, hollow, title };
  });
}

// Draws a line for each combination of the other options.
function degree() {
  const { degree: _, ...others } = FACTS;
  const all = searchesByD();
  const names = labels(all, { ...others, report: (name) => name });
  const degrees = (searches) => distinct(searches.map((one) => one.degree)).sort((a, b) => a - b);
  const lines = distinct(names).map((name) => {
    const own = all.filter((_, i) => names[i] === name);
    return { name, seconds: degrees(own).map((D) => secondsOfD(D, own)) };
  }).filter(({ seconds }) => seconds.length > 1);
  const series = lines.map(({ name, seconds }) => ({ name, points: relativePoints(name, seconds) }));
  const table = lines.flatMap(({ name, seconds }) =>
    seconds.map(({ D, median, min, max }) => ({ line: name, D, seconds: median, min, max })));
  return { chart: linesChart, name: "Search time against D", series, table, relative: true,
    xTicks: degrees(all), xName: "D, arcs", yName: "times the best of the line", showY: plain };
}

function top() {
  const all = runsByScores();
  const row = ({ vertex, score }, _, [{ score: highest }]) =>
    stacked(vertex, plain(score), [[0, score / highest, `vertex ${vertex}: ${plain(score)}`]]);
  const groups = all.map((run) =>
    ({ name: named(all, run), rows: run.report.results.top.map(row) }));
  const table = all.flatMap(({ label, report }) =>
    report.results.top.map(({ interval, ranks, ...vertex }) => ({
      run: label, ...vertex,
      ...(interval && { lower: interval[0], upper: interval[1], ranks: ranks.join("-") }) })));
  return { chart: rowsChart, name: "The highest scores", groups, table };
}

// Returns a point for each bin, in its middle on a logarithmic axis.
const binPoints = (bins, field, title) => bins.map((bin) => ({
  x: Math.sqrt(bin.from * bin.to), y: bin[field], hollow: field === "mean",
  title: `${counted(bin.count, "vertex")} of ${title(bin)}`,
}));

function scoreByDegree() {
  const all = runsByScores();
  const line = (run, what, field) => {
    const title = (bin) => `degree ${range(bin.from, bin.to)}: ${what} score ${plain(bin[field])}`;
    const points = binPoints(run.report.results.by_degree, field, title);
    return { name: named(all, run, what), points };
  };
  const series = all.flatMap((run) => [line(run, "highest", "max"), line(run, "mean", "mean")]);
  const table = all.flatMap(({ label, report }) =>
    report.results.by_degree.map((bin) => ({ run: label, ...bin })));
  return { chart: linesChart, name: "Scores against degrees", series, table, xName: "degree",
    yName: "score", showY: plain };
}

function scoreDistribution() {
  const all = runsByScores();
  const title = ({ from, to }) => `score ${range(from, to)}`;
  const series = all.map(({ label, report }) =>
    ({ name: label, points: binPoints(report.distributions.score, "count", title) }));
  const table = all.flatMap(({ label, report: { distributions } }) =>
    [{ from: 0, to: 0, count: distributions.score_zeros }, ...distributions.score]
      .map((bin) => ({ run: label, ...bin })));
  return { chart: linesChart, name: "Vertices by score", series, table, xName: "score",
    yName: "vertices", showY: plain };
}

// The phases of a run with their colours, and the phases of spans that have other names.
const PHASES = { read: 4, prepare: 2, device: 1, search: 0, write: 3, other: 6 };
const PHASE_OF = { unfold: "write", "write scores": "write", "finish scores": "write" };

// Returns the seconds of each phase. `device` is the time that the search waited for devices.
function phaseSeconds({ seconds: { read, prepare, device, search, write }, totals }) {
  const rest = Math.max(0, totals.seconds - read - prepare - search - write);
  const waited = Math.max(0, Math.min(device, rest));
  return { read, prepare, device: waited, search, write, other: rest - waited };
}

function phases() {
  const totals = runs.map(({ report }) => report.totals.seconds);
  const shares = Math.max(...totals) > 20 * Math.min(...totals);
  const table = runs.map(({ label, report }, i) =>
    ({ run: label, ...phaseSeconds(report), total: totals[i] }));
  const rows = table.map(({ run, total, ...seconds }) => stacked(run, duration(total),
    Object.entries(seconds).map(([phase, length]) =>
      [PHASES[phase], length / (shares ? total : 1), `${run}: ${phase} ${duration(length)}`])));
  return { chart: rowsChart, name: "Seconds by phase", groups: [{ rows }], table,
    notes: shares ? ["The runs differ too much for one scale: bars are shares of each."] : [],
    show: shares ? share : duration, entries: Object.entries(PHASES) };
}

// Returns a row with a mark for each measured or predicted time, fastest first.
function timeRows(all) {
  const sorted = all.toSorted((a, b) => (a.median ?? Infinity) - (b.median ?? Infinity));
  return sorted.map(({ label, median, min, max, colour, hollow }) => {
    if (median == null) return { label, value: "could not search", shapes: [] };
    const value = `${hollow ? "~" : ""}${duration(median)}`;
    const title = `${label}: ${value}, from ${duration(min)} to ${duration(max)}`;
    return { label, value, shapes: [{ at: median, min, max, colour, hollow, title }] };
  });
}

function strategies() {
  const all = labelled(benched.filter(({ graph }) => graph.strategies.length));
  const groups = all.map((one) => {
    const names = labels(one.graph.strategies, OPTIONS);
    const entries = one.graph.strategies.map(({ strategy, spread, estimated, best }, i) => ({
      ...spread, label: names[i] || strategy, hollow: estimated,
      colour: strategy === "auto" ? 3 : best ? 2 : 0,
    }));
    return { name: named(all, one), rows: timeRows(entries) };
  });
  const table = all.flatMap(({ label, graph }) => graph.strategies.map(
    ({ seconds, spread, plan, check, failure, degree, lanes, ...entry }) => ({
      graph: label, ...entry, degree: degree ?? plan?.degree, lanes: lanes ?? plan?.lanes,
      median: spread?.median, min: spread?.min, max: spread?.max, failure,
    })));
  const chosen = (graph) => graph.strategies.filter(({ strategy, plan }) => strategy === "auto" && plan);
  const notes = all.flatMap(({ label, graph }) =>
    chosen(graph).map(({ plan }) => `${label}: auto chose ${plan.strategy}.`));
  return { chart: rowsChart, name: "Search time of strategies", groups, table, notes,
    show: duration, log: true };
}

function ablation() {
  const all = labelled(benched.filter(({ graph }) => graph.ablation));
  const bar = (to) => ({ from: 0, to, colour: 0, title: `change: ${change(to)}` });
  const mark = ([at, sd]) => ({ at, min: at - sd, max: at + sd, colour: 3,
    title: `original report: ${change(at)} ± ${share(sd)}` });
  const row = ({ switch: idea, change: to, original }) => ({
    label: idea.replaceAll("-", " "), value: to == null ? "not measured" : change(to),
    shapes: [to != null && bar(to), original && mark(original)].filter(Boolean),
  });
  const groups = all.map((one) =>
    ({ name: named(all, one), rows: one.graph.ablation.rows.map(row) }));
  const table = all.flatMap(({ label, graph: { ablation } }) => ablation.rows.map((row) => ({
    graph: label, idea: row.switch, "seconds off": row.spread?.median,
    "seconds all on": ablation.spread?.median, change: row.change, original: row.original?.[0],
    "original sd": row.original?.[1], "roots searched": ablation.roots_searched,
    failure: row.failure,
  })));
  return { chart: rowsChart, name: "Change of the search time by each idea", groups, table,
    show: change };
}

function tuning() {
  return tunes.map(({ label, report }) => {
    const { best, default: standard, seconds, verdict } = report.tune;
    const all = settingsOf(report);
    const names = labels(all, OPTIONS);
    const roleOf = (i) => (i === best ? " (best)" : "") + (i === standard ? " (default)" : "");
    const rows = timeRows(all.map((entry, i) => ({
      ...entry.spread, hollow: entry.hollow, label: names[i] + roleOf(i),
      colour: i === best ? 2 : i === standard ? 3 : 0,
    })));
    const table = all.map(({ strategy, spread, roots_searched, hollow, failure, ...entry }) => ({
      strategy, ...Object.fromEntries(Object.keys(OPTIONS).map((name) => [name, entry[name]])),
      ...spread, "roots searched": roots_searched, failure,
    }));
    const notes = [`${counted(rows.length, "setting")} in ${duration(seconds)}; ${verdict}.`];
    return { chart: rowsChart, name: `Search time of settings, ${label}`, label,
      groups: [{ rows }], table, notes, show: duration, log: true };
  });
}

function workers() {
  const row = ({ kind, number, roots, busy_seconds }) => {
    const title = `${kind} ${number}, busy for ${duration(busy_seconds)}`;
    const colour = kind === "cpu" ? 0 : 1;
    return stacked(`${kind} ${number}`, counted(roots, "root"), [[colour, roots, title]]);
  };
  return runs.map(({ label, report: { workers: table, plan } }) => ({
    chart: rowsChart, name: `Roots per worker, ${label}`, label, groups: [{ rows: table.map(row) }],
    table, notes: [plan.why], show: plain,
  }));
}

function kernels() {
  const rows = (table) => {
    const total = table.reduce((sum, { seconds }) => sum + seconds, 0) || 1;
    return table.map(({ name, count, seconds }) => {
      const title = `${name}: ${counted(count, "launch")}`;
      return stacked(name, `${duration(seconds)}, ${share(seconds / total)}`, [[1, seconds, title]]);
    });
  };
  return runs.flatMap(({ label: run, report }) => report.devices.map(({ name, profile }) => {
    const [table, label] = [profile?.kernels ?? [], `${run}, ${name}`];
    return { chart: rowsChart, name: `Seconds of kernels, ${label}`, label,
      groups: [{ rows: rows(table) }], table, show: duration };
  }));
}

// Returns the phase of a span, or of a span that contains it.
function phaseOf(span, spans) {
  const around = spans.filter(({ start, end }) => start <= span.start && span.end <= end);
  const phases = [span, ...around].map(({ name }) => PHASE_OF[name] ?? name);
  const other = span.track.startsWith("device") ? "device" : "other";
  return phases.find((name) => name in PHASES) ?? other;
}

// Returns a row of the timeline. Spans within a span are drawn over it.
function trackRow(track, spans) {
  const shapes = spans.toSorted((a, b) => b.end - b.start - (a.end - a.start)).map((span) => ({
    from: span.start, to: span.end, colour: PHASES[phaseOf(span, spans)], text: span.name,
    title: `${track}: ${span.name}, ${duration(span.start)} to ${duration(span.end)}`,
  }));
  return { label: track, value: "", shapes };
}

function timeline() {
  const kinds = ["main", "rank", "devices", "device", "cpu"];
  const place = (track) => kinds.indexOf(track.split(" ")[0]);
  return runs.map(({ label, report: { timeline: table } }) => {
    const tracks = distinct(table.map(({ track }) => track))
      .sort((a, b) => place(a) - place(b) || naturally(a, b));
    const rows = tracks.map((name) => trackRow(name, table.filter(({ track }) => track === name)));
    return { chart: rowsChart, name: `Timeline, ${label}`, label, groups: [{ rows }],
      table, show: duration, entries: Object.entries(PHASES) };
  });
}

function removed() {
  const table = removals.flatMap(({ label, report }) =>
    report.map((row) => ({ file: label, ...row })));
  const figure = (field, label) => ({
    chart: linesChart, name: `${label} against removals`, label, table, linear: true,
    series: removals.map(({ label: file, report }) => ({ name: file, points: report.map((row) =>
      ({ x: row.removed, y: row[field], title: `${share(row.removed)}: ${plain(row[field])}` })) })),
    xName: "share removed", yName: label.toLowerCase(), showY: plain,
  });
  return [figure("largest", "Vertices of the largest component"),
    figure("components", "Components")];
}

// The sections in their order: id, heading, figures and explanation.
const SECTIONS = [
  ["degree", "Time against D", degree,
    "D is the most arcs that a work-item takes at a time: vertices of more arcs are split. Times "
    + "are multiples of the best median of each line; vertical lines span all repeats. Hollow marks "
    + "are estimates or dropped settings."],
  ["top", "The vertices of the highest scores", top,
    "The score of a vertex is the sum over all pairs of other vertices of the share of their "
    + "shortest paths that it lies on. Bars are parts of the highest score."],
  ["score-by-degree", "Score against degree", scoreByDegree,
    "The highest and the mean score of vertices of similar degree, on logarithmic axes. High "
    + "scores at low degrees belong to vertices that join parts of the graph."],
  ["score-distribution", "Distribution of scores", scoreDistribution,
    "The number of vertices of similar score, on logarithmic axes. Score 0 is in the table only."],
  ["removals", "The graph during removals", removed,
    "How the graph falls apart while its highest vertices or edges are removed, at about 60 steps."],
  ["phases", "Seconds of each run by phase", phases,
    "Wall-clock time of whole runs. Device is the time that the search waited for devices."],
  ["strategies", "Strategies side by side", strategies,
    "The median time of the search, with whiskers from the shortest to the longest, on a "
    + "logarithmic scale. Hollow marks and ~ are estimates."],
  ["ablation", "Effect of each idea of strategy virtual", ablation,
    "The change of the search time by switching on one idea: bars to the left are savings. Marks "
    + "are figures of the original report: mean and standard deviation over eight graphs."],
  ["tuning", "Settings that were compared", tuning,
    "Median time of the search from all roots. Hollow marks and ~ are estimates from samples, or "
    + "settings that were dropped early."],
  ["workers", "Roots per worker", workers,
    "CPU workers and devices take roots from one counter: the faster of them take more."],
  ["kernels", "Seconds of the kernels of a device", kernels,
    "All launches of each kernel, by the clock of the device; timing slows the search down."],
  ["timeline", "Timeline of a run", timeline,
    "Time since the start of the process. Devices are initialised on separate threads."],
];

// --- The page ------------------------------------------------------------------------------------
// The most files that are described at the start of the page; the last section describes all.
const MOST_FACTS = 6;
const graphsOf = ({ graphs, input }) => graphs ?? [input];
const quoted = (word) =>
  (/^[\w./:=,@+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

// Returns the description of a file: its graph, plan, machine, program and command.
function fileElement({ name, kind, report }) {
  const { host, program, plan, checks, devices } = report;
  const memory = host.memory_bytes && bytes(host.memory_bytes);
  const facts = [
    ...graphsOf(report).map(({ path, vertices, edges, directed }) => ["graph", [path,
      counted(vertices, "vertex"), counted(edges, "edge"), directed ? "directed" : "undirected"]]),
    ["plan", [plan?.why]],
    ...devices.map((device) => ["device", [device?.name, device?.driver]]),
    ...(checks?.warnings ?? []).map((warning) => ["warning", [warning]]),
    ["machine", [host.name, host.os, host.cpu, counted(host.cores, "core"), memory]],
    ["program", [program.name, versionOf(report)]], ["written", [report.written]],
    ["command", [report.command.map(quoted).join(" ")]],
  ].map(([name, values]) => [name, values.filter(Boolean).join(", ")]).filter(([, text]) => text);
  const rows = facts.map(([name, text]) =>
    html("div", {}, html("dt", {}, name), html("dd", {}, text)));
  return html("details", files.length <= 3 ? { open: "" } : {},
    html("summary", {}, `${name} (${kind})`), html("dl", {}, ...rows));
}

// Returns the line of a file at the start of the page: its size, machine, date and total time.
function factsElement({ name, kind, report }) {
  const { host, written, totals, tune, devices } = report;
  const all = graphsOf(report);
  const [{ vertices, edges } = {}] = all;
  const seconds = totals?.seconds ?? tune?.seconds;
  const facts = [
    all.length === 1 ? `${counted(vertices, "vertex")}, ${counted(edges, "edge")}`
      : counted(all.length, "graph"),
    [host.name, host.cpu, counted(host.cores, "core"),
      ...devices.map((one) => one?.name)].filter(Boolean).join(", "),
    written.slice(0, 10),
    seconds != null && `${duration(seconds)} in total`,
  ];
  return html("li", {}, `${name} (${kind}): ${facts.filter(Boolean).join("; ")}`);
}

function draw() {
  const graphs = distinct(described.flatMap(({ report }) => graphsOf(report)).map(({ path }) => path));
  const names = graphs.length > 2 ? `${graphs.length} graphs` : graphs.map(baseName).join(" and ");
  document.title = ["Betweenness centrality", names].filter(Boolean).join(" of ");
  const sections = SECTIONS.map(([id, heading, make, text]) =>
    ({ id, heading, text, figures: [make()].flat().filter(({ table }) => table.length) }))
    .filter(({ figures }) => figures.length).map(sectionElement);
  const sources = html("section", { id: "files" },
    html("h2", {}, "Source reports"), ...described.map(fileElement));
  const links = [...sections, sources].map((section) =>
    html("li", {}, html("a", { href: `#${section.id}` }, section.firstChild.textContent)));
  document.querySelector("main").append(html("h1", {}, document.title),
    html("ul", { id: "facts" }, ...described.slice(0, MOST_FACTS).map(factsElement)),
    html("nav", { "aria-label": "Sections" }, html("ul", {}, ...links)), ...sections, sources);
}

draw();
