// What if: the campaign's runs under other weights, thresholds and another persistence, computed here
// under the engine's definitions. The address holds the setting.
document.addEventListener("DOMContentLoaded", () => {
  "use strict";
  const { fathom } = window;
  const { address, make, text } = fathom;
  const room = document.getElementById("what-if");
  const said = document.getElementById("what-said");
  const judged = () => fathom.judged();
  const given = room && said ? fathom.block("judged") : null;
  if (!given) return;
  const names = given.dimensions.map((one) => one.name);
  const { runs, topics } = given;
  const numbers = fathom.block("numbers");
  const teams = new Map(numbers?.runs.map((run, at) => [run, numbers.teams[numbers.team[at]]]));

  // A dimension's labels from the worst to the best: a threshold is one of them. Without a threshold
  // the campaign's own reading stands, under the name "declared".
  const ladder = given.dimensions.map(({ label, better }) => [...new Set(label)].sort((a, b) => better * (a - b)));
  const atFirst = () => ({
    measure: given.setting.measure, p: given.setting.p,
    weight: names.map((name) => given.setting.weights[name]),
    from: given.dimensions.map((one) => one.threshold ?? "declared"),
  });
  const start = atFirst();
  let now = atFirst();
  const asAtFirst = () => JSON.stringify(now) === JSON.stringify(start);

  // [document]: the gain of a level under a reading, 0 where nobody judged.
  const worth = (dimension, from) => {
    const { label, gain, binary, better } = dimension;
    const of = label.map((value, at) => {
      if (from === "graded") return gain[at];
      if (from === "declared") return binary[at];
      return better * value >= better * from ? 1 : 0;
    });
    const table = Float64Array.of(0, 0, ...of);
    return Float64Array.from(dimension.level, (level) => table[level]);
  };
  // Rank-biased precision of every list, (1 - p) * sum of p^(k-1) g(k), for each of several gains.
  const rbp = (gains, p) => {
    const { begin, rank, document: of, depth } = judged();
    const weight = Float64Array.from({ length: depth }, (_, k) => (1 - p) * p ** k);
    return gains.map((gain) => {
      const found = new Float64Array(runs.length * topics.length);
      for (let row = 0; row < found.length; row += 1) {
        let sum = 0;
        for (let at = begin[row]; at < begin[row + 1]; at += 1) sum += weight[rank[at]] * gain[of[at]];
        found[row] = sum;
      }
      return found;
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
    const gains = dimensions.map((one, at) => worth(one, setting.from[at]));
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
    return rounded.map((mine) => 1 + rounded.filter((other) => other > mine).length);
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

  // Randomised Tukey HSD of the leader against the others, as the engine's (statistics/significance),
  // a slice at a time so that the page never stands still; the same setting gives the same answer.
  const PERMUTATIONS = 2000;
  const random = (seed) => () => { // mulberry32
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  let testing = 0;
  const test = (values, means, leader, done) => {
    const mine = (testing += 1);
    const draw = random(20160320);
    const [n, m] = [runs.length, topics.length];
    const column = new Float64Array(n);
    const largest = [];
    const slice = () => {
      if (mine !== testing) return; // the reader went on
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
        const seen = Math.abs(means[leader] - value);
        if (seen <= 1e-12) return 1;
        return (1 + largest.filter((one) => one >= seen * (1 - 1e-12)).length) / (PERMUTATIONS + 1);
      });
      done(p);
    };
    setTimeout(slice);
  };

  // What it is called, and what it says.
  const plain = (value) => String(Number(value.toFixed(4)));
  const called = ({ measure, p, weight }) => {
    const base = `RBP(p=${plain(p)})`;
    const weights = names.map((name, at) => (weight[at] ? `${name}=${plain(weight[at])}` : "")).filter(Boolean).join(", ");
    if (combine[measure]) return `${measure}(${base}, ${weights})`;
    return fathom.say(said, measure === "product" ? "product" : "alone", { base, weights, dimension: measure });
  };
  const list = (heads) => (heads.length < 4 ? heads.join(", ") : `${heads.slice(0, 3).join(", ")}, …`);
  const body = document.getElementById("what-board").tBodies[0];
  const rows = new Map([...body.rows].map((row) => [row.dataset.run, row]));
  let first = null;
  const show = () => {
    first ??= scores(atFirst());
    const all = now.weight.reduce((a, b) => a + b, 0);
    const weighed = combine[now.measure] || now.measure === "product";
    const found = weighed && all === 0 ? null : scores(now);
    room.dataset.shown = found ? called(now) : "";
    const outcome = { setting: now, found }; // the numbers before any rounding
    fathom.whatIf = outcome;
    testing += 1; // a test that still runs is of another setting
    if (!found) { said.textContent = fathom.say(said, "weightless"); return; }
    const [place, before] = [ranks(found.means), ranks(first.means)];
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
      value.textContent = text(found.means[at]);
      value.dataset.v = found.means[at];
      parts.forEach((cell, d) => { cell.textContent = text(found.parts[d][at]); cell.dataset.v = found.parts[d][at]; });
      body.append(row);
    }
    const heads = order.filter((at) => place[at] === 1);
    const once = runs.filter((_, at) => before[at] === 1);
    const sentences = (alike) => {
      const values = { runs: list(heads.map((at) => runs[at])), count: runs.length, measure: called(now), value: text(found.means[heads[0]]) };
      const parts = [];
      if (runs.length === 1) parts.push(fathom.say(said, "one", values));
      else if (heads.length === runs.length) parts.push(fathom.say(said, "level", values));
      else parts.push(fathom.say(said, heads.length > 1 ? "share" : runs.length === 2 ? "two" : runs.length <= 3 ? "few" : "leads", values));
      if (alike !== null && runs.length === 2) parts.push(fathom.say(said, alike ? "otherNear" : "otherApart"));
      else if (alike !== null) parts.push(fathom.say(said, alike === 0 ? "apart" : alike === 1 ? "near" : "alike", { alike }));
      const same = once.length === heads.length && heads.every((at) => before[at] === 1);
      if (!same) parts.push(fathom.say(said, runs.length <= 3 ? "otherwiseFew" : "otherwise", { runs: list(once) }));
      const tau = runs.length > 3 && !asAtFirst() ? tauB(place, before) : null;
      if (tau !== null) parts.push(fathom.say(said, "tau", { tau: text(tau, 3) }));
      const { depth, longest } = judged();
      const cut = now.p ** depth;
      if (depth < longest) parts.push(fathom.say(said, "cut", { depth, most: cut.toFixed(Math.min(9, Math.ceil(-Math.log10(cut)))).replace(/^0\.0+$/, "0.000000001") }));
      return parts.join(" ");
    };
    said.textContent = sentences(null);
    if (runs.length > 1 && topics.length > 1 && heads.length < runs.length) {
      test(found.values, found.means, heads[0], (p) => {
        said.textContent = sentences(runs.filter((_, at) => place[at] !== 1 && p[at] > given.alpha).length);
        room.dataset.tested = room.dataset.shown;
        outcome.p = p;
      });
    }
  };

  // The sliders.
  const persistence = document.getElementById("what-p");
  const choice = document.getElementById("what-measure");
  const weights = [...room.querySelectorAll("[data-weight]")];
  const thresholds = [...room.querySelectorAll("[data-from]")];
  const graded = [...room.querySelectorAll("[data-graded]")];
  const told = (control, value) => { control.parentElement.querySelector("output").textContent = value; };
  const set = () => {
    choice.value = now.measure;
    persistence.value = now.p;
    told(persistence, plain(now.p));
    const weighed = Boolean(combine[now.measure]) || now.measure === "product";
    weights.forEach((control, at) => { control.value = now.weight[at]; control.disabled = !weighed; told(control, plain(now.weight[at])); });
    thresholds.forEach((control, at) => {
      const from = now.from[at];
      const step = typeof from === "number" ? ladder[at].indexOf(from) : -1;
      control.disabled = from === "graded";
      if (step >= 0) control.value = step;
      const shown = typeof from === "number" ? fathom.say(said, "fromLabel", { label: plain(from) }) : fathom.say(said, from === "graded" ? "asGraded" : "asDeclared");
      told(control, shown);
      control.setAttribute("aria-valuetext", shown);
      graded[at].checked = from === "graded";
    });
  };
  let asked = false;
  const soon = () => {
    set();
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; show(); });
  };
  const slides = (control, change) => {
    control.addEventListener("input", () => { change(); soon(); });
    control.addEventListener("change", () => address.moved()); // where the reader let go
  };
  const chosen = (control, change) => control.addEventListener("change", () => { change(); soon(); address.moved(); });
  slides(persistence, () => { now.p = Number(persistence.value); });
  weights.forEach((control, at) => slides(control, () => { now.weight[at] = Number(control.value); }));
  thresholds.forEach((control, at) => slides(control, () => { now.from[at] = ladder[at][Number(control.value)]; }));
  chosen(choice, () => { now.measure = choice.value; });
  graded.forEach((control, at) => chosen(control, () => { now.from[at] = control.checked ? "graded" : start.from[at]; }));
  document.getElementById("what-again").addEventListener("click", () => { now = atFirst(); soon(); address.moved(); });

  // The setting in the address: only what is not as at first.
  const number = (wanted, low, high, otherwise) => {
    const value = wanted === "" ? NaN : Number(wanted);
    return value >= low && value <= high ? value : otherwise;
  };
  address.join("what", () => (now.measure === start.measure ? "" : now.measure), (wanted) => {
    now.measure = [...choice.options].some((one) => one.value === wanted) ? wanted : start.measure;
  });
  address.join("p", () => (now.p === start.p ? "" : plain(now.p)), (wanted) => { now.p = number(wanted, 0.01, 0.99, start.p); });
  names.forEach((name, at) => {
    address.join(`weight ${name}`, () => (now.weight[at] === start.weight[at] ? "" : plain(now.weight[at])), (wanted) => {
      now.weight[at] = number(wanted, 0, 1000, start.weight[at]);
    });
    address.join(`from ${name}`, () => (now.from[at] === start.from[at] ? "" : String(now.from[at])), (wanted) => {
      now.from[at] = wanted === "graded" ? wanted : wanted !== "" && ladder[at].includes(Number(wanted)) ? Number(wanted) : start.from[at];
    });
  });
  let open = false;
  const opened = fathom.near(room, () => { open = true; show(); });
  address.after(() => {
    set();
    if (!asAtFirst()) opened();
    if (open) soon();
  });
  set();
});
