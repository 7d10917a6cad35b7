// The section Explore: one topic, one run, two runs; and the selected measure. Everything is built from
// elements and text, never from HTML, so names from outside stay text.
document.addEventListener("DOMContentLoaded", () => {
  "use strict";
  const { fathom } = window;
  const data = fathom.block("numbers");
  if (!data) return;
  const runs = data.runs.length;
  const topics = data.topics.length;
  const state = { measure: data.contrast[0], view: "topic", topic: 0, run: 0, a: 0, b: Math.min(1, runs - 1), board: null, lost: "" };
  const byId = (id) => document.getElementById(id);
  const seen = byId("seen");
  const say = (sentence, values) => fathom.say(seen, sentence, values);

  // Small helpers.
  const { make, table, text } = fathom;
  const real = (value) => (value === null || value === undefined ? null : value / data.unit);
  const signed = (value) => (value > 0 ? `+${text(value)}` : text(value));
  const range = (low, high) => (low === null || high === null ? "–" : `${text(low)} to ${text(high)}`);
  const chance = (value) => (value === null ? "–" : value < 0.0001 ? "< 0.0001" : text(value));
  const measure = () => data.measure[state.measure];
  const score = (run, topic, at = state.measure) => real(data.measure[at].scores?.[run * topics + topic]);
  const column = (topic) => Array.from({ length: runs }, (_, run) => score(run, topic));
  const up = (a, b) => a - b;
  const quantile = (sorted, share) => {
    const at = (sorted.length - 1) * share;
    const low = Math.floor(at);
    return sorted[low] + (at - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low]);
  };
  const order = (count, key) => Array.from({ length: count }, (_, at) => at).sort((a, b) => key(a) - key(b) || a - b);
  const scored = () => measure().scores && topics;
  const mean = (run) => measure().means[run];
  const hardFirst = () => {
    const median = Array.from({ length: topics }, (_, topic) => quantile(column(topic).sort(up), 0.5));
    return order(topics, (topic) => median[topic]);
  };
  const bestFirst = () => order(runs, (run) => -mean(run));

  // Data of the charts of the selected measure.
  fathom.fill.intervals = () => bestFirst().map((run, place) => {
    const now = measure();
    const [lower, upper, tLower, tUpper] = ["lower", "upper", "t_lower", "t_upper"].map((key) => real(now[key][run]));
    const value = real(now.means[run]);
    return {
      run: data.runs[run], place, mean: value, lower: lower ?? value, upper: upper ?? value, t_lower: tLower, t_upper: tUpper, sign: data.signs[now.from_best[run]] ?? "", relation: data.relations[now.from_best[run]] ?? null,
      reach: Math.max(value, upper ?? value, tUpper ?? value), interval: range(tLower, tUpper), open: range(lower, upper),
    };
  });
  fathom.fill.difficulty = () => (scored() ? hardFirst() : []).map((topic, place) => {
    const all = column(topic);
    const sorted = [...all].sort(up);
    const [low, median, high] = [0.25, 0.5, 0.75].map((share) => quantile(sorted, share));
    const best = sorted[runs - 1];
    return {
      topic: data.topics[topic][0], text: data.topics[topic][1], place, worst: sorted[0], low, median, high, best, by: data.runs[all.indexOf(best)],
    };
  });
  fathom.fill.heat = () => {
    if (!scored()) return [];
    const across = hardFirst();
    return bestFirst().flatMap((run, row) => across.map((topic, column) => (
      { run: data.runs[run], topic: data.topics[topic][0], run_place: row, topic_place: column, value: score(run, topic) })));
  };

  const { address } = fathom;
  const toRun = (run) => address.link("explore", { view: "run", run: data.runs[run] });
  const toWhy = (run, topic) => (document.getElementById("why") && data.measures[state.measure]
    ? address.link("why", { why: data.runs[run], "why-topic": data.topics[topic][0], "why-measure": data.measures[state.measure] }) : null);
  const toTopic = (topic) => address.link("explore", { view: "topic", topic: data.topics[topic][0] });

  // Tables.
  const heading = (label, kind = "", first = null) => make(
    "th", { scope: "col", class: kind, "data-first": first }, make("button", { type: "button" }, label));
  const figure = (value, shown = text(value)) => make("td", { class: "num", "data-v": value ?? "" }, shown);
  // A score, linked to the section that explains it.
  const scoreCell = (run, topic) => {
    const cell = figure(score(run, topic));
    const target = toWhy(run, topic);
    if (target) cell.replaceChildren(make("a", { href: target, title: "Why this score" }, cell.textContent));
    return cell;
  };
  const name = (label, target, place) => make(
    "th", { scope: "row", class: "name", "data-v": place ?? null, title: label }, make("a", { href: target }, make("bdi", {}, label)));
  const words = (content) => make("td", { class: "prose" }, make("bdi", {}, content || "–"));
  const percent = (value, top) => `${Math.max(0, Math.min(100, (100 * value) / (top || 1))).toFixed(1)}%`;

  // One topic: the first documents of each run, with their labels.
  const tile = (list, document_) => {
    const names = data.lists.dimensions;
    const labels = names.map((dimension, at) => `${dimension} ${list.labels[at][document_] ?? "unjudged"}`);
    const cell = make("td", { class: "doc", "data-d": document_ },
      ...names.map((_, at) => {
        const gain = list.gains[at][document_];
        const label = list.labels[at][document_];
        const kind = gain === null ? "open" : gain > 75 ? "full" : "";
        return make("span", { class: kind, "--g": gain === null ? null : `${gain}%` }, label === null ? "·" : String(Number.isInteger(label) ? label : label.toFixed(1)));
      }));
    return { cell, about: `${list.documents[document_]}\n${labels.join("\n")}` };
  };
  // Many runs have the same documents: each tile is built once and copied.
  const tiles = (list) => {
    const known = new Map();
    return (document_, rank) => {
      if (!known.has(document_)) known.set(document_, tile(list, document_));
      const { cell, about } = known.get(document_);
      const copy = cell.cloneNode(true);
      copy.title = `${rank + 1}. ${about}`;
      return copy;
    };
  };
  const showTopic = () => {
    const { topic } = state;
    const list = data.lists?.topics[topic];
    const depth = list ? Math.max(0, ...list.runs.map((run) => run.length)) : 0;
    const best = order(runs, (run) => -(score(run, topic) ?? 0));
    const shows = list ? tiles(list) : null;
    const rows = best.map((run) => make("tr", {},
      name(data.runs[run], toRun(run)), make("td", { class: "team" }, make("bdi", {}, data.teams[data.team[run]] || "–")), scoreCell(run, topic),
      ...Array.from({ length: depth }, (_, rank) => (
        list.runs[run][rank] === undefined ? make("td", { class: "doc" }) : shows(list.runs[run][rank], rank)))));
    const heads = [heading("Run", "name"), heading("Team", "team"), heading(data.measures[state.measure], "num", "descending"),
      ...Array.from({ length: depth }, (_, rank) => make("th", { scope: "col", class: "doc" }, String(rank + 1)))];
    const [id, about] = data.topics[topic];
    const key = data.lists ? say("tiles", { dimensions: data.lists.dimensions.join(", ") }) : "";
    seen.replaceChildren(
      make("h3", {}, make("bdi", {}, about ? `${id}: ${about}` : id)), make("p", { class: "hint" }, key), table(`Runs on topic ${id}`, heads, rows));
  };

  // How a run compares with the best one; its significance groups on hover.
  const group = (results, run) => (results.letters[run] ? say("groups", { letters: results.letters[run] }) : "");
  const relation = (results, run) => make("td", { title: group(results, run) }, data.relations[results.from_best[run]] ?? "–");

  // One run: all its measures, then all its topics among the other runs.
  const showRun = () => {
    const { run } = state;
    const overall = data.measures.map((label, at) => {
      const results = data.measure[at];
      return make("tr", {}, make("th", { scope: "row", class: "name" }, label), figure(results.ranks[run], `${results.ranks[run]}`), figure(real(results.means[run])),
        make("td", { class: "num" }, range(real(results.t_lower[run]), real(results.t_upper[run]))), relation(results, run),
        make("td", { class: "num" }, range(real(results.lower[run]), real(results.upper[run]))), figure(real(results.past_end[run])));
    });
    const parts = [make("h3", {}, make("bdi", {}, data.runs[run])),
      table(`Measures of ${data.runs[run]}`, [heading("Measure", "name"), heading("Rank", "num"), heading("Mean", "num", "descending"), heading(`${data.confidence} confidence interval`, "num"), heading("Compared with the best"), heading("Bounds (unjudged)", "num"), heading("Residual after the last rank", "num", "descending")], overall)];
    if (scored()) {
      const top = Math.max(...measure().scores) / data.unit;
      const rows = data.topics.map(([id, about], topic) => {
        const all = column(topic).sort(up);
        const median = quantile(all, 0.5);
        const value = score(run, topic);
        return make("tr", {}, name(id, toTopic(topic), topic), words(about), scoreCell(run, topic),
          make("td", { class: "strip", title: `lowest ${text(all[0])}, median ${text(median)}, best ${text(all[runs - 1])}` },
            make("i", { class: "among", "--l": percent(all[0], top), "--u": percent(all[runs - 1], top), "--m": percent(median, top), "--v": percent(value, top) })),
          figure(value - median, signed(value - median)));
      });
      parts.push(make("h3", {}, `Topics by ${data.measures[state.measure]}`),
        make("p", { class: "hint" }, say("band")),
        table(`Topics of ${data.runs[run]}`, [heading("Topic", "name"), heading("Text"), heading("Score", "num", "descending"), make("th", { scope: "col", class: "strip" }, "Among all runs"), heading("Difference from the median", "num", "descending")], rows));
    }
    seen.replaceChildren(...parts);
  };

  // Two runs, topic by topic, with the tests.
  const tested = (a, b) => {
    const { pairs } = measure();
    if (!pairs || a === b) return null;
    const [i, j] = [Math.min(a, b), Math.max(a, b)];
    const at = (i * (2 * runs - i - 1)) / 2 + j - i - 1;
    const sign = a < b ? 1 : -1;
    const of = (key) => real(pairs[key][at]);
    const effect = pairs.effect[at]; // in hundredths: rounded once
    return { half: of("half"), effect: effect === null ? null : sign * effect / 100, t: of("t"), permutation: of("permutation"), tukey: of("tukey") };
  };
  const showPair = () => {
    const { a, b } = state;
    const [first, second] = [data.runs[a], data.runs[b]];
    const parts = [make("h3", {}, make("bdi", {}, first), " against ", make("bdi", {}, second))];
    if (scored()) {
      const rows = data.topics.map(([id, about], topic) => ({ id, about, topic, x: score(a, topic), y: score(b, topic) }));
      const gap = rows.reduce((sum, row) => sum + row.x - row.y, 0) / topics;
      const wins = rows.filter((row) => row.x > row.y).length;
      const losses = rows.filter((row) => row.x < row.y).length;
      const test = tested(a, b);
      const facts = [["Difference of means", signed(gap)], ["Topics better, tied, worse", `${wins}, ${topics - wins - losses}, ${losses}`]];
      if (test) {
        facts.push([`${data.confidence} confidence interval (paired t)`, test.half === null ? "–" : range(gap - test.half, gap + test.half)], ["Effect size (Cohen’s d)", text(test.effect, 2)],
          ["p, paired t", chance(test.t)], ["p, permutation (Holm)", chance(test.permutation)], ["p, randomised Tukey HSD", chance(test.tukey)]);
        const known = ["t", "permutation", "tukey"].map((name) => [say(name), test[name]]).filter(([, p]) => p !== null);
        const list = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join("; ")}; and ${names.at(-1)}`);
        const different = known.filter(([, p]) => p <= data.alpha).map(([label]) => label);
        const similar = known.filter(([, p]) => p > data.alpha).map(([label]) => label);
        const sentences = [different.length ? say("different", { tests: list(different) }) : "", similar.length ? say("similar", { tests: list(similar) }) : ""];
        parts.push(make("p", { class: "verdict", "data-different": similar.length === 0 }, sentences.join(" ").trim()));
      }
      parts.push(make("dl", { class: "pairs tests" }, ...facts.map(([term, value]) => make("div", {}, make("dt", {}, term), make("dd", {}, value)))));
      const widest = Math.max(1e-9, ...rows.map((row) => Math.abs(row.x - row.y)));
      rows.sort((p, q) => (q.x - q.y) - (p.x - p.y) || p.topic - q.topic);
      parts.push(table(`${first} against ${second} by topic`, [heading("Topic", "name"), heading("Text"), heading(first, "num run", "descending"), heading(second, "num run", "descending"), make("th", { scope: "col", class: "strip" }, ""), heading("Difference", "num", "descending")],
        rows.map((row) => make("tr", {}, name(row.id, toTopic(row.topic), row.topic), words(row.about), figure(row.x), figure(row.y),
          make("td", { class: "strip" }, make("i", { class: row.x < row.y ? "gap behind" : "gap", "--w": percent(Math.abs(row.x - row.y), 2 * widest) })),
          figure(row.x - row.y, signed(row.x - row.y))))));
    }
    seen.replaceChildren(...parts);
  };

  // Views and choices; the address names them.
  const views = { topic: showTopic, run: showRun, compare: showPair };
  const refresh = () => {
    for (const tab of document.querySelectorAll("[data-view]")) {
      const chosen = tab.dataset.view === state.view;
      tab.setAttribute("aria-selected", chosen);
      tab.tabIndex = chosen ? 0 : -1;
    }
    for (const choice of document.querySelectorAll("[data-for]")) choice.hidden = choice.dataset.for !== state.view;
    for (const key of ["topic", "run", "a", "b"]) byId(`choose-${key}`).value = state[key];
    byId("lost").textContent = state.lost;
    views[state.view]();
  };
  const topicNames = data.topics.map(([id]) => id);
  const named = (names, key, word, first) => (target) => {
    const at = names.indexOf(target);
    if (target !== "" && at < 0) state.lost = say("lost", { word, name: target });
    state[key] = at < 0 ? first : at;
  };
  address.join("view", () => (state.view === "topic" && !state.topic ? "" : state.view), (text) => {
    state.lost = "";
    state.view = views[text] ? text : "topic";
  });
  address.join("topic", () => (state.view === "topic" && state.topic ? topicNames[state.topic] : ""), named(topicNames, "topic", "topic", 0));
  for (const [key, view, first] of [["run", "run", 0], ["a", "compare", 0], ["b", "compare", Math.min(1, runs - 1)]]) {
    address.join(key, () => (state.view === view ? data.runs[state[key]] : ""), named(data.runs, key, "run", first));
  }
  address.join("measure", () => (state.measure === data.contrast[0] ? "" : data.measures[state.measure]), named(data.measures, "measure", "measure", data.contrast[0]));
  address.join("board", () => (state.board === null ? "" : data.measures[state.board]), (text) => {
    const at = data.measures.indexOf(text);
    if ((at < 0 ? null : at) === state.board) return;
    narrow(at < 0 ? null : at);
  });
  const changed = () => { state.lost = ""; refresh(); address.moved(); };
  const options = (select, labels) => select.append(...labels.map((label, at) => make("option", { value: at }, label)));
  options(byId("choose-topic"), data.topics.map(([id, about]) => (about ? `${id}: ${about.slice(0, 80)}` : id)));
  for (const key of ["run", "a", "b"]) options(byId(`choose-${key}`), data.runs);
  for (const key of ["topic", "run", "a", "b"]) {
    byId(`choose-${key}`).addEventListener("change", (event) => { state[key] = Number(event.target.value); changed(); });
  }
  const tabs = [...document.querySelectorAll("[data-view]")];
  for (const tab of tabs) {
    tab.addEventListener("click", () => { state.view = tab.dataset.view; changed(); });
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      const next = step ? tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length] : { Home: tabs[0], End: tabs.at(-1) }[event.key];
      if (!next) return;
      event.preventDefault();
      next.focus();
      next.click();
    });
  }
  const mark = (event) => {
    const id = event.target.closest?.("[data-d]")?.dataset.d;
    for (const cell of seen.querySelectorAll(".same")) cell.classList.remove("same");
    if (id !== undefined) for (const cell of seen.querySelectorAll(`[data-d="${Number(id)}"]`)) cell.classList.add("same");
  };
  seen.addEventListener("pointerover", mark);
  seen.addEventListener("pointerleave", mark);

  // The leaderboard of one measure: rank, confidence interval, comparison with the best run, and bounds beside the mean.
  const board = byId("board");
  const narrow = (at) => {
    state.board = at;
    byId("choose-board").value = at ?? "";
    const results = at === null ? null : data.measure[at];
    board.classList.toggle("single", results !== null);
    for (const cell of board.querySelectorAll("[data-m]")) cell.hidden = results !== null && Number(cell.dataset.m) !== at;
    for (const cell of board.querySelectorAll(".detail")) cell.hidden = results === null;
    if (!results) return;
    for (const row of board.tBodies[0].rows) {
      const run = Number(row.dataset.run);
      const [place, interval, from, open, past] = row.querySelectorAll(".detail");
      place.textContent = place.dataset.v = results.ranks[run];
      interval.textContent = range(real(results.t_lower[run]), real(results.t_upper[run]));
      interval.dataset.v = real(results.t_lower[run]) ?? "";
      from.textContent = data.relations[results.from_best[run]] ?? "–";
      from.title = group(results, run);
      open.textContent = range(real(results.lower[run]), real(results.upper[run]));
      open.dataset.v = real(results.upper[run]) ?? "";
      past.textContent = text(real(results.past_end[run]));
      past.dataset.v = real(results.past_end[run]) ?? "";
    }
    const header = board.querySelector(`thead [data-m="${at}"]`);
    header.removeAttribute("aria-sort");
    fathom.sortBy(board, header);
  };
  const all = byId("choose-board");
  all.addEventListener("change", () => {
    narrow(all.value === "" ? null : Number(all.value));
    if (all.value !== "") state.measure = Number(all.value);
    shown(later);
    address.moved();
  });
  const choosers = [...document.querySelectorAll("select.measure")];
  const shown = (then = refresh) => {
    for (const select of choosers) select.value = state.measure;
    fathom.redraw(["intervals", "difficulty", "heat"]);
    then();
  };
  // A choice elsewhere on the page is painted first: this section, out of sight, has most of the elements.
  let waiting = 0;
  const later = () => {
    clearTimeout(waiting);
    waiting = setTimeout(refresh, 200);
  };
  options(all, data.measures);
  for (const select of choosers) {
    options(select, data.measures);
    select.value = state.measure;
    select.addEventListener("change", () => {
      state.measure = Number(select.value);
      shown(select.closest("#explore") ? refresh : later);
      address.moved();
    });
  }
  address.after(() => shown());
  refresh();
});
