// Why this score: the documents of one ranking, or of two side by side, and the contribution of each to the score.
document.addEventListener("DOMContentLoaded", () => {
  "use strict";
  const { fathom } = window;
  const { address, make, table, text } = fathom;
  const section = document.getElementById("why");
  const numbers = fathom.block("numbers");
  if (!section || !numbers) return;
  const verdict = document.getElementById("why-verdict");
  const say = (sentence, values) => fathom.say(verdict, sentence, values);
  const choose = Object.fromEntries(["run", "topic", "measure", "against"].map((key) => [key, document.getElementById(`why-${key}`)]));
  const first = Object.fromEntries(Object.entries(choose).map(([key, select]) => [key, select.value]));
  const topicNames = numbers.topics.map(([id]) => id);
  const signed = (value) => (value > 0 ? `+${text(value)}` : text(value));

  // The judged documents of a ranking with their contributions, within the explained ranks.
  const list = (run, topic, name) => {
    const judged = fathom.judged();
    const row = judged.runs.indexOf(run) * judged.topics.length + judged.topics.indexOf(topic);
    const { gain, added, weight, base } = judged.parts(name);
    const documents = new Map();
    for (let at = judged.begin[row]; at < judged.begin[row + 1]; at += 1) {
      if (judged.rank[at] >= judged.explained) break;
      const document_ = judged.document[at];
      documents.set(document_, { rank: judged.rank[at] + 1, gain: gain[document_], weight: weight(row, at), adds: added[at] });
    }
    return { documents, base: base(row), sum: [...documents.values()].reduce((sum, document_) => sum + document_.adds, 0) };
  };
  const score = (run, topic, name) => {
    const scores = numbers.measure[numbers.measures.indexOf(name)].scores;
    return scores ? scores[numbers.runs.indexOf(run) * numbers.topics.length + topicNames.indexOf(topic)] / numbers.unit : null;
  };
  const labels = (document_) => fathom.judged().dimensions.map((dimension) => {
    const level = dimension.level[document_];
    return level < 2 ? null : dimension.label[level - 2];
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
    const dimensions = judged.dimensions.map((dimension) => head(dimension.name));
    const ranking = list(run, topic, name);
    const value = score(run, topic, name);
    const depth = judged.explained;
    const rest = (left) => (Math.abs(left) >= 0.5 / numbers.unit ? say("rest", { depth, sum: signed(left) }) : "");
    const place = document.getElementById("why-list");
    if (!against || against === run) {
      const rows = [...ranking.documents].map(([document_, entry]) => make("tr", {},
        cell(entry.rank, String(entry.rank)), named(document_), ...labelled(document_),
        cell(entry.gain, short(entry.gain)), cell(entry.weight), cell(entry.adds)));
      verdict.textContent = rows.length ? say("alone", {
        run, value: text(value), measure: name, count: say(rows.length === 1 ? "document" : "documents", { count: rows.length }), sum: text(ranking.sum),
        rest: `${ranking.base ? say("base", { base: text(ranking.base) }) : ""}${value === null ? "" : rest(value - ranking.base - ranking.sum)}`,
      }) : say("none", { run, topic, depth });
      place.replaceChildren(...(rows.length ? [table(`${name} of ${run} on ${topic}`,
        [head(say("rank")), head(say("documentHead"), "name"), ...dimensions, head(say("gain")), head(say("weight"), "num", "descending"), head(say("adds"), "num", "descending")], rows)] : []));
    } else {
      const rival = list(against, topic, name);
      const other = score(against, topic, name);
      const either = [...new Set([...ranking.documents.keys(), ...rival.documents.keys()])].map((document_) => {
        const [a, b] = [ranking.documents.get(document_), rival.documents.get(document_)];
        return { document_, a, b, difference: (a?.adds ?? 0) - (b?.adds ?? 0) };
      });
      const all = either.filter(({ a, b }) => a?.adds || b?.adds);
      const order = (entry) => (entry.a ?? entry.b).rank;
      all.sort((x, y) => Math.abs(y.difference) - Math.abs(x.difference) || order(x) - order(y));
      const most = Math.max(...all.map((entry) => Math.abs(entry.difference)), 1e-9);
      const rows = all.map(({ document_, a, b, difference }) => make("tr", {},
        named(document_), ...labelled(document_), cell((a ?? b).gain, short((a ?? b).gain)),
        cell(a?.rank ?? null, String(a?.rank)), cell(a?.adds ?? null), cell(b?.rank ?? null, String(b?.rank)), cell(b?.adds ?? null),
        cell(difference, signed(difference)),
        make("td", { class: "strip" }, make("i", { class: difference < 0 ? "gap behind" : "gap", "--w": `${((50 * Math.abs(difference)) / most).toFixed(1)}%` }))));
      const gap = ranking.sum - rival.sum;
      verdict.textContent = say("beside", {
        run, other: against, measure: name, value: text(value), second: text(other), difference: value === null ? "–" : signed(value - other), sum: signed(gap),
        rest: value === null ? "" : rest(value - other - gap),
      }) + (either.length > all.length ? ` ${say("nothing", { count: say(either.length - all.length === 1 ? "document" : "documents", { count: either.length - all.length }) })}` : "");
      place.replaceChildren(table(`${name} of ${run} and ${against} on ${topic}`, [
        head(say("documentHead"), "name"), ...dimensions, head(say("gain")),
        head(say("rankIn", { run })), head(say("addsIn", { run }), "num", "descending"),
        head(say("rankIn", { run: against })), head(say("addsIn", { run: against }), "num", "descending"),
        head(say("differenceHead"), "num", "descending"), make("th", { scope: "col", class: "strip" }, "")], rows));
    }
    section.dataset.shown = [run, topic, name, against].join("\n");
  };

  // Keys in the address: the run, the topic, the measure and the other run.
  const key = { run: "why", topic: "why-topic", measure: "why-measure", against: "why-against" };
  for (const [part, select] of Object.entries(choose)) {
    address.join(key[part], () => (select.value === first[part] ? "" : select.value), (value) => {
      select.value = value || first[part];
      if (select.selectedIndex < 0) select.value = first[part];
    });
    select.addEventListener("change", () => { show(); address.moved(); });
  }
  let open = false;
  const opened = fathom.near(section, () => { open = true; show(); });
  address.after(() => {
    if (Object.entries(choose).some(([part, select]) => select.value !== first[part])) opened();
    if (open) show();
  });
});
