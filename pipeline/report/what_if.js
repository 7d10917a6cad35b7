// What if: the runs of the campaign under other weights, thresholds and another persistence, computed here
// with Fathom's definitions. The address has the setting.
document.addEventListener("DOMContentLoaded", () => {
  "use strict";
  const { fathom } = window;
  const { address, make, text } = fathom;
  const section = document.getElementById("what-if");
  const verdict = document.getElementById("what-verdict");
  const judged = () => fathom.judged();
  const campaign = section && verdict ? fathom.block("judged") : null;
  if (!campaign) return;
  const names = campaign.dimensions.map((dimension) => dimension.name);
  const { runs, topics } = campaign;
  const numbers = fathom.block("numbers");
  const teams = new Map(numbers?.runs.map((run, at) => [run, numbers.teams[numbers.team[at]]]));

  // The labels of a dimension from the worst to the best: a threshold is one of them. Without a threshold
  // the binary gains of the campaign are used, under the name "declared".
  const ladder = campaign.dimensions.map(({ label, better }) => [...new Set(label)].sort((a, b) => better * (a - b)));
  const initial = () => ({
    measure: campaign.setting.measure, p: campaign.setting.p,
    weight: names.map((name) => campaign.setting.weights[name]),
    from: campaign.dimensions.map((dimension) => dimension.threshold ?? "declared"),
  });
  const start = initial();
  let now = initial();
  const isInitial = () => JSON.stringify(now) === JSON.stringify(start);

  // [document]: its gain under a threshold or gain mapping, 0 if unjudged.
  const gainsOf = (dimension, from) => {
    const { label, gain, binary, better } = dimension;
    const of = label.map((value, at) => {
      if (from === "graded") return gain[at];
      if (from === "declared") return binary[at];
      return better * value >= better * from ? 1 : 0;
    });
    const table = Float64Array.of(0, 0, ...of);
    return Float64Array.from(dimension.level, (level) => table[level]);
  };
  // Rank-biased precision of every ranking, (1 - p) * sum of p^(k-1) g(k), for each of several gains.
  const rbp = (gains, p) => {
    const { begin, rank, document: of, depth } = judged();
    const weight = Float64Array.from({ length: depth }, (_, k) => (1 - p) * p ** k);
    return gains.map((gain) => {
      const values = new Float64Array(runs.length * topics.length);
      for (let row = 0; row < values.length; row += 1) {
        let sum = 0;
        for (let at = begin[row]; at < begin[row + 1]; at += 1) sum += weight[rank[at]] * gain[of[at]];
        values[row] = sum;
      }
      return values;
    });
  };
  const combine = {
    H: (parts, weight) => {
      let [total, inverse] = [0, 0];
      for (let at = 0; at < parts.length; at += 1) {
        if (weight[at] > 0) { total += weight[at]; inverse += weight[at] / parts[at]; } // a part of 0 makes it 0
      }
      return total / inverse;
    },
    CAM: (parts, weight) => parts.reduce((sum, part, at) => sum + weight[at] * part, 0) / weight.reduce((a, b) => a + b, 0),
  };
  const mean = (values) => runs.map((_, run) => {
    let sum = 0;
    for (let topic = 0; topic < topics.length; topic += 1) sum += values[run * topics.length + topic];
    return sum / topics.length;
  });
  // Scores by row under a setting, and the means of its dimensions alone.
  const scores = (setting) => {
    const { dimensions } = judged();
    const gains = dimensions.map((dimension, at) => gainsOf(dimension, setting.from[at]));
    const parts = rbp(gains, setting.p);
    const { measure, weight } = setting;
    let values;
    if (combine[measure]) {
      const here = new Array(parts.length);
      values = Float64Array.from(parts[0], (_, row) => {
        for (let at = 0; at < parts.length; at += 1) here[at] = parts[at][row];
        return combine[measure](here, weight);
      });
    } else if (measure === "product") {
      const mixed = gains[0].map((_, document_) => gains.reduce((all, gain, at) => all * gain[document_] ** weight[at], 1));
      [values] = rbp([mixed], setting.p);
    } else values = parts[names.indexOf(measure)];
    return { values, means: mean(values), parts: parts.map(mean) };
  };
  const ranks = (means) => {
    const rounded = means.map((value) => Number(value.toFixed(12)));
    return rounded.map((value) => 1 + rounded.filter((other) => other > value).length);
  };
  const tauB = (x, y) => {
    let [agree, tiesX, tiesY, pairs] = [0, 0, 0, 0];
    for (let i = 0; i < x.length; i += 1) {
      for (let j = 0; j < i; j += 1) {
        const [a, b] = [Math.sign(x[i] - x[j]), Math.sign(y[i] - y[j])];
        agree += a * b; pairs += 1; tiesX += a === 0; tiesY += b === 0;
      }
    }
    const below = Math.sqrt((pairs - tiesX) * (pairs - tiesY));
    return below ? agree / below : null;
  };

  // Randomised Tukey HSD of the leader against the others, as in statistics/significance, in slices so that
  // the page stays responsive; the same setting gives the same result.
  const PERMUTATIONS = 2000;
  const random = (seed) => () => { // mulberry32
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  let testing = 0;
  const test = (values, means, leader, done) => {
    const number = (testing += 1);
    const draw = random(20160320);
    const [n, m] = [runs.length, topics.length];
    const column = new Float64Array(n);
    const largest = [];
    const slice = () => {
      if (number !== testing) return; // the setting has changed
      const until = performance.now() + 25;
      while (largest.length < PERMUTATIONS && performance.now() < until) {
        const sums = new Float64Array(n);
        for (let topic = 0; topic < m; topic += 1) {
          for (let run = 0; run < n; run += 1) column[run] = values[run * m + topic];
          for (let left = n; left > 0; left -= 1) {
            const at = Math.floor(draw() * left);
            sums[left - 1] += column[at];
            column[at] = column[left - 1];
          }
        }
        let [low, high] = [Infinity, -Infinity];
        for (const sum of sums) { if (sum < low) low = sum; if (sum > high) high = sum; }
        largest.push((high - low) / m);
      }
      if (largest.length < PERMUTATIONS) { setTimeout(slice); return; }
      const p = means.map((value) => {
        const difference = Math.abs(means[leader] - value);
        if (difference <= 1e-12) return 1;
        return (1 + largest.filter((range) => range >= difference * (1 - 1e-12)).length) / (PERMUTATIONS + 1);
      });
      done(p);
    };
    setTimeout(slice);
  };

  // The name of the measure, and the text.
  const plain = (value) => String(Number(value.toFixed(4)));
  const measureName = ({ measure, p, weight }) => {
    const base = `RBP(p=${plain(p)})`;
    const weights = names.map((name, at) => (weight[at] ? `${name}=${plain(weight[at])}` : "")).filter(Boolean).join(", ");
    if (combine[measure]) return `${measure}(${base}, ${weights})`;
    return fathom.say(verdict, measure === "product" ? "product" : "alone", { base, weights, dimension: measure });
  };
  const list = (heads) => (heads.length < 4 ? heads.join(", ") : `${heads.slice(0, 3).join(", ")}, …`);
  const body = document.getElementById("what-board").tBodies[0];
  const rows = new Map([...body.rows].map((row) => [row.dataset.run, row]));
  let first = null;
  const show = () => {
    first ??= scores(initial());
    const all = now.weight.reduce((a, b) => a + b, 0);
    const weighed = combine[now.measure] || now.measure === "product";
    const results = weighed && all === 0 ? null : scores(now);
    section.dataset.shown = results ? measureName(now) : "";
    const outcome = { setting: now, results }; // the numbers before rounding
    fathom.whatIf = outcome;
    testing += 1; // cancels a running test of another setting
    if (!results) { verdict.textContent = fathom.say(verdict, "weightless"); return; }
    const [place, before] = [ranks(results.means), ranks(first.means)];
    const order = runs.map((_, at) => at).sort((a, b) => place[a] - place[b] || a - b);
    for (const at of order) {
      const row = rows.get(runs[at]);
      if (!row) continue;
      const [rank, moved, , , value, ...parts] = row.cells;
      rank.textContent = rank.dataset.v = place[at];
      const climb = before[at] - place[at];
      moved.dataset.v = climb;
      moved.className = `num ${climb > 0 ? "up" : climb < 0 ? "down" : ""}`;
      moved.textContent = climb > 0 ? `▲ ${climb}` : climb < 0 ? `▼ ${-climb}` : "";
      value.textContent = text(results.means[at]);
      value.dataset.v = results.means[at];
      parts.forEach((cell, d) => { cell.textContent = text(results.parts[d][at]); cell.dataset.v = results.parts[d][at]; });
      body.append(row);
    }
    const heads = order.filter((at) => place[at] === 1);
    const once = runs.filter((_, at) => before[at] === 1);
    const sentences = (similar) => {
      const values = { runs: list(heads.map((at) => runs[at])), count: runs.length, measure: measureName(now), value: text(results.means[heads[0]]) };
      const parts = [];
      if (runs.length === 1) parts.push(fathom.say(verdict, "one", values));
      else if (heads.length === runs.length) parts.push(fathom.say(verdict, "level", values));
      else parts.push(fathom.say(verdict, heads.length > 1 ? "share" : runs.length === 2 ? "two" : runs.length <= 3 ? "few" : "leads", values));
      if (similar !== null && runs.length === 2) parts.push(fathom.say(verdict, similar ? "otherSimilar" : "otherDifferent"));
      else if (similar !== null) parts.push(fathom.say(verdict, similar === 0 ? "different" : similar === 1 ? "similarOne" : "similar", { similar }));
      const same = once.length === heads.length && heads.every((at) => before[at] === 1);
      if (!same) parts.push(fathom.say(verdict, runs.length <= 3 ? "otherwiseFew" : "otherwise", { runs: list(once) }));
      const tau = runs.length > 3 && !isInitial() ? tauB(place, before) : null;
      if (tau !== null) parts.push(fathom.say(verdict, "tau", { tau: text(tau, 3) }));
      const { depth, longest } = judged();
      const cut = now.p ** depth;
      if (depth < longest) parts.push(fathom.say(verdict, "cut", { depth, most: cut.toFixed(Math.min(9, Math.ceil(-Math.log10(cut)))).replace(/^0\.0+$/, "0.000000001") }));
      return parts.join(" ");
    };
    verdict.textContent = sentences(null);
    if (runs.length > 1 && topics.length > 1 && heads.length < runs.length) {
      test(results.values, results.means, heads[0], (p) => {
        verdict.textContent = sentences(runs.filter((_, at) => place[at] !== 1 && p[at] > campaign.alpha).length);
        section.dataset.tested = section.dataset.shown;
        outcome.p = p;
      });
    }
  };

  // The sliders.
  const persistence = document.getElementById("what-p");
  const choice = document.getElementById("what-measure");
  const weights = [...section.querySelectorAll("[data-weight]")];
  const thresholds = [...section.querySelectorAll("[data-from]")];
  const graded = [...section.querySelectorAll("[data-graded]")];
  const display = (control, value) => { control.parentElement.querySelector("output").textContent = value; };
  const set = () => {
    choice.value = now.measure;
    persistence.value = now.p;
    display(persistence, plain(now.p));
    const weighed = Boolean(combine[now.measure]) || now.measure === "product";
    weights.forEach((control, at) => { control.value = now.weight[at]; control.disabled = !weighed; display(control, plain(now.weight[at])); });
    thresholds.forEach((control, at) => {
      const from = now.from[at];
      const step = typeof from === "number" ? ladder[at].indexOf(from) : -1;
      control.disabled = from === "graded";
      if (step >= 0) control.value = step;
      const shown = typeof from === "number" ? fathom.say(verdict, "fromLabel", { label: plain(from) }) : fathom.say(verdict, from === "graded" ? "asGraded" : "asDeclared");
      display(control, shown);
      control.setAttribute("aria-valuetext", shown);
      graded[at].checked = from === "graded";
    });
  };
  let scheduled = false;
  const soon = () => {
    set();
    if (scheduled) return;
    scheduled = true;
    requestAnimationFrame(() => { scheduled = false; show(); });
  };
  const slides = (control, change) => {
    control.addEventListener("input", () => { change(); soon(); });
    control.addEventListener("change", () => address.moved()); // when the reader releases the slider
  };
  const chosen = (control, change) => control.addEventListener("change", () => { change(); soon(); address.moved(); });
  slides(persistence, () => { now.p = Number(persistence.value); });
  weights.forEach((control, at) => slides(control, () => { now.weight[at] = Number(control.value); }));
  thresholds.forEach((control, at) => slides(control, () => { now.from[at] = ladder[at][Number(control.value)]; }));
  chosen(choice, () => { now.measure = choice.value; });
  graded.forEach((control, at) => chosen(control, () => { now.from[at] = control.checked ? "graded" : start.from[at]; }));
  document.getElementById("what-again").addEventListener("click", () => { now = initial(); soon(); address.moved(); });

  // The setting in the address: only what differs from the initial one.
  const number = (text_, low, high, otherwise) => {
    const value = text_ === "" ? NaN : Number(text_);
    return value >= low && value <= high ? value : otherwise;
  };
  address.join("what", () => (now.measure === start.measure ? "" : now.measure), (value) => {
    now.measure = [...choice.options].some((option) => option.value === value) ? value : start.measure;
  });
  address.join("p", () => (now.p === start.p ? "" : plain(now.p)), (value) => { now.p = number(value, 0.01, 0.99, start.p); });
  names.forEach((name, at) => {
    address.join(`weight ${name}`, () => (now.weight[at] === start.weight[at] ? "" : plain(now.weight[at])), (value) => {
      now.weight[at] = number(value, 0, 1000, start.weight[at]);
    });
    address.join(`from ${name}`, () => (now.from[at] === start.from[at] ? "" : String(now.from[at])), (value) => {
      now.from[at] = value === "graded" ? value : value !== "" && ladder[at].includes(Number(value)) ? Number(value) : start.from[at];
    });
  });
  let open = false;
  const opened = fathom.near(section, () => { open = true; show(); });
  address.after(() => {
    set();
    if (!isInitial()) opened();
    if (open) soon();
  });
  set();
});
