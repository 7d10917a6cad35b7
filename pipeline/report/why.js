// Why this score: the documents of one list, or of two side by side, and what each adds to the score.
document.addEventListener("DOMContentLoaded", () => {
  "use strict";
  const { fathom } = window;
  const { address, make, table, text } = fathom;
  const room = document.getElementById("why");
  const numbers = fathom.block("numbers");
  if (!room || !numbers) return;
  const said = document.getElementById("why-said");
  const say = (sentence, values) => fathom.say(said, sentence, values);
  const choose = Object.fromEntries(["run", "topic", "measure", "against"].map((key) => [key, document.getElementById(`why-${key}`)]));
  const first = Object.fromEntries(Object.entries(choose).map(([key, select]) => [key, select.value]));
  const topicNames = numbers.topics.map(([id]) => id);
  const signed = (value) => (value > 0 ? `+${text(value)}` : text(value));

  // The judged documents of a list with what each adds, within the ranks that are told one by one.
  const list = (run, topic, name) => {
    const judged = fathom.judged();
    const row = judged.runs.indexOf(run) * judged.topics.length + judged.topics.indexOf(topic);
    const { gain, added, weight, base } = judged.parts(name);
    const found = new Map();
    for (let at = judged.begin[row]; at < judged.begin[row + 1]; at += 1) {
      if (judged.rank[at] >= judged.explained) break;
      const document_ = judged.document[at];
      found.set(document_, { rank: judged.rank[at] + 1, gain: gain[document_], weight: weight(row, at), adds: added[at] });
    }
    return { found, base: base(row), sum: [...found.values()].reduce((sum, one) => sum + one.adds, 0) };
  };
  const score = (run, topic, name) => {
    const scores = numbers.measure[numbers.measures.indexOf(name)].scores;
    return scores ? scores[numbers.runs.indexOf(run) * numbers.topics.length + topicNames.indexOf(topic)] / numbers.unit : null;
  };
  const labels = (document_) => fathom.judged().dimensions.map((one) => {
    const level = one.level[document_];
    return level < 2 ? null : one.label[level - 2];
  });

  const cell = (value, shown = text(value)) => make("td", { class: "num", "data-v": value ?? "" }, value === null ? "–" : shown);
  const head = (label, kind = "num", order = null) => make(
    "th", { scope: "col", class: kind, "data-first": order }, make("button", { type: "button" }, label));
  const short = (value) => String(Number(value.toFixed(4)));
  const named = (document_) => {
    const name = fathom.judged().documents[document_];
    return make("th", { scope: "row", class: "name", title: name }, make("bdi", {}, name));
  };
  const labelled = (document_) => labels(document_).map((label) => cell(label, label === null ? "" : short(label)));

  const show = () => {
    const [run, topic, name, against] = ["run", "topic", "measure", "against"].map((key) => choose[key].value);
    const judged = fathom.judged();
    const dimensions = judged.dimensions.map((one) => head(one.name));
    const mine = list(run, topic, name);
    const value = score(run, topic, name);
    const depth = judged.explained;
    const rest = (left) => (Math.abs(left) >= 0.5 / numbers.unit ? say("rest", { depth, sum: signed(left) }) : "");
    const place = document.getElementById("why-list");
    if (!against || against === run) {
      const rows = [...mine.found].map(([document_, one]) => make("tr", {},
        cell(one.rank, String(one.rank)), named(document_), ...labelled(document_),
        cell(one.gain, short(one.gain)), cell(one.weight), cell(one.adds)));
      said.textContent = rows.length ? say("alone", {
        run, value: text(value), measure: name, count: say(rows.length === 1 ? "document" : "documents", { count: rows.length }), sum: text(mine.sum),
        rest: `${mine.base ? say("base", { base: text(mine.base) }) : ""}${value === null ? "" : rest(value - mine.base - mine.sum)}`,
      }) : say("none", { run, topic, depth });
      place.replaceChildren(...(rows.length ? [table(`${name} of ${run} on ${topic}`,
        [head(say("rank")), head(say("documentHead"), "name"), ...dimensions, head(say("gain")), head(say("weight"), "num", "descending"), head(say("adds"), "num", "descending")], rows)] : []));
    } else {
      const theirs = list(against, topic, name);
      const other = score(against, topic, name);
      const either = [...new Set([...mine.found.keys(), ...theirs.found.keys()])].map((document_) => {
        const [a, b] = [mine.found.get(document_), theirs.found.get(document_)];
        return { document_, a, b, difference: (a?.adds ?? 0) - (b?.adds ?? 0) };
      });
      const all = either.filter(({ a, b }) => a?.adds || b?.adds);
      const order = (one) => (one.a ?? one.b).rank;
      all.sort((x, y) => Math.abs(y.difference) - Math.abs(x.difference) || order(x) - order(y));
      const most = Math.max(...all.map((one) => Math.abs(one.difference)), 1e-9);
      const rows = all.map(({ document_, a, b, difference }) => make("tr", {},
        named(document_), ...labelled(document_), cell((a ?? b).gain, short((a ?? b).gain)),
        cell(a?.rank ?? null, String(a?.rank)), cell(a?.adds ?? null), cell(b?.rank ?? null, String(b?.rank)), cell(b?.adds ?? null),
        cell(difference, signed(difference)),
        make("td", { class: "strip" }, make("i", { class: difference < 0 ? "gap behind" : "gap", "--w": `${((50 * Math.abs(difference)) / most).toFixed(1)}%` }))));
      const gap = mine.sum - theirs.sum;
      said.textContent = say("beside", {
        run, other: against, measure: name, value: text(value), second: text(other), difference: value === null ? "–" : signed(value - other), sum: signed(gap),
        rest: value === null ? "" : rest(value - other - gap),
      }) + (either.length > all.length ? ` ${say("nothing", { count: say(either.length - all.length === 1 ? "document" : "documents", { count: either.length - all.length }) })}` : "");
      place.replaceChildren(table(`${name} of ${run} and ${against} on ${topic}`, [
        head(say("documentHead"), "name"), ...dimensions, head(say("gain")),
        head(say("rankIn", { run })), head(say("addsIn", { run }), "num", "descending"),
        head(say("rankIn", { run: against })), head(say("addsIn", { run: against }), "num", "descending"),
        head(say("differenceHead"), "num", "descending"), make("th", { scope: "col", class: "strip" }, "")], rows));
    }
    room.dataset.shown = [run, topic, name, against].join("\n");
  };

  // Names in the address: the run, the topic, the measure and the other run.
  const key = { run: "why", topic: "why-topic", measure: "why-measure", against: "why-against" };
  for (const [part, select] of Object.entries(choose)) {
    address.join(key[part], () => (select.value === first[part] ? "" : select.value), (wanted) => {
      select.value = wanted || first[part];
      if (select.selectedIndex < 0) select.value = first[part];
    });
    select.addEventListener("change", () => { show(); address.moved(); });
  }
  let open = false;
  const opened = fathom.near(room, () => { open = true; show(); });
  address.after(() => {
    if (Object.entries(choose).some(([part, select]) => select.value !== first[part])) opened();
    if (open) show();
  });
});
