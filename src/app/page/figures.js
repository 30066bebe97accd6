// Makes figures: charts with their tables and buttons.

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

// Makes a chart with its notes, buttons and table. The chart is drawn again when its width changes.
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
