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
  const sortBy = (table, header, wanted = null) => {
    const column = header.cellIndex;
    const opposite = { ascending: "descending", descending: "ascending" };
    const direction = wanted ?? (opposite[header.getAttribute("aria-sort")] || header.dataset.first || "ascending");
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
  const block = (id) => {
    const found = document.querySelector(`script#${id}`);
    return found ? JSON.parse(found.textContent) : null;
  };
  const coloured = (value, style) => {
    if (typeof value === "string" && value.startsWith("--")) return style.getPropertyValue(value).trim();
    if (Array.isArray(value)) return value.map((item) => coloured(item, style));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, coloured(item, style)]));
  };
  const chartConfig = (width) => {
    const config = coloured(look, getComputedStyle(root));
    config.mark = { ...config.mark, aria: false }; // a chart is one picture, which its place describes
    if (width < 640) {
      Object.assign(config.legend, { orient: "bottom", columns: 3, labelLimit: 90 });
      config.axisYBand.labelLimit = 120;
    }
    return config;
  };
  let specs = null;
  let look = null;
  const drawings = new Map();
  let sized = 0; // how often the window has had another size
  const drawOne = async (place) => {
    const name = place.dataset.chart;
    if (!specs[name]) return;
    const fill = fathom.fill[name];
    const old = drawings.get(place);
    const as = `${root.dataset.theme} ${sized}`;
    if (fill && old?.as === as) { // other data in the same picture: compiling it takes longer than drawing it
      await old.view.data("shown", fill()).runAsync();
    } else {
      const spec = fill ? { ...specs[name], datasets: { ...specs[name].datasets, shown: fill() } } : specs[name];
      old?.finalize();
      const made = await window.vegaEmbed(place, spec, {
        config: chartConfig(place.clientWidth),
        renderer: place.dataset.renderer ?? "svg", // a canvas where there are thousands of marks
        ast: true, // expressions are interpreted: the page's policy forbids making code from text
        actions: false, // take.js has them, outside the picture
        tooltip: { theme: "custom" },
        patch: (vega) => fathom.placed?.(vega) ?? vega,
      });
      drawings.set(place, Object.assign(made, { as }));
    }
    place.dataset.drawn = root.dataset.theme;
  };
  // One after the other, and only what the reader is near: a long report opens at once.
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
    const watched = new IntersectionObserver((seen) => {
      for (const { isIntersecting, target } of seen) near[isIntersecting ? "add" : "delete"](target);
      draw([...near].filter((place) => !place.dataset.drawn));
    }, { rootMargin: "400px" });
    for (const place of places) watched.observe(place);
    window.addEventListener("resize", () => { sized += 1; });
    window.addEventListener("beforeprint", () => draw([...places].filter((place) => !place.dataset.drawn)));
  };
  // What is far from the reader is drawn anew when the reader comes to it.
  const redraw = (names) => {
    const old = [...drawings.keys()].filter((place) => !names || names.includes(place.dataset.chart));
    for (const place of old) delete place.dataset.drawn;
    return draw(old.filter((place) => near.has(place)));
  };

  // What the other scripts of the page use: data for charts by name, drawing anew, sorting.
  const filter = () => filterRows(document.getElementById("filter"), document.getElementById("board"), document.getElementById("shown"));
  const fathom = { fill: {}, redraw, block, sortBy, filter, spec: (name) => specs[name] };
  // The drawing of a place, made now if the reader never came near it.
  fathom.view = async (place) => {
    if (!place.dataset.drawn) await drawOne(place);
    return drawings.get(place).view;
  };
  // What a chart shows: of its data sets the one with the most columns, then rows, with what the page's scripts put in.
  fathom.values = (name) => {
    const sets = { ...specs[name].datasets, ...(fathom.fill[name] ? { shown: fathom.fill[name]() } : {}) };
    const columns = (one) => (one.length ? Object.keys(one[0]).length : 0);
    const more = (a, b) => columns(a) - columns(b) || a.length - b.length;
    return Object.values(sets).reduce((most, one) => (more(one, most) > 0 ? one : most), []);
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
      const kind = event.target.dataset?.shows; // a choice of one of several figures
      if (!kind) return;
      for (const one of document.querySelectorAll(`[data-${kind}]`)) one.hidden = one.dataset[kind] !== event.target.value;
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
