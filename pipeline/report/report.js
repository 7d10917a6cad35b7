// The behaviour of the page: theme, sorting, filtering, charts. The only dependency is the inlined Vega.
(() => {
  "use strict";
  const root = document.documentElement;
  const systemDark = window.matchMedia("(prefers-color-scheme: dark)");

  // Browsers may refuse storage for files opened from disk. The choice then lasts as long as the page.
  const remembered = () => {
    try { return localStorage.getItem("fathom-theme"); } catch { return null; }
  };
  const remember = (theme) => {
    try { localStorage.setItem("fathom-theme", theme); } catch { /* not kept */ }
  };
  const applyTheme = (theme) => { root.dataset.theme = theme; };

  // Before the first paint, so that a dark page never flashes light.
  applyTheme(remembered() || (systemDark.matches ? "dark" : "light"));

  // Sorting: by data-v of the cells, else by their text; numbers as numbers; blanks last; ties keep their order.
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
  const sortBy = (table, header, order = null) => {
    const column = header.cellIndex;
    const opposite = { ascending: "descending", descending: "ascending" };
    const direction = order ?? (opposite[header.getAttribute("aria-sort")] || header.dataset.first || "ascending");
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", direction);
    const sign = direction === "ascending" ? 1 : -1;
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => ({ row, key: keyOf(row, column) }));
    rows.sort((a, b) => {
      const { fixed, order: difference } = compare(a.key, b.key);
      return fixed ?? sign * difference;
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

  // Charts take their colours from the style sheet, so they follow the theme.
  const block = (id) => {
    const element = document.querySelector(`script#${id}`);
    return element ? JSON.parse(element.textContent) : null;
  };
  const coloured = (value, style) => {
    if (typeof value === "string" && value.startsWith("--")) return style.getPropertyValue(value).trim();
    if (Array.isArray(value)) return value.map((item) => coloured(item, style));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, coloured(item, style)]));
  };
  const chartConfig = (width) => {
    const config = coloured(look, getComputedStyle(root));
    config.mark = { ...config.mark, aria: false }; // the element around the chart describes it
    if (width < 640) {
      Object.assign(config.legend, { orient: "bottom", columns: 3, labelLimit: 90 });
      config.axisYBand.labelLimit = 120;
    }
    return config;
  };
  let specs = null;
  let look = null;
  const drawings = new Map();
  let sized = 0; // number of changes of the window's size
  const drawOne = async (place) => {
    const name = place.dataset.chart;
    if (!specs[name]) return;
    const fill = fathom.fill[name];
    const old = drawings.get(place);
    const as = `${root.dataset.theme} ${sized}`;
    if (fill && old?.as === as) { // new data in the same chart: compiling would take longer than drawing
      await old.view.data("shown", fill()).runAsync();
    } else {
      const spec = fill ? { ...specs[name], datasets: { ...specs[name].datasets, shown: fill() } } : specs[name];
      old?.finalize();
      const drawing = await window.vegaEmbed(place, spec, {
        config: chartConfig(place.clientWidth),
        renderer: place.dataset.renderer ?? "svg", // a canvas for thousands of marks
        ast: true, // expressions are interpreted: the page's policy forbids eval
        actions: false, // take.js has them, outside the chart
        tooltip: { theme: "custom" },
        patch: (vega) => fathom.placed?.(vega) ?? vega,
      });
      drawings.set(place, Object.assign(drawing, { as }));
    }
    place.dataset.drawn = root.dataset.theme;
  };
  // One after the other, and only near the reader: a long report opens at once.
  const near = new Set();
  const waiting = new Set();
  let busy = false;
  const draw = async (places) => {
    for (const place of places) waiting.add(place);
    if (busy) return;
    busy = true;
    for (const place of waiting) {
      waiting.delete(place);
      await drawOne(place);
    }
    busy = false;
    root.dataset.drawn = root.dataset.theme;
  };
  const watch = () => {
    const places = document.querySelectorAll("[data-chart]");
    if (!places.length) return;
    specs = block("charts");
    look = block("look");
    const watched = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) near[isIntersecting ? "add" : "delete"](target);
      draw([...near].filter((place) => !place.dataset.drawn));
    }, { rootMargin: "400px" });
    for (const place of places) watched.observe(place);
    window.addEventListener("resize", () => { sized += 1; });
    window.addEventListener("beforeprint", () => draw([...places].filter((place) => !place.dataset.drawn)));
  };
  // Charts far from the reader are redrawn when the reader scrolls to them.
  const redraw = (names) => {
    const old = [...drawings.keys()].filter((place) => !names || names.includes(place.dataset.chart));
    for (const place of old) delete place.dataset.drawn;
    return draw(old.filter((place) => near.has(place)));
  };

  // The interface for the other scripts of the page: data of charts by name, redrawing, sorting.
  const filter = () => filterRows(document.getElementById("filter"), document.getElementById("board"), document.getElementById("shown"));
  const fathom = { fill: {}, redraw, block, sortBy, filter, spec: (name) => specs[name] };
  // The view of a chart, drawn now if it has not been drawn yet.
  fathom.view = async (place) => {
    if (!place.dataset.drawn) await drawOne(place);
    return drawings.get(place).view;
  };
  // The data of a chart: of its data sets the one with the most columns, then rows, including those that scripts fill.
  fathom.values = (name) => {
    const sets = { ...specs[name].datasets, ...(fathom.fill[name] ? { shown: fathom.fill[name]() } : {}) };
    const columns = (rows) => (rows.length ? Object.keys(rows[0]).length : 0);
    const more = (a, b) => columns(a) - columns(b) || a.length - b.length;
    return Object.values(sets).reduce((most, set) => (more(set, most) > 0 ? set : most), []);
  };
  window.fathom = fathom;

  document.addEventListener("DOMContentLoaded", () => {
    document.addEventListener("click", (event) => {
      const header = event.target.closest("table[data-sortable] thead th");
      if (!header || !event.target.closest("button")) return;
      sortBy(header.closest("table"), header);
      header.closest("table").dispatchEvent(new Event("sorted"));
    });
    document.addEventListener("change", (event) => {
      const kind = event.target.dataset?.shows; // selects one of several figures
      if (!kind) return;
      for (const figure of document.querySelectorAll(`[data-${kind}]`)) figure.hidden = figure.dataset[kind] !== event.target.value;
    });
    document.getElementById("filter")?.addEventListener("input", filter);
    document.getElementById("theme").addEventListener("click", () => {
      const theme = root.dataset.theme === "dark" ? "light" : "dark";
      remember(theme);
      applyTheme(theme);
      redraw();
    });
    systemDark.addEventListener("change", () => {
      if (remembered()) return;
      applyTheme(systemDark.matches ? "dark" : "light");
      redraw();
    });
    watch();
  });
})();
