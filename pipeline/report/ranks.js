// The focus of the bump chart: the best runs, the runs of a team, or runs by name. All others are grey.
document.addEventListener("DOMContentLoaded", () => {
  "use strict";
  const { fathom } = window;
  const choice = document.getElementById("focus");
  if (!choice) return;
  const search = document.getElementById("focus-find");
  const most = Number(choice.dataset.most);
  const status = document.getElementById("focused");

  fathom.fill.bump = () => {
    const { points } = fathom.spec("bump").datasets;
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const [kind, team] = [choice.value.slice(0, 4), choice.value.slice(5)];
    const matches = (point) => (words.length
      ? words.every((word) => `${point.run} ${point.team}`.toLowerCase().includes(word))
      : kind === "best" || point.team === team);
    const runs = [...new Set(points.filter(matches).map((point) => point.run))];
    const tones = new Map(runs.slice(0, most).map((run, at) => [run, at]));
    status.textContent = `${tones.size} ${tones.size === 1 ? "run" : "runs"} in focus${runs.length > tones.size && (words.length || kind === "team") ? ` of ${runs.length} found` : ""}`;
    return points.filter((point) => tones.has(point.run))
      .map(({ run, measure, rank, place }) => ({ run, measure, rank, place, tone: tones.get(run) }));
  };
  const redraw = () => fathom.redraw(["bump"]);
  fathom.address.join("focus", () => (choice.value === "best" ? "" : choice.value), (text) => {
    choice.value = text || "best";
    if (choice.selectedIndex < 0) choice.value = "best";
  });
  fathom.address.join("find", () => search.value, (text) => { search.value = text; });
  fathom.address.after(redraw);
  choice.addEventListener("change", () => { search.value = ""; redraw(); fathom.address.moved(); });
  search.addEventListener("input", () => { redraw(); fathom.address.moved({ way: false }); });
});
