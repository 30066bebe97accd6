// Reads the reports in the page, and finds labels that tell them apart.

// --- Numbers and words ---------------------------------------------------------------------------
const grouped = (number) => number.toLocaleString("en-US", { maximumFractionDigits: 12 });
const digits = (number, count) => grouped(Number(number.toPrecision(count)));
const PLURALS = { vertex: "vertices", launch: "launches" };
const counted = (number, noun) =>
  `${grouped(number)} ${number === 1 ? noun : PLURALS[noun] ?? `${noun}s`}`;

// Shows a number in the first unit, [limit, factor, unit], whose limit is above the number.
function inUnits(number, units) {
  const [, factor, unit] = units.find(([limit]) => Math.abs(number) < limit);
  return digits(number * factor, 3) + unit;
}
const duration = (seconds) => (seconds === 0 ? "0 s" : inUnits(seconds,
  [[0.9995e-3, 1e6, " µs"], [0.9995, 1e3, " ms"], [Infinity, 1, " s"]]));
const bytes = (number) => inUnits(number, [[999.5e6, 1e-6, " MB"], [Infinity, 1e-9, " GB"]]);
function plain(number) {
  const size = Math.abs(number);
  if (size < 9999.5 && (size >= 1e-3 || size === 0)) return digits(number, 4);
  if (size < 1 || size >= 999.5e9) return number.toExponential(2).replace(/\.?0*e\+?/, "e");
  return inUnits(number, [[999.5e3, 1e-3, "k"], [999.5e6, 1e-6, "M"], [Infinity, 1e-9, "G"]]);
}
const share = (part) => `${digits(100 * part, 3)}%`;
function change(part) {
  const percent = Math.round(100 * part);
  return `${percent > 0 ? "+" : ""}${percent}%`.replace("-", "\u2212");
}
const range = (from, to) => (from === to ? plain(from) : `${plain(from)} to ${plain(to)}`);

const distinct = (values) => [...new Set(values)];
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const naturally = (a, b) => a.localeCompare(b, "en", { numeric: true });
const baseName = (path) => path.split("/").at(-1);

// --- What differs between reports ----------------------------------------------------------------
// The facts of a search by their names in reports, with functions that format them for labels.
const PLACE = {
  graph: String, sources: String, part: (part) => `part ${part}`,
  machine: String, device: String, version: (version) => `version ${version}`,
};
// Numbers are compared only between searches of the same strategy.
const NUMBERS = {
  degree: (n) => `D ${n}`, lanes: (n) => counted(n, "lane"), searches: (n) => counted(n, "search", "searches"), warp_size: (n) => `warps of ${n}`,
  work_group: (n) => `work-groups of ${n}`,
};
const OPTIONS = {
  strategy: String, ...NUMBERS, precision: String, workers: (n) => counted(n, "CPU worker"),
  reduce: (names) => `reduce ${names}`,
};
const FACTS = { ...PLACE, ...OPTIONS };
// A label does not show one of these facts if the other searches only lack it.
const DEVICE_FACTS = ["machine", "device", "precision"];

// Returns a label for each search, with the facts that differ between the searches.
function labels(all, formats) {
  const differs = (facts, name) => all.some((other) => other[name] !== facts[name]
    && (other.strategy === facts.strategy || !(name in NUMBERS))
    && (other[name] != null || !DEVICE_FACTS.includes(name)));
  return all.map((facts) => Object.keys(formats)
    .filter((name) => facts[name] != null && differs(facts, name))
    .map((name) => formats[name](facts[name])).join(", "));
}

// Adds labels to entries with facts and a file name, and sorts them. Equal labels get file names.
function labelled(all, formats = FACTS) {
  const texts = labels(all.map(({ facts }) => facts), formats);
  const isUnique = (text) => text && texts.indexOf(text) === texts.lastIndexOf(text);
  const label = ({ name, facts }, text) => (all.length === 1 ? facts.graph ?? name
    : isUnique(text) ? text : [text, name].filter(Boolean).join(", "));
  return all.map((one, i) => ({ ...one, label: label(one, texts[i]) }))
    .sort((a, b) => naturally(a.label, b.label));
}

const versionOf = ({ program: { version, commit } }) => version + (commit ? ` (${commit})` : "");
const placeOf = (report, graph, device) => ({
  graph: graph && baseName(graph.path), machine: report.host.name, device: device?.name,
  version: versionOf(report),
});

function runFacts(report) {
  const { input, prepared, plan, workers, devices } = report;
  const device = devices.find(({ state }) => state === "worked");
  const cpu = workers.filter(({ kind }) => kind === "cpu");
  const { lanes, ...numbers } = device?.plan ?? {};
  return {
    ...placeOf(report, input, device), strategy: `cpu-${cpu[0]?.engine}`, ...numbers,
    lanes: lanes > 1 ? lanes : null, degree: plan.degree ?? numbers.degree,
    precision: device && plan.precision, workers: cpu.length, part: prepared.part,
    sources: prepared.partial ? counted(prepared.sources, "source") : "all sources",
  };
}

// --- The reports ---------------------------------------------------------------------------------
const files = JSON.parse(document.getElementById("reports").textContent);
const ofKind = (kind, facts) => labelled(files.filter((file) => file.kind === kind)
  .map(({ name, report }) => ({ name, report, facts: facts(report) })));
const runs = ofKind("run", runFacts);
const tunes = ofKind("tune", (report) => placeOf(report, report.graphs[0], report.devices[0]));
const removals = ofKind("remove", () => ({}));
const described = files.filter(({ kind }) => kind !== "remove");
const benched = files.filter(({ kind }) => kind === "bench").flatMap(({ name, report }) =>
  report.graphs.map((graph) =>
    ({ name, report, graph, facts: placeOf(report, graph, report.devices[0]) })));

// Returns the runs with scores; of runs with equal scores, only the first.
function runsByScores() {
  const rounded = (_, value) => (typeof value === "number" ? value.toPrecision(5) : value);
  const scores = ({ facts, report: { results, distributions } }) =>
    JSON.stringify([facts.graph, results, distributions], rounded);
  const all = runs.filter(({ report }) => report.results.by_degree.length).toReversed();
  const first = new Map(all.map((run) => [scores(run), run])).values();
  const { graph, sources, part, precision } = FACTS;
  return labelled([...first], { graph, sources, part, precision });
}

// Returns the settings of a report of `tune`.
function settingsOf({ graphs: [{ strategies }], tune: { dropped } }) {
  return strategies.map((entry, i) => ({
    ...entry, hollow: entry.estimated || dropped.includes(i),
  }));
}
