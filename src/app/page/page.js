// Reads the reports in the page, makes sections of them, and draws their charts as SVG.

// --- Numbers and words ---------------------------------------------------------------------------
const grouped = (number) => number.toLocaleString("en-US", { maximumFractionDigits: 12 });
const digits = (number, count) => grouped(Number(number.toPrecision(count)));
const PLURALS = { vertex: "vertices", launch: "launches" };
const counted = (number, noun) =>
  `${grouped(number)} ${number === 1 ? noun : PLURALS[noun] ?? `${noun}s`}`;

// Shows a number in the first unit, [limit, factor, unit], whose limit is above it.
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
  degree: (n) => `D ${n}`, lanes: (n) => counted(n, "lane"), warp_size: (n) => `warps of ${n}`,
  work_group: (n) => `work-groups of ${n}`,
};
const OPTIONS = {
  strategy: String, ...NUMBERS, precision: String, workers: (n) => counted(n, "CPU worker"),
  reduce: (names) => `reduce ${names}`,
};
const FACTS = { ...PLACE, ...OPTIONS };
// Searches without a device lack these facts, which is no difference that a label shows.
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
  const { lanes, ...used } = device?.plan ?? {};
  return {
    ...placeOf(report, input, device), strategy: `cpu-${cpu[0]?.engine}`, ...used,
    lanes: lanes > 1 ? lanes : null, degree: plan.degree ?? used.degree,
    precision: device && plan.precision, workers: cpu.length, part: prepared.part,
    sources: prepared.partial ? counted(prepared.sources, "source") : "all sources",
  };
}

// --- The reports ---------------------------------------------------------------------------------
const files = JSON.parse(document.getElementById("reports").textContent);
const ofKind = (kind, facts) => labelled(files.filter((file) => file.kind === kind)
  .map(({ name, report }) => ({ name, report, facts: facts(report) })));
const runs = ofKind("run", runFacts);
const tunes = ofKind("tune", (report) => placeOf(report, report.input, report.device));
const benched = files.filter(({ kind }) => kind === "bench").flatMap(({ name, report }) =>
  report.graphs.map((graph) =>
    ({ name, report, graph, facts: placeOf(report, graph, report.devices[0]) })));

// Returns the runs with scores; of runs with equal scores, only the first.
function runsByScores() {
  const rounded = (_, value) => (typeof value === "number" ? value.toPrecision(5) : value);
  const scores = ({ facts, report: { results, distributions } }) =>
    JSON.stringify([facts.graph, results, distributions], rounded);
  const all = runs.filter(({ report }) => report.results?.by_degree.length).toReversed();
  const first = new Map(all.map((run) => [scores(run), run])).values();
  const { graph, sources, part, precision } = FACTS;
  return labelled([...first], { graph, sources, part, precision });
}

// Returns the seconds from the first search of a root to the last one, without waits for devices.
function searchSeconds({ seconds, timeline, totals }) {
  const spans = timeline.filter(({ name, track }) => name === "search" && track !== "main");
  const end = Math.max(...spans.map((span) => span.end));
  const start = Math.min(...spans.map((span) => span.start));
  return seconds?.search ?? (spans.length ? end - start : totals.search_seconds);
}

// Returns the predicted time of a candidate of `tune` for all roots, and the range of its last
// round.
function predicted({ rounds, predicted_seconds }, roots) {
  const last = rounds.at(-1) ?? { seconds: [] };
  const scale = roots / last.roots;
  const median = predicted_seconds ?? (last.median == null ? null : scale * last.median);
  const times = last.seconds.map((seconds) => scale * seconds);
  return median == null ? {}
    : { median, min: Math.min(median, ...times), max: Math.max(median, ...times) };
}

// --- Elements ------------------------------------------------------------------------------------
function html(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// Charts are saved as XML, which must not contain control characters.
const clean = (text) => String(text).replace(/[\0-\x1f\ufffe\uffff]/g, "\ufffd");

function svg(parent, tag, attributes, text = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, typeof value === "number" ? Number(value.toFixed(1)) : value);
  }
  element.textContent = clean(text);
  parent?.append(element);
  return element;
}

const pen = document.createElement("canvas").getContext("2d");
pen.font = '600 13px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
const textWidth = (text) => pen.measureText(text).width;
const widest = (texts) => Math.max(0, ...texts.map(textWidth));

// Removes the middle of a text that is too wide, because texts often differ only at their ends.
function cut(text, room) {
  let shown = text;
  for (let half = text.length >> 1; half > 1 && textWidth(shown) > room; half -= 1) {
    shown = `${text.slice(0, half)}…${text.slice(-half)}`;
  }
  return shown;
}

// --- Parts of charts -----------------------------------------------------------------------------
const LINE = 18;
const MARKS = [
  "M-5,0a5,5 0 1,0 10,0a5,5 0 1,0 -10,0z", "M-5,-5h10v10h-10z", "M0,-6.5L6,5h-12z",
  "M0,-7L7,0L0,7L-7,0z", "M0,6.5L6,-5h-12z", "M-6,-6L6,6V-6L-6,6z",
];

const newChart = (name, width) => Object.assign(
  svg(null, "svg", { class: "chart", role: "img", "aria-label": clean(name) }), { space: width });

function withHeight(chart, height) {
  chart.setAttribute("viewBox", `0 0 ${chart.space} ${Math.ceil(height)}`);
  return chart;
}

const line = (chart, kind, x1, y1, x2, y2) => svg(chart, "line", { class: kind, x1, y1, x2, y2 });

// Writes a text. If it is cut, a tooltip shows the whole text.
function write(chart, kind, anchor, x, y, text, room = chart.space) {
  if (!text) return;
  const shown = cut(text, room);
  const element = svg(chart, "text", { class: kind, "text-anchor": anchor, x, y }, shown);
  if (shown !== text) svg(element, "title", {}, text);
}

// Draws a coloured element with a tooltip.
function shape(chart, tag, kind, colour, attributes, title) {
  const style = `--colour: var(--c${colour % 7})`;
  const element = svg(chart, tag, { class: kind, style, ...attributes });
  if (title) svg(element, "title", {}, title);
}

const mark = (chart, series, x, y, hollow, title) =>
  shape(chart, "path", hollow ? "hollow" : "mark", series,
    { d: MARKS[series % MARKS.length], transform: `translate(${x} ${y})` }, title);

// Draws names with their colours, as boxes or marks. Returns the y coordinate of the bottom.
function legend(chart, entries, asMarks) {
  let [x, y] = [0, LINE];
  for (const [name, colour] of entries) {
    const width = 20 + textWidth(name);
    if (x > 0 && x + width > chart.space) [x, y] = [0, y + LINE + 2];
    if (asMarks) mark(chart, colour, x + 7, y - 4.5);
    else shape(chart, "rect", "bar", colour, { x, y: y - 11, width: 13, height: 13 });
    write(chart, "", "start", x + 20, y, name, chart.space - 20);
    x += width + LINE;
  }
  return entries.length ? y + 10 : 0;
}

// --- Scales --------------------------------------------------------------------------------------
// Returns a scale that maps the range of `numbers` to coordinates from `start` to `stop`. A linear
// scale contains zero; a logarithmic one spans a factor of at least 3.
function makeScale(numbers, log, start, stop) {
  const holds = (n) => Number.isFinite(n) && (!log || n > 0);
  const held = numbers.filter(holds).map((n) => Math.max(-1e290, Math.min(1e290, n)));
  const [from, to] = log ? logEnds(held) : [Math.min(0, ...held), Math.max(0, ...held) || 1];
  const at = log ? Math.log10 : (n) => n;
  const part = (n) => Math.max(0, Math.min(1, (at(n) - at(from)) / (at(to) - at(from)) || 0));
  return {
    holds, within: (n) => n >= from && n <= to, place: (n) => start + part(n) * (stop - start),
    ticks: (most) => (log ? logTicks : linearTicks)(from, to, Math.max(2, most)),
  };
}

function roundStep(least) {
  const size = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * size).find((step) => step >= 0.999 * least);
}

function linearTicks(from, to, most) {
  const step = roundStep((to - from) / most);
  const first = Math.ceil(from / step - 1e-9);
  const count = Math.floor(to / step + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

function logEnds(numbers) {
  if (!numbers.length) return [1, 10];
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const air = 1.1 * Math.sqrt(Math.max(1, (3 * low) / high));
  return [Math.max(low / air, 1e-300), high * air];
}

// Returns 1, 2 and 5 times powers of ten if they fit, otherwise every power, every second one, etc.
function logTicks(from, to, most) {
  const low = Math.floor(Math.log10(from));
  const powers = Array.from({ length: Math.ceil(Math.log10(to)) - low + 1 }, (_, i) => low + i);
  const ticks = (factors, every) => powers.filter((exponent) => exponent % every === 0)
    .flatMap((exponent) => factors.map((factor) => Number(`${factor}e${exponent}`)))
    .filter((tick) => tick >= from && tick <= to);
  let [chosen, every] = [ticks([1, 2, 5], 1), 1];
  while (chosen.length > Math.max(3, most)) chosen = ticks([1], every++);
  return chosen;
}

// Draws the grid and the numbers of a horizontal axis. Numbers that would touch are left out.
function axisBelow(chart, scale, ticks, show, top, bottom) {
  let end = -Infinity;
  for (const tick of ticks) {
    const [x, half] = [scale.place(tick), textWidth(show(tick)) / 2];
    const middle = Math.max(half, Math.min(chart.space - half, x));
    line(chart, "grid", x, top, x, bottom);
    if (middle - half < end + 8) continue;
    write(chart, "soft", "middle", middle, bottom + LINE, show(tick));
    end = middle + half;
  }
}

// --- Charts of a row for each name ---------------------------------------------------------------
// `groups`: {name, rows: [{label, value, shapes}]}. A shape is a bar, {from, to, colour, text,
// title}, or a mark, {at, min, max, colour, hollow, title}.
function rowsChart({ name, groups, show, log, entries = [] }, width) {
  const chart = newChart(name, width);
  const rows = groups.flatMap((group) => group.rows);
  const labelWidth = widest(rows.map((row) => row.label));
  // Wide labels stand above the bars, others beside them.
  const above = labelWidth > 0.4 * width;
  const left = above ? 6 : labelWidth + 10;
  const right = width - widest(rows.map((row) => row.value)) - 16;
  const numbers = rows.flatMap((row) => row.shapes.flatMap((s) => s.at ?? [s.from, s.to]));
  const scale = makeScale(numbers, log, left, right);
  const bar = rows.length > 20 ? 12 : 18;
  const pitch = bar + (rows.length > 20 ? 5 : 9) + (above ? LINE : 0);
  const top = legend(chart, entries) + 4;
  const head = (group) => (group.name ? 30 : 0);
  const bottom = top + pitch * rows.length + sum(groups.map(head));
  if (show) axisBelow(chart, scale, scale.ticks((right - left) / 64), show, top, bottom);
  let y = top;
  for (const group of groups) {
    write(chart, "group", "start", 0, y + 20, group.name);
    y += head(group);
    for (const row of group.rows) {
      y += pitch;
      drawRow(chart, row, { scale, left, right, above, bar, log, top: y - bar - 4 });
    }
  }
  const zero = scale.place(0);
  if (!log && zero > left) line(chart, "axis", zero, top, zero, bottom);
  return withHeight(chart, bottom + (show ? LINE + 8 : 4));
}

function drawRow(chart, row, place) {
  const { left, top, bar, above } = place;
  const base = top + bar / 2 + 4.5;
  if (above) write(chart, "", "start", 0, top - 5, row.label);
  else write(chart, "", "end", left - 10, base, row.label);
  const ends = row.shapes.map((s) => (s.at === undefined ? drawBar : drawMark)(chart, s, place));
  write(chart, "soft", "start", Math.max(left, ...ends) + 8, base, row.value);
}

function drawBar(chart, { from, to, colour, text = "", title }, { scale, top, bar }) {
  const [begin, end] = [scale.place(from), scale.place(to)].sort((a, b) => a - b);
  const width = Math.max(end - begin, from === to ? 0 : 1.5);
  shape(chart, "rect", "bar", colour, { x: begin, y: top, width, height: bar }, title);
  const fits = bar >= LINE && textWidth(text) + 10 < width;
  if (fits) write(chart, "on", "start", begin + 5, top + 13.5, text);
  return begin + width;
}

// The axis spans the medians. Whiskers are cut at its ends.
function drawMark(chart, { at, min, max, colour, hollow, title }, { scale, left, top, bar, log }) {
  if (!scale.holds(at)) return left;
  const [low, x, high] = [min, at, max].map(scale.place);
  const y = top + bar / 2;
  if (log) line(chart, "guide", left, y, x, y);
  if (low < high) line(chart, "whisker", low, y, high, y);
  for (const end of min < max ? [min, max].filter(scale.within) : []) {
    line(chart, "whisker", scale.place(end), y - 5, scale.place(end), y + 5);
  }
  mark(chart, colour, x, y, hollow, title);
  return Math.max(high, x) + 4;
}

// Returns a row of bars, [colour, length, title], each from the end of the previous one.
function stacked(label, value, bars) {
  let end = 0;
  const bar = ([colour, length, title]) => ({ from: end, to: end += length, colour, title });
  return { label, value, shapes: bars.map(bar) };
}

// --- Charts of lines through points --------------------------------------------------------------
// `series`: {name, points: [{x, y, min, max, hollow, title}]}; both axes are logarithmic.
function linesChart({ name, series, xName, yName, showY, xTicks }, width) {
  const chart = newChart(name, width);
  const top = legend(chart, series.map((one, i) => [one.name, i]), true) + LINE + 10;
  const bottom = top + Math.max(200, Math.min(320, 0.6 * width));
  const points = series.flatMap((one) => one.points);
  const y = makeScale(points.map((point) => point.y), true, bottom, top);
  const yTicks = y.ticks((bottom - top) / 30);
  const left = widest(yTicks.map(showY)) + 10;
  const x = makeScale(points.map((point) => point.x), true, left + 12, width - 12);
  for (const tick of yTicks) {
    line(chart, "grid", left, y.place(tick), width, y.place(tick));
    write(chart, "soft", "end", left - 8, y.place(tick) + 4.5, showY(tick));
  }
  axisBelow(chart, x, xTicks ?? x.ticks((width - left) / 60), plain, top, bottom);
  line(chart, "axis", left, bottom, width, bottom);
  write(chart, "soft", "start", 0, top - 14, yName);
  write(chart, "soft", "end", width, bottom + 2 * LINE, xName);
  series.forEach((one, number) => {
    const held = one.points.filter((point) => x.holds(point.x) && y.holds(point.y))
      .map((point) => ({ ...point, left: x.place(point.x), top: y.place(point.y) }));
    const path = held.map((point) => `${point.left.toFixed(1)},${point.top.toFixed(1)}`).join(" ");
    shape(chart, "polyline", "curve", number, { points: path });
    for (const { left, top, min, max, hollow, title } of held) {
      if (min < max) line(chart, "whisker", left, y.place(min), left, y.place(max));
      mark(chart, number, left, top, hollow, title);
    }
  });
  return withHeight(chart, bottom + 2 * LINE + 6);
}

// --- Tables --------------------------------------------------------------------------------------
// A table is an array of rows, objects whose fields are the columns.
const namesOf = (table) => Object.keys(table[0] ?? {});
const isNumeric = (table, name) => table.some((row) => typeof row[name] === "number");
function shown(cell) {
  if (typeof cell !== "number") return String(cell ?? "–");
  return Number.isInteger(cell) ? grouped(cell) : digits(cell, 5);
}

function csv(table) {
  const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = table.map((row) => namesOf(table).map((name) => String(row[name] ?? "")));
  return [namesOf(table), ...rows].map((cells) => `${cells.map(quoted).join(",")}\n`).join("");
}

function markdown(table) {
  const safe = (text) => text.replaceAll("\\", "\\\\").replaceAll("|", "\\|");
  const ruler = namesOf(table).map((name) => (isNumeric(table, name) ? "---:" : "---"));
  const rows = table.map((row) => namesOf(table).map((name) => safe(shown(row[name]))));
  return [namesOf(table), ruler, ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

function tableElement(table, heading) {
  const cell = (tag, name, text) =>
    html(tag, isNumeric(table, name) ? { class: "number" } : {}, text);
  const head = namesOf(table).map((name) => cell("th", name, name));
  const rows = table.map((row) =>
    html("tr", {}, ...namesOf(table).map((name) => cell("td", name, shown(row[name])))));
  const label = `Table: ${heading}`;
  return html("details", { class: "table" }, html("summary", {}, "Table"),
    html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label },
      html("table", {}, html("thead", {}, html("tr", {}, ...head)), html("tbody", {}, ...rows))));
}

// --- Figures -------------------------------------------------------------------------------------
// Saves a chart as an SVG file, with its style, a background and a margin.
function saveSvg(chart, name) {
  const [x, y, width, height] = chart.getAttribute("viewBox").split(" ").map(Number);
  const frame = { x: x - 14, y: y - 14, width: width + 28, height: height + 28 };
  const size = { viewBox: Object.values(frame).join(" "), width: width + 28, height: height + 28 };
  const file = svg(null, "svg", { class: "chart", ...size });
  svg(file, "title", {}, chart.getAttribute("aria-label"));
  svg(file, "style", {}).textContent = document.getElementById("chart-style").textContent;
  svg(file, "rect", { class: "paper", ...frame });
  file.append(...chart.cloneNode(true).childNodes);
  const blob = new Blob([new XMLSerializer().serializeToString(file)], { type: "image/svg+xml" });
  html("a", { href: URL.createObjectURL(blob), download: `${name}.svg` }).click();
}

// Makes a chart with its notes, buttons and table. It is drawn again when its width changes.
function figureElement(id, heading, figure) {
  const { chart, table, notes = [] } = figure;
  const holder = html("div", {});
  const status = html("output", {});
  const button = (text, press) => {
    const element = html("button", { type: "button", "aria-label": `${text}: ${heading}` }, text);
    element.addEventListener("click", press);
    return element;
  };
  const copy = (make) => () => navigator.clipboard.writeText(make(table))
    .then(() => (status.textContent = "Copied"))
    .catch(() => (status.textContent = "This browser does not let this page copy"));
  new ResizeObserver(() => {
    const width = holder.clientWidth;
    const changed = width > 0 && width !== holder.firstChild?.space;
    if (changed && !matchMedia("print").matches) holder.replaceChildren(chart(figure, width));
  }).observe(holder);
  return html("figure", {}, holder,
    html("figcaption", {}, ...notes.map((note) => html("div", {}, note))),
    html("div", { class: "buttons" }, button("Save SVG", () => saveSvg(holder.firstChild, id)),
      button("Copy as CSV", copy(csv)), button("Copy as Markdown", copy(markdown)), status),
    tableElement(table, heading));
}

// Makes a section that shows one of several figures.
function sectionElement({ id, heading, text, figures }) {
  const figure = (number) => figureElement(id, heading, figures[number]);
  const section = html("section", { id },
    html("h2", {}, heading), html("p", { class: "soft" }, text));
  if (figures.length > 1) {
    const options = figures.map(({ label }, i) => html("option", { value: i }, label));
    const select = html("select", {}, ...options);
    select.addEventListener("change", () => section.lastChild.replaceWith(figure(select.value)));
    section.append(html("label", { class: "chooser" }, "Show", select));
  }
  section.append(figure(0));
  return section;
}

// --- Sections: each function returns one figure, or an array of figures to choose from -----------
// Adds the label of a run to a name if there are several runs.
const named = (all, { label }, name) =>
  (all.length === 1 ? name : [label, name].filter(Boolean).join(", "));

// Returns the searches of all reports whose D is known.
function searchesByD() {
  const ofRuns = runs.map(({ facts, report }) => ({ ...facts, median: searchSeconds(report) }));
  // If several reports have measurements of one kind, each report has its own lines.
  const several = ["bench", "tune"]
    .some((kind) => files.filter((file) => file.kind === kind).length > 1);
  const own = (name) => (several ? { report: name } : {});
  const ofBenches = benched.flatMap(({ facts, graph, name }) => graph.strategies.map((entry) => ({
    ...facts, ...own(name), ...entry, ...entry.spread, degree: entry.degree ?? entry.plan?.degree,
    hollow: entry.estimated,
  })));
  const ofTunes = tunes.flatMap(({ facts, name, report: { tune } }) =>
    tune.candidates.map((entry) => ({
      ...facts, ...own(name), ...entry, ...predicted(entry, tune.roots),
      hollow: entry.dropped_after != null,
    })));
  return [...ofRuns, ...ofBenches, ...ofTunes].filter((one) => one.degree > 0 && one.median > 0);
}

// Returns a point for all searches with one D: their median, and the range of all.
function pointOfD(name, D, searches) {
  const same = searches.filter(({ degree }) => degree === D).sort((a, b) => a.median - b.median);
  const { median: y, hollow } = same[(same.length - 1) >> 1];
  const min = Math.min(...same.map((one) => one.min ?? one.median));
  const max = Math.max(...same.map((one) => one.max ?? one.median));
  return { x: D, y, min, max, hollow, title: `${name ? `${name}, ` : ""}D ${D}: ${duration(y)}` };
}

// Draws a line for each combination of the other options.
function degree() {
  const { degree: _, ...others } = FACTS;
  const all = searchesByD();
  const names = labels(all, { ...others, report: (name) => name });
  const degrees = (searches) => distinct(searches.map((one) => one.degree)).sort((a, b) => a - b);
  const series = distinct(names).map((name) => {
    const own = all.filter((_, i) => names[i] === name);
    return { name, points: degrees(own).map((D) => pointOfD(name, D, own)) };
  }).filter(({ points }) => points.length > 1);
  const table = series.flatMap(({ name, points }) =>
    points.map(({ x, y, min, max }) => ({ line: name, D: x, seconds: y, min, max })));
  return { chart: linesChart, name: "Search time against D", series, table,
    xTicks: degrees(all), xName: "D, arcs", yName: "search", showY: duration };
}

function top() {
  const all = runsByScores();
  const row = ({ vertex, score }, _, [{ score: highest }]) =>
    stacked(vertex, plain(score), [[0, score / highest, `vertex ${vertex}: ${plain(score)}`]]);
  const groups = all.map((run) =>
    ({ name: named(all, run), rows: run.report.results.top.map(row) }));
  const table = all.flatMap(({ label, report }) =>
    report.results.top.map(({ interval, ...vertex }) =>
      ({ run: label, ...vertex, ...(interval && { lower: interval[0], upper: interval[1] }) })));
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
function phaseSeconds(report) {
  const took = (phase) => sum(report.timeline.filter(({ track, name }) =>
    track === "main" && (PHASE_OF[name] ?? name) === phase).map(({ start, end }) => end - start));
  const search = searchSeconds(report);
  const { read, prepare, device, write } = { read: took("read"), prepare: took("prepare"),
    device: took("search") - search, write: took("write"), ...report.seconds };
  const rest = Math.max(0, report.totals.seconds - read - prepare - search - write);
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
  const notes = all.filter(({ graph }) => graph.auto)
    .map(({ label, graph }) => `${label}: auto chose ${graph.auto.chose}.`);
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
    "original sd": row.original?.[1], sources: ablation.sources, failure: row.failure,
  })));
  return { chart: rowsChart, name: "Change of the search time by each idea", groups, table,
    show: change };
}

function tuning() {
  return tunes.map(({ label, report: { tune } }) => {
    const names = labels(tune.candidates, OPTIONS);
    const { best, default: standard } = tune;
    const roleOf = (i) => (i === best ? " (best)" : "") + (i === standard ? " (default)" : "");
    const rows = timeRows(tune.candidates.map((candidate, i) => ({
      ...predicted(candidate, tune.roots), hollow: candidate.dropped_after != null,
      label: names[i] + roleOf(i),
      colour: i === best ? 2 : i === standard ? 3 : 0,
    })));
    const table = tune.candidates.map(({ rounds, failure, ...candidate }) => ({
      ...candidate, rounds: rounds.length, "roots of last round": rounds.at(-1)?.roots,
      "median of last round": rounds.at(-1)?.median, failure,
    }));
    const notes = [`${counted(rows.length, "candidate")} in ${duration(tune.seconds)}. `
      + `Adopted: ${tune.check.adopted}.`];
    return { chart: rowsChart, name: `Predicted search time of candidates, ${label}`, label,
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
  const row = ({ name, launches, seconds, share: part }) => {
    const title = `${name}: ${counted(launches, "launch")}`;
    return stacked(name, `${duration(seconds)}, ${share(part)}`, [[1, seconds, title]]);
  };
  return runs.flatMap(({ label: run, report }) => report.devices.map(({ name, profile }) => {
    const [table, label] = [profile?.kernels ?? [], `${run}, ${name}`];
    return { chart: rowsChart, name: `Seconds of kernels, ${label}`, label,
      groups: [{ rows: table.map(row) }], table, show: duration };
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
  const kinds = ["main", "devices", "device", "cpu"];
  const place = (track) => kinds.indexOf(track.split(" ")[0]);
  return runs.map(({ label, report: { timeline: table } }) => {
    const tracks = distinct(table.map(({ track }) => track))
      .sort((a, b) => place(a) - place(b) || naturally(a, b));
    const rows = tracks.map((name) => trackRow(name, table.filter(({ track }) => track === name)));
    return { chart: rowsChart, name: `Timeline, ${label}`, label, groups: [{ rows }],
      table, show: duration, entries: Object.entries(PHASES) };
  });
}

// The sections in their order: id, heading, figures and explanation.
const SECTIONS = [
  ["degree", "Time against D", degree,
    "D is the most arcs that a work-item takes at a time: vertices of more arcs are split. Hollow "
    + "marks are estimates, or were dropped early. Both axes are logarithmic."],
  ["top", "The vertices of the highest scores", top,
    "The score of a vertex is the sum over all pairs of other vertices of the share of their "
    + "shortest paths that it lies on. Bars are parts of the highest score."],
  ["score-by-degree", "Score against degree", scoreByDegree,
    "The highest and the mean score of the vertices of about one degree, on logarithmic axes. High "
    + "scores at low degrees belong to vertices that join parts of the graph."],
  ["score-distribution", "Distribution of scores", scoreDistribution,
    "Vertices of about one score, on logarithmic axes. Score 0 is in the table only."],
  ["phases", "Seconds of each run by phase", phases,
    "Wall-clock time of whole runs. Device is the time that the search waited for devices."],
  ["strategies", "Strategies side by side", strategies,
    "The median time of the search, with whiskers from the shortest to the longest, on a "
    + "logarithmic scale. Hollow marks and ~ are estimates."],
  ["ablation", "Effect of each idea of strategy virtual", ablation,
    "The change of the search time by switching on one idea: bars to the left are savings. Marks "
    + "are figures of the original report: mean and standard deviation over eight graphs."],
  ["tuning", "Candidates for the best options", tuning,
    "Time for all roots as predicted from samples. Hollow marks and ~ denote candidates that were "
    + "dropped early."],
  ["workers", "Roots per worker", workers,
    "CPU workers and devices take roots from one counter: the faster of them take more."],
  ["kernels", "Seconds of the kernels of a device", kernels,
    "All launches of each kernel, by the clock of the device; timing slows the search down."],
  ["timeline", "Timeline of a run", timeline,
    "Time since the start of the process. Devices are initialised on separate threads."],
];

// --- The page ------------------------------------------------------------------------------------
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
    ...(devices ?? [report.device]).map((device) => ["device", [device?.name, device?.driver]]),
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

function draw() {
  const graphs = distinct(files.flatMap(({ report }) => graphsOf(report)).map(({ path }) => path));
  const names = graphs.length > 2 ? `${graphs.length} graphs` : graphs.map(baseName).join(" and ");
  document.title = ["Betweenness centrality", names].filter(Boolean).join(" of ");
  const sections = SECTIONS.map(([id, heading, make, text]) =>
    ({ id, heading, text, figures: [make()].flat().filter(({ table }) => table.length) }))
    .filter(({ figures }) => figures.length).map(sectionElement);
  const sources = html("section", { id: "files" },
    html("h2", {}, "Source reports"), ...files.map(fileElement));
  const links = [...sections, sources].map((section) =>
    html("li", {}, html("a", { href: `#${section.id}` }, section.firstChild.textContent)));
  document.querySelector("main").append(html("h1", {}, document.title),
    html("nav", { "aria-label": "Sections" }, html("ul", {}, ...links)), ...sections, sources);
}

draw();
