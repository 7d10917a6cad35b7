// Making elements and text for the scripts of the page. Everything is made of elements and text,
// never of HTML, so names from outside stay names.
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
  // A table with what a reader takes along of it.
  fathom.table = (label, heads, rows) => {
    const around = fathom.make("div", { class: "table", tabindex: "0", role: "region", "aria-label": label },
      fathom.make("table", { "data-sortable": "" }, fathom.make("thead", {}, fathom.make("tr", {}, ...heads)), fathom.make("tbody", {}, ...rows)));
    const both = document.createDocumentFragment();
    both.append(around, fathom.taking(around));
    return both;
  };
  fathom.text = (value, places = 4) => (value === null ? "–" : value.toFixed(places).replace("-", "−"));
  // A sentence of the template, kept in an attribute with {names} in it.
  fathom.say = (element, sentence, values = {}) => element.dataset[sentence].replace(/\{(\w+)\}/g, (_, name) => values[name]);
  // What is only needed once the reader comes near, or prints the page.
  fathom.near = (element, act) => {
    let done = false;
    const once = () => { if (!done) { done = true; act(); } };
    const watch = new IntersectionObserver((seen) => {
      if (!seen.some((one) => one.isIntersecting)) return;
      watch.disconnect();
      once();
    }, { rootMargin: "400px" });
    watch.observe(element);
    window.addEventListener("beforeprint", once);
    return once;
  };
})();
