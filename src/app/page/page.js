"use strict";
// Copy buttons for every table. Without scripts there are none, and the tables can be read all the same.
(() => {
  // Numbers with all their digits, texts as they stand.
  const cellsOf = (row) => Array.from(row.cells, (cell) => cell.dataset.value ?? cell.textContent);
  const rowsOf = (table) => Array.from(table.rows, cellsOf);

  const csv = (table) => {
    const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    return rowsOf(table).map((row) => row.map(quoted).join(",") + "\n").join("");
  };

  const markdown = (table) => {
    const safe = (text) => text.replaceAll("\\", "\\\\").replaceAll("|", "\\|");
    const line = (cells) => `| ${cells.join(" | ")} |\n`;
    const [header, ...rows] = Array.from(table.rows, (row) => Array.from(row.cells, (cell) => safe(cell.textContent)));
    const ruler = Array.from(table.rows[0].cells, (cell) => (cell.classList.contains("n") ? "---:" : "---"));
    return [header, ruler, ...rows].map(line).join("");
  };

  // Where the clipboard is not given to scripts, as from some files and in old browsers.
  const copyBySelection = (text) => {
    const area = document.createElement("textarea");
    area.value = text;
    area.style.position = "fixed";
    area.style.opacity = "0";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  };

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return copyBySelection(text);
    }
  };

  for (const details of document.querySelectorAll("details.data")) {
    const table = details.querySelector("table");
    const bar = document.createElement("div");
    bar.className = "copy";
    const told = document.createElement("output");
    for (const [name, make] of [["Copy as CSV", csv], ["Copy as Markdown", markdown]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      button.addEventListener("click", async () => {
        told.textContent = (await copy(make(table))) ? "Copied" : "This browser does not let pages copy";
      });
      bar.append(button);
    }
    bar.append(told);
    details.querySelector("summary").after(bar);
  }

  // Paper cannot be unfolded.
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = Array.from(document.querySelectorAll("details:not([open])"));
    for (const details of folded) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of folded) details.open = false;
  });
})();
