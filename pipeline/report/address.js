// The address of the page, #place?key=value, always describes the view: a view can be linked to, and back
// and forward work. Links name runs, topics and measures; following a link changes only what it names.
(() => {
  "use strict";
  const { fathom } = window;
  const parts = new Map(); // by key: the current value ("" for the initial one), and a function that sets it
  const after = []; // functions that redraw the page
  let place = "";

  const read = (hash) => {
    const at = hash.indexOf("?");
    return at < 0 ? [hash.slice(1), new URLSearchParams()] : [hash.slice(1, at), new URLSearchParams(hash.slice(at + 1))];
  };
  const written = () => {
    const params = new URLSearchParams();
    for (const [key, part] of parts) if (part.now() !== "") params.set(key, part.now());
    const query = params.toString();
    return query ? `#${place}?${query}` : `#${place}`;
  };
  const scroll = () => document.getElementById(place)?.scrollIntoView({ behavior: "instant" });
  const show = () => { for (const act of after) act(); };

  fathom.address = {
    join: (key, now, take) => parts.set(key, { now, take }),
    after: (act) => after.push(act),
    // The reader changed the view: add a step to the history, except while typing.
    moved: ({ way = true } = {}) => history[way ? "pushState" : "replaceState"](null, "", written()),
    link: (to, values) => `#${to}?${new URLSearchParams(values)}`,
  };
  const go = (hash, { whole }) => {
    const [to, params] = read(hash);
    place = to;
    for (const [key, part] of parts) if (whole || params.has(key)) part.take(params.get(key) ?? "");
    show();
  };

  document.addEventListener("DOMContentLoaded", () => {
    const table = document.getElementById("board");
    const filter = document.getElementById("filter");
    if (table) {
      const heads = [...table.tHead.rows[0].cells];
      const label = (head) => head.dataset.name ?? head.textContent.trim();
      const sorted = () => heads.find((head) => head.hasAttribute("aria-sort"));
      fathom.address.join("filter", () => filter.value, (text) => { filter.value = text; fathom.filter(); });
      fathom.address.join("sort", () => {
        const head = sorted();
        const falling = head.getAttribute("aria-sort") === "descending";
        return head === heads[0] && !falling ? "" : `${falling ? "-" : ""}${label(head)}`;
      }, (text) => {
        const head = heads.find((cell) => label(cell) === text.replace(/^-/, "")) ?? heads[0];
        fathom.sortBy(table, head, text.startsWith("-") ? "descending" : "ascending");
      });
      filter.addEventListener("input", () => fathom.address.moved({ way: false }));
      table.addEventListener("sorted", () => fathom.address.moved());
    }
    document.addEventListener("click", (event) => {
      const link = event.target.closest?.('a[href^="#"]');
      if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      go(link.getAttribute("href"), { whole: false });
      fathom.address.moved();
      scroll();
    });
    window.addEventListener("popstate", () => go(location.hash, { whole: true }));
  });
  // When all scripts have called join.
  window.addEventListener("load", () => {
    if (!location.hash) return;
    go(location.hash, { whole: true });
    scroll();
  });
})();
