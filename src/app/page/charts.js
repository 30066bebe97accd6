// Draws charts as SVG.

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
// scale contains `zero`; a logarithmic one spans a factor of at least 3.
function makeScale(numbers, log, start, stop, zero = 0) {
  const holds = (n) => Number.isFinite(n) && (!log || n > 0);
  const usable = numbers.filter(holds).map((n) => Math.max(-1e290, Math.min(1e290, n)));
  const [from, to] = log ? logEnds(usable)
    : [Math.min(zero, ...usable), Math.max(zero, ...usable) || 1];
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
  const margin = 1.1 * Math.sqrt(Math.max(1, (3 * low) / high));
  return [Math.max(low / margin, 1e-300), high * margin];
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

// Draws a mark and its whiskers. The axis spans only the marks, and whiskers are cut at its ends.
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
// `series`: {name, points: [{x, y, min, max, hollow, title}]}. The axes are logarithmic unless they
// are `linear`, but if y is `relative` to the best of a series, its axis is linear and begins a
// little below 1.
function linesChart({ name, series, xName, yName, showY, xTicks, relative, linear }, width) {
  const chart = newChart(name, width);
  const top = legend(chart, series.map((one, i) => [one.name, i]), true) + LINE + 10;
  const bottom = top + Math.max(200, Math.min(320, 0.6 * width));
  const points = series.flatMap((one) => one.points);
  const ends = points.flatMap((point) => [point.min ?? point.y, point.y, point.max ?? point.y]);
  const y = makeScale(ends, !relative && !linear, bottom, top, relative ? 0.98 : 0);
  const yTicks = y.ticks((bottom - top) / 30);
  const left = widest(yTicks.map(showY)) + 10;
  const x = makeScale(points.map((point) => point.x), !linear, left + 12, width - 12);
  for (const tick of yTicks) {
    line(chart, "grid", left, y.place(tick), width, y.place(tick));
    write(chart, "soft", "end", left - 8, y.place(tick) + 4.5, showY(tick));
  }
  axisBelow(chart, x, xTicks ?? x.ticks((width - left) / 60), plain, top, bottom);
  line(chart, "axis", left, bottom, width, bottom);
  write(chart, "soft", "start", 0, top - 14, yName);
  write(chart, "soft", "end", width, bottom + 2 * LINE, xName);
  series.forEach((one, number) => {
    // Series stand a little beside each other, so that their whiskers do not overlap.
    const aside = relative ? 4 * (number - (series.length - 1) / 2) : 0;
    const marks = one.points.filter((point) => x.holds(point.x) && y.holds(point.y))
      .map((point) => ({ ...point, left: x.place(point.x) + aside, top: y.place(point.y) }));
    const path = marks.map((point) => `${point.left.toFixed(1)},${point.top.toFixed(1)}`).join(" ");
    shape(chart, "polyline", "curve", number, { points: path });
    for (const { left, top, min, max, hollow, title } of marks) {
      const whisker = { x1: left, y1: y.place(min), x2: left, y2: y.place(max) };
      if (min < max) shape(chart, "line", "whisker", number, whisker);
      mark(chart, number, left, top, hollow, title);
    }
  });
  return withHeight(chart, bottom + 2 * LINE + 6);
}
