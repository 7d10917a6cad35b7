// The drill-down: one topic, one system, two systems; and the measure the reader has chosen.
// Everything is made of elements and text, never of HTML, so names from outside stay names.
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

  // Data of the charts that show the chosen measure.
  fathom.fill.intervals = () => bestFirst().map((run, place) => {
    const now = measure();
    const [lower, upper, tLower, tUpper] = ["lower", "upper", "t_lower", "t_upper"].map((key) => real(now[key][run]));
    const value = real(now.means[run]);
    return {
      run: data.runs[run], place, mean: value, lower: lower ?? value, upper: upper ?? value, t_lower: tLower, t_upper: tUpper, sign: data.signs[now.from_best[run]] ?? "", told: data.told[now.from_best[run]] ?? null,
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
  // A score that leads to the room that tells what it is made of.
  const because = (run, topic) => {
    const made = figure(score(run, topic));
    const target = toWhy(run, topic);
    if (target) made.replaceChildren(make("a", { href: target, title: "Why this score" }, made.textContent));
    return made;
  };
  const name = (label, target, place) => make(
    "th", { scope: "row", class: "name", "data-v": place ?? null, title: label }, make("a", { href: target }, make("bdi", {}, label)));
  const words = (content) => make("td", { class: "prose" }, make("bdi", {}, content || "–"));
  const percent = (value, top) => `${Math.max(0, Math.min(100, (100 * value) / (top || 1))).toFixed(1)}%`;

  // One topic: what each run showed first, and what the assessors said of it.
  const tile = (list, document_) => {
    const names = data.lists.dimensions;
    const said = names.map((dimension, at) => `${dimension} ${list.labels[at][document_] ?? "not judged"}`);
    const made = make("td", { class: "doc", "data-d": document_ },
      ...names.map((_, at) => {
        const gain = list.gains[at][document_];
        const label = list.labels[at][document_];
        const kind = gain === null ? "open" : gain > 75 ? "full" : "";
        return make("span", { class: kind, "--g": gain === null ? null : `${gain}%` }, label === null ? "·" : String(Number.isInteger(label) ? label : label.toFixed(1)));
      }));
    return { made, about: `${list.documents[document_]}\n${said.join("\n")}` };
  };
  // Many runs show the same documents: each tile is made once and copied.
  const tiles = (list) => {
    const known = new Map();
    return (document_, rank) => {
      if (!known.has(document_)) known.set(document_, tile(list, document_));
      const { made, about } = known.get(document_);
      const copy = made.cloneNode(true);
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
      name(data.runs[run], toRun(run)), make("td", { class: "team" }, make("bdi", {}, data.teams[data.team[run]] || "–")), because(run, topic),
      ...Array.from({ length: depth }, (_, rank) => (
        list.runs[run][rank] === undefined ? make("td", { class: "doc" }) : shows(list.runs[run][rank], rank)))));
    const heads = [heading("Run", "name"), heading("Team", "team"), heading(data.measures[state.measure], "num", "descending"),
      ...Array.from({ length: depth }, (_, rank) => make("th", { scope: "col", class: "doc" }, String(rank + 1)))];
    const [id, about] = data.topics[topic];
    const key = data.lists ? say("tiles", { dimensions: data.lists.dimensions.join(", ") }) : "";
    seen.replaceChildren(
      make("h3", {}, make("bdi", {}, about ? `${id}: ${about}` : id)), make("p", { class: "hint" }, key), table(`Runs on topic ${id}`, heads, rows));
  };

  // How a run stands to the best one; the letters of its groups on hover.
  const group = (one, run) => (one.letters[run] ? say("groups", { letters: one.letters[run] }) : "");
  const stands = (one, run) => make("td", { title: group(one, run) }, data.told[one.from_best[run]] ?? "–");

  // One system: all its measures, then all its topics against the other runs.
  const showRun = () => {
    const { run } = state;
    const overall = data.measures.map((label, at) => {
      const one = data.measure[at];
      return make("tr", {}, make("th", { scope: "row", class: "name" }, label), figure(one.ranks[run], `${one.ranks[run]}`), figure(real(one.means[run])),
        make("td", { class: "num" }, range(real(one.t_lower[run]), real(one.t_upper[run]))), stands(one, run),
        make("td", { class: "num" }, range(real(one.lower[run]), real(one.upper[run]))), figure(real(one.past_end[run])));
    });
    const parts = [make("h3", {}, make("bdi", {}, data.runs[run])),
      table(`Measures of ${data.runs[run]}`, [heading("Measure", "name"), heading("Rank", "num"), heading("Mean", "num", "descending"), heading("95 % interval", "num"), heading("From the best"), heading("Bounds (unjudged)", "num"), heading("Past the end", "num", "descending")], overall)];
    if (scored()) {
      const top = Math.max(...measure().scores) / data.unit;
      const rows = data.topics.map(([id, about], topic) => {
        const all = column(topic).sort(up);
        const median = quantile(all, 0.5);
        const mine = score(run, topic);
        return make("tr", {}, name(id, toTopic(topic), topic), words(about), because(run, topic),
          make("td", { class: "strip", title: `lowest ${text(all[0])}, median ${text(median)}, best ${text(all[runs - 1])}` },
            make("i", { class: "among", "--l": percent(all[0], top), "--u": percent(all[runs - 1], top), "--m": percent(median, top), "--v": percent(mine, top) })),
          figure(mine - median, signed(mine - median)));
      });
      parts.push(make("h3", {}, `Topics by ${data.measures[state.measure]}`),
        make("p", { class: "hint" }, say("band")),
        table(`Topics of ${data.runs[run]}`, [heading("Topic", "name"), heading("Text"), heading("Score", "num", "descending"), make("th", { scope: "col", class: "strip" }, "Among all runs"), heading("Against the median", "num", "descending")], rows));
    }
    seen.replaceChildren(...parts);
  };

  // Two systems, topic by topic, with the tests.
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
    const [one, other] = [data.runs[a], data.runs[b]];
    const parts = [make("h3", {}, make("bdi", {}, one), " against ", make("bdi", {}, other))];
    if (scored()) {
      const rows = data.topics.map(([id, about], topic) => ({ id, about, topic, x: score(a, topic), y: score(b, topic) }));
      const gap = rows.reduce((sum, row) => sum + row.x - row.y, 0) / topics;
      const wins = rows.filter((row) => row.x > row.y).length;
      const losses = rows.filter((row) => row.x < row.y).length;
      const test = tested(a, b);
      const facts = [["Difference of means", signed(gap)], ["Topics won, level, lost", `${wins}, ${topics - wins - losses}, ${losses}`]];
      if (test) {
        facts.push(["95 % interval (paired t)", test.half === null ? "–" : range(gap - test.half, gap + test.half)], ["Effect size (Cohen’s d)", text(test.effect, 2)],
          ["p, paired t", chance(test.t)], ["p, permutation (Holm)", chance(test.permutation)], ["p, randomised Tukey HSD", chance(test.tukey)]);
        const known = ["t", "permutation", "tukey"].map((name) => [say(name), test[name]]).filter(([, p]) => p !== null);
        const list = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join("; ")}; and ${names.at(-1)}`);
        const apart = known.filter(([, p]) => p <= 0.05).map(([label]) => label);
        const alike = known.filter(([, p]) => p > 0.05).map(([label]) => label);
        const said = [apart.length ? say("apart", { tests: list(apart) }) : "", alike.length ? say("alike", { tests: list(alike) }) : ""];
        parts.push(make("p", { class: "verdict", "data-apart": alike.length === 0 }, said.join(" ").trim()));
      }
      parts.push(make("dl", { class: "pairs tests" }, ...facts.map(([term, value]) => make("div", {}, make("dt", {}, term), make("dd", {}, value)))));
      const widest = Math.max(1e-9, ...rows.map((row) => Math.abs(row.x - row.y)));
      rows.sort((p, q) => (q.x - q.y) - (p.x - p.y) || p.topic - q.topic);
      parts.push(table(`${one} against ${other} by topic`, [heading("Topic", "name"), heading("Text"), heading(one, "num run", "descending"), heading(other, "num run", "descending"), make("th", { scope: "col", class: "strip" }, ""), heading("Difference", "num", "descending")],
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
  const named = (names, key, word, first) => (wanted) => {
    const at = names.indexOf(wanted);
    if (wanted !== "" && at < 0) state.lost = say("lost", { word, name: wanted });
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

  // The leaderboard of one measure: its own rank, interval, whether it is told apart from the best, and bounds beside the mean.
  const board = byId("board");
  const narrow = (at) => {
    state.board = at;
    byId("choose-board").value = at ?? "";
    const one = at === null ? null : data.measure[at];
    board.classList.toggle("single", one !== null);
    for (const cell of board.querySelectorAll("[data-m]")) cell.hidden = one !== null && Number(cell.dataset.m) !== at;
    for (const cell of board.querySelectorAll(".detail")) cell.hidden = one === null;
    if (!one) return;
    for (const row of board.tBodies[0].rows) {
      const run = Number(row.dataset.run);
      const [place, interval, from, open, past] = row.querySelectorAll(".detail");
      place.textContent = place.dataset.v = one.ranks[run];
      interval.textContent = range(real(one.t_lower[run]), real(one.t_upper[run]));
      interval.dataset.v = real(one.t_lower[run]) ?? "";
      from.textContent = data.told[one.from_best[run]] ?? "–";
      from.title = group(one, run);
      open.textContent = range(real(one.lower[run]), real(one.upper[run]));
      open.dataset.v = real(one.upper[run]) ?? "";
      past.textContent = text(real(one.past_end[run]));
      past.dataset.v = real(one.past_end[run]) ?? "";
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
  // A choice elsewhere on the page is painted first: the drill-down, out of sight, has most of its elements.
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
