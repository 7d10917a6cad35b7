// Elements and text for the scripts of the page. Everything is built from elements and text, never from
// HTML, so names from outside stay text.
(() => {
  "use strict";
  const { fathom } = window;
  fathom.make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null || value === undefined) continue;
      if (name.startsWith("--")) element.style.setProperty(name, value);
      else element.setAttribute(name, value);
    }
    element.append(...children.filter((child) => child !== null));
    return element;
  };
  // A table with its menu of downloads.
  fathom.table = (label, heads, rows) => {
    const around = fathom.make("div", { class: "table", tabindex: "0", role: "region", "aria-label": label },
      fathom.make("table", { "data-sortable": "" }, fathom.make("thead", {}, fathom.make("tr", {}, ...heads)), fathom.make("tbody", {}, ...rows)));
    const both = document.createDocumentFragment();
    both.append(around, fathom.downloads(around));
    return both;
  };
  fathom.text = (value, places = 4) => (value === null ? "–" : value.toFixed(places).replace("-", "−"));
  // A sentence of the template, kept in an attribute with {names} in it.
  fathom.say = (element, sentence, values = {}) => element.dataset[sentence].replace(/\{(\w+)\}/g, (_, name) => values[name]);
  // Work that is postponed until the reader scrolls near, or prints the page.
  fathom.near = (element, act) => {
    let done = false;
    const once = () => { if (!done) { done = true; act(); } };
    const watch = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      watch.disconnect();
      once();
    }, { rootMargin: "400px" });
    watch.observe(element);
    window.addEventListener("beforeprint", once);
    return once;
  };
})();
