// The page's behaviour: theme, sorting, filtering, charts. No dependencies but the inlined Vega.
(() => {
  "use strict";
  const root = document.documentElement;
  const systemDark = window.matchMedia("(prefers-color-scheme: dark)");

  // Storage may be refused for files opened from disk: then the choice lasts as long as the page.
  const remembered = () => {
    try { return localStorage.getItem("fathom-theme"); } catch { return null; }
  };
  const remember = (theme) => {
    try { localStorage.setItem("fathom-theme", theme); } catch { /* not kept */ }
  };
  const applyTheme = (theme) => { root.dataset.theme = theme; };

  // Before the first paint, so that a dark page never flashes light.
  applyTheme(remembered() || (systemDark.matches ? "dark" : "light"));

  // Sorting. A cell's data-v, else its text; numbers as numbers; blanks last; ties keep their order.
  const keyOf = (row, column) => {
    const cell = row.cells[column];
    const text = cell.dataset.v ?? cell.textContent.trim();
    const value = text === "" ? NaN : Number(text);
    return { text, value };
  };
  const compare = (a, b) => {
    const blank = (k) => k.text === "" || k.text === "nan";
    if (blank(a) || blank(b)) return { fixed: blank(a) - blank(b) };
    if (!Number.isNaN(a.value) && !Number.isNaN(b.value)) return { order: a.value - b.value };
    return { order: a.text.localeCompare(b.text, "en", { numeric: true, sensitivity: "base" }) };
  };
  const sortBy = (table, header) => {
    const column = header.cellIndex;
    const opposite = { ascending: "descending", descending: "ascending" };
    const direction = opposite[header.getAttribute("aria-sort")] || header.dataset.first || "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", direction);
    const sign = direction === "ascending" ? 1 : -1;
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => ({ row, key: keyOf(row, column) }));
    rows.sort((a, b) => {
      const { fixed, order } = compare(a.key, b.key);
      return fixed ?? sign * order;
    });
    body.append(...rows.map(({ row }) => row));
  };

  const filterRows = (input, table, output) => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = [...table.tBodies[0].rows];
    let shown = 0;
    for (const row of rows) {
      const text = `${row.querySelector(".name").textContent} ${row.querySelector(".team").textContent}`.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      shown += !row.hidden;
    }
    const runs = rows.length === 1 ? "run" : "runs";
    output.textContent = shown === rows.length ? `${shown} ${runs}` : `${shown} of ${rows.length} ${runs}`;
  };

  // Charts take their colours from the style sheet, so that they follow the theme.
  const palettes = {
    light: ["#0a6580", "#c2571a", "#5b7f1c", "#8a3f8f", "#b8860b", "#2b4c9b", "#b0304f", "#3b8f78", "#6b5b4b", "#7a6fd0", "#4d7ea8", "#a0522d"],
    dark: ["#5cc0de", "#f2935c", "#a5cc5f", "#d48fd8", "#e6bf4f", "#8aa9f5", "#f07c97", "#6fd3b8", "#c4b09a", "#b3a9fb", "#9cc4e4", "#d9926e"],
  };
  const chartConfig = (width) => {
    const style = getComputedStyle(root);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    const narrow = width < 640;
    return {
      background: "transparent",
      font: getComputedStyle(document.body).fontFamily,
      view: { stroke: null },
      axis: {
        labelColor: colour("soft"), titleColor: colour("ink"), gridColor: colour("faint"), domainColor: colour("line"),
        tickColor: colour("line"), labelFontSize: 12, titleFontSize: 13, titleFontWeight: 600, titlePadding: 12, labelPadding: 6,
      },
      bar: { color: colour("accent") },
      header: { labelColor: colour("ink"), labelFontSize: 12 },
      axisXBand: { labelLimit: 190 },
      axisYBand: { labelLimit: narrow ? 120 : 260 },
      axisBand: { domain: false, ticks: false, grid: false },
      legend: {
        labelColor: colour("ink"), titleColor: colour("soft"), labelFontSize: 12, titleFontSize: 12, titleFontWeight: 500,
        orient: narrow ? "bottom" : "right", columns: narrow ? 3 : 1, labelLimit: narrow ? 90 : 180, rowPadding: 5, symbolSize: 90,
      },
      range: {
        category: palettes[root.dataset.theme],
        symbol: ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"],
        diverging: [colour("low"), colour("middle"), colour("high")],
      },
      style: {
        equal: { color: colour("soft"), strokeDash: [1, 4], strokeWidth: 1.5, strokeCap: "round" },
        fit: { color: colour("soft"), strokeDash: [6, 5], strokeWidth: 1.5 },
        halo: { stroke: colour("ground"), strokeWidth: 5, strokeJoin: "round", fontSize: 12, fontWeight: 600 },
        label: { color: colour("ink"), fontSize: 12, fontWeight: 600 },
        tile: { stroke: colour("ground"), strokeWidth: 2, cornerRadius: 4 },
        "tile-number": { color: colour("ink"), fontSize: 12 },
      },
    };
  };
  const drawings = new Map();
  const draw = async () => {
    const specs = JSON.parse(document.getElementById("charts").textContent);
    for (const place of document.querySelectorAll("[data-chart]")) {
      drawings.get(place)?.finalize();
      drawings.set(place, await window.vegaEmbed(place, specs[place.dataset.chart], {
        config: chartConfig(place.clientWidth),
        renderer: "svg",
        ast: true, // expressions are interpreted: the page's policy forbids making code from text
        actions: { export: true, source: false, compiled: false, editor: false },
        downloadFileName: place.dataset.chart,
        tooltip: { theme: "custom" },
      }));
    }
    root.dataset.drawn = root.dataset.theme;
  };

  document.addEventListener("DOMContentLoaded", () => {
    for (const table of document.querySelectorAll("table[data-sortable]")) {
      table.tHead.addEventListener("click", (event) => {
        const header = event.target.closest("th");
        if (header && event.target.closest("button")) sortBy(table, header);
      });
    }
    const input = document.getElementById("filter");
    input.addEventListener("input", () => {
      filterRows(input, document.getElementById("board"), document.getElementById("shown"));
    });
    document.getElementById("theme").addEventListener("click", () => {
      const theme = root.dataset.theme === "dark" ? "light" : "dark";
      remember(theme);
      applyTheme(theme);
      draw();
    });
    systemDark.addEventListener("change", () => {
      if (remembered()) return;
      applyTheme(systemDark.matches ? "dark" : "light");
      draw();
    });
    draw();
  });
})();
