// The bump chart's focus: the best runs, those of a team, or those found by name; the rest is grey.
document.addEventListener("DOMContentLoaded", () => {
  "use strict";
  const { fathom } = window;
  const choice = document.getElementById("focus");
  if (!choice) return;
  const search = document.getElementById("focus-find");
  const most = Number(choice.dataset.most);
  const told = document.getElementById("focused");

  fathom.fill.bump = () => {
    const { points } = fathom.spec("bump").datasets;
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const [kind, team] = [choice.value.slice(0, 4), choice.value.slice(5)];
    const wanted = (point) => (words.length
      ? words.every((word) => `${point.run} ${point.team}`.toLowerCase().includes(word))
      : kind === "best" || point.team === team);
    const runs = [...new Set(points.filter(wanted).map((point) => point.run))];
    const tones = new Map(runs.slice(0, most).map((run, at) => [run, at]));
    told.textContent = `${tones.size} ${tones.size === 1 ? "run" : "runs"} in focus${runs.length > tones.size && (words.length || kind === "team") ? ` of ${runs.length} found` : ""}`;
    return points.filter((point) => tones.has(point.run))
      .map(({ run, measure, rank, place }) => ({ run, measure, rank, place, tone: tones.get(run) }));
  };
  const again = () => fathom.redraw(["bump"]);
  fathom.address.join("focus", () => (choice.value === "best" ? "" : choice.value), (text) => {
    choice.value = text || "best";
    if (choice.selectedIndex < 0) choice.value = "best";
  });
  fathom.address.join("find", () => search.value, (text) => { search.value = text; });
  fathom.address.after(again);
  choice.addEventListener("change", () => { search.value = ""; again(); fathom.address.moved(); });
  search.addEventListener("input", () => { again(); fathom.address.moved({ way: false }); });
});
