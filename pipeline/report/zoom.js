// Scatter plots: names that cover no point, and buttons that zoom.
(() => {
  "use strict";
  const { fathom } = window;

  // Vega's label transform places each name beside its point where there is space, or omits it; pointing shows
  // it. Vega-Lite does not have the transform, so it is added to the compiled chart.
  const anchors = ["top-right", "top-left", "right", "left", "bottom-right", "bottom-left", "top", "bottom"];
  fathom.placed = (vega) => {
    const points = vega.marks.filter((mark) => mark.name === "runs_marks" || mark.marks?.some((child) => child.name === "runs_marks"));
    if (!points.length) return vega;
    for (const mark of vega.marks) {
      if (mark.type !== "text" || !mark.name?.startsWith("named_")) continue;
      const { update } = mark.encode;
      for (const channel of ["dx", "dy"]) delete update[channel];
      mark.transform = [{
        type: "label", size: { signal: "[max(1, width), max(1, height)]" }, avoidMarks: ["runs_marks"], padding: 0,
        anchor: [...anchors, ...anchors], offset: [...anchors.map(() => 7), ...anchors.map(() => 20)],
      }];
    }
    return vega;
  };

  const around = ([low, high], factor) => {
    const [middle, half] = [(low + high) / 2, ((high - low) * factor) / 2];
    return [middle - half, middle + half];
  };
  document.addEventListener("DOMContentLoaded", () => {
    for (const row of document.querySelectorAll("[data-zoom]")) {
      const place = document.querySelector(`[data-chart="${row.dataset.zoom}"]`);
      row.addEventListener("click", async (event) => {
        const by = event.target.closest("button")?.dataset.by;
        if (!by) return;
        const view = await fathom.view(place);
        const now = ["x", "y"].map((axis) => view.scale(axis).domain());
        place.wholeOf ??= now;
        const next = by === "whole" ? place.wholeOf : now.map((domain) => around(domain, Number(by)));
        await view.signal("zoom_x", next[0]).signal("zoom_y", next[1]).runAsync();
        place.dataset.domain = JSON.stringify(next);
      });
    }
  });
})();
