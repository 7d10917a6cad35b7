// The judged documents of every ranking (packed by judged.py), unpacked when a section needs them.
(() => {
  "use strict";
  const { fathom } = window;
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const numbers = (text, most) => {
    const array = bytes(text);
    return most <= 2 ** 8 ? array : most <= 2 ** 16 ? new Uint16Array(array.buffer) : new Uint32Array(array.buffer);
  };
  const varints = (text) => {
    const packed = bytes(text);
    let at = 0;
    return () => {
      let value = 0;
      for (let shift = 1; ; shift *= 128) {
        const byte = packed[at++];
        value += (byte & 127) * shift;
        if (byte < 128) return value;
      }
    };
  };

  let known;
  fathom.judged = () => {
    if (known !== undefined) return known;
    const data = { ...fathom.block("judged"), ...fathom.block("judged-lists") };
    if (!data.lists) return (known = null);
    const [runs, topics] = [data.runs.length, data.topics.length];
    const starts = [0]; // the number of each topic's first document
    for (const names of data.documents) starts.push(starts.at(-1) + names.length);
    const next = varints(data.lists);
    const begin = new Uint32Array(runs * topics + 1); // where a row (run x topic) begins
    const [rank, document_] = [[], []];
    for (let row = 0; row < runs * topics; row += 1) {
      begin[row] = rank.length;
      let at = -1;
      for (let left = next(); left > 0; left -= 1) {
        at += next() + 1;
        rank.push(at);
        document_.push(starts[row % topics] + next());
      }
    }
    begin[runs * topics] = rank.length;
    const dimensions = data.dimensions.map((dimension, at) => ({ ...dimension, level: numbers(data.levels[at], dimension.label.length + 2) }));
    const gains = data.gains.map(({ values, of }) => {
      const place = numbers(of, values.length);
      return Float64Array.from(place, (at) => values[at]);
    });
    known = {
      ...data, begin, starts, dimensions, gains, rank: Uint32Array.from(rank), document: Uint32Array.from(document_), documents: data.documents.flat(),
      // The contribution of each document of a ranking to a measure that is a sum, within the explained ranks.
      parts: (name) => parts(known, name),
    };
    return known;
  };

  // [entry]: the gain of each entry times the weight of its rank, or its contribution as Fathom computed it.
  const kept = new Map();
  const parts = (judged, name) => {
    const measure = judged.measures[name];
    if (!measure) return null;
    if (kept.has(name)) return kept.get(name);
    const { begin, rank, document: of, topics } = judged;
    const gain = judged.gains[measure.gain];
    const added = new Float64Array(rank.length);
    const next = measure.parts === undefined ? null : varints(measure.parts);
    for (let row = 0; row < begin.length - 1; row += 1) {
      const factor = next ? 1 : measure.factor[measure.factor.length === topics.length ? row % topics.length : row];
      for (let at = begin[row]; at < begin[row + 1]; at += 1) {
        const worth = gain[of[at]];
        if (next) added[at] = rank[at] < measure.to && worth > 0 ? next() / judged.unit : 0;
        else added[at] = (measure.weights[rank[at]] ?? 0) * factor * worth;
      }
    }
    const weight = (row, at) => {
      if (next) return gain[of[at]] > 0 ? added[at] / gain[of[at]] : null;
      return (measure.weights[rank[at]] ?? 0) * measure.factor[measure.factor.length === topics.length ? row % topics.length : row];
    };
    const base = (row) => (measure.base ? measure.base[measure.base.length === topics.length ? row % topics.length : row] : 0);
    const contributions = { gain, added, weight, base };
    kept.set(name, contributions);
    return contributions;
  };
})();
