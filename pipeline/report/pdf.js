// A chart as PDF, drawn in the browser, for pages without figure files. Vega draws on an object with the
// methods of a canvas that writes PDF instead. The font is Helvetica, which every PDF reader has.
(() => {
  "use strict";
  const { fathom } = window;
  // Thousandths of the size, of the characters from the space to the tilde (Adobe's font metrics).
  const widths = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
  ];
  const wide = (text, size) => [...text].reduce((sum, letter) => sum + (widths[letter.charCodeAt(0) - 32] ?? 556), 0) * size / 1000;
  const plain = (text) => [...text.replaceAll("−", "-").replaceAll("…", "...")].map((letter) => (letter.charCodeAt(0) < 256 ? letter : "?")).join("");
  const n = (value) => String(Math.round(value * 1000) / 1000);
  const all = (...values) => values.map(n).join(" ");

  // Colours as a canvas parses them, from 0 to 1.
  const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const parts = (colour) => {
    probe.clearRect(0, 0, 1, 1);
    probe.fillStyle = colour;
    probe.fillRect(0, 0, 1, 1);
    return [...probe.getImageData(0, 0, 1, 1).data].map((part) => part / 255);
  };

  class Paper {
    constructor(height, ground) {
      Object.assign(this, { fillStyle: "#000", strokeStyle: "#000", lineWidth: 1, lineCap: "butt", lineJoin: "miter", globalAlpha: 1, font: "12px x", textAlign: "left", lineDashOffset: 0, dash: [], path: [], saved: [], alphas: new Set() });
      this.out = [`1 0 0 -1 0 ${n(height)} cm`];
      this.fillStyle = ground;
      this.fillRect(0, 0, 1e4, 1e4);
    }
    save() {
      const { out, path, saved, alphas, ...state } = this;
      this.saved.push(state);
      this.out.push("q");
    }
    restore() {
      Object.assign(this, this.saved.pop());
      this.out.push("Q");
    }
    transform(...matrix) { this.out.push(`${all(...matrix)} cm`); }
    translate(x, y) { this.transform(1, 0, 0, 1, x, y); }
    scale(x, y) { this.transform(x, 0, 0, y, 0, 0); }
    rotate(angle) { this.transform(Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), 0, 0); }
    setLineDash(dash) { this.dash = [...dash]; }
    beginPath() { this.path = []; }
    moveTo(x, y) { this.path.push(`${all(x, y)} m`); }
    lineTo(x, y) { this.path.push(`${all(x, y)} ${this.path.length ? "l" : "m"}`); }
    bezierCurveTo(...points) { this.path.push(`${all(...points)} c`); }
    rect(...box) { this.path.push(`${all(...box)} re`); }
    closePath() { this.path.push("h"); }
    arc(x, y, r, from, to) { // in pieces of at most a quarter, each a curve
      const pieces = Math.max(1, Math.ceil(Math.abs(to - from) / (Math.PI / 2) - 1e-9));
      const step = (to - from) / pieces;
      const reach = (4 / 3) * Math.tan(step / 4) * r;
      const at = (angle) => [x + r * Math.cos(angle), y + r * Math.sin(angle)];
      this.lineTo(...at(from));
      for (let piece = 0; piece < pieces; piece += 1) {
        const [a, b] = [from + piece * step, from + (piece + 1) * step];
        const [[ax, ay], [bx, by]] = [at(a), at(b)];
        this.bezierCurveTo(ax - reach * Math.sin(a), ay + reach * Math.cos(a), bx + reach * Math.sin(b), by - reach * Math.cos(b), bx, by);
      }
    }
    paint(style, operator, colour, path) {
      const [red, green, blue, alpha] = parts(style);
      const percent = Math.round(100 * alpha * this.globalAlpha);
      if (!percent) return;
      this.alphas.add(percent);
      this.out.push("q", `/A${percent} gs`, `${all(red, green, blue)} ${colour}`, ...path, operator, "Q");
    }
    fill() { this.paint(this.fillStyle, "f", "rg", this.path); }
    fillRect(...box) { this.paint(this.fillStyle, "f", "rg", [`${all(...box)} re`]); }
    stroke() {
      const kind = (names, name) => Math.max(0, names.indexOf(name));
      const line = `${n(this.lineWidth)} w ${kind(["butt", "round", "square"], this.lineCap)} J ${kind(["miter", "round", "bevel"], this.lineJoin)} j [${all(...this.dash)}] ${n(this.lineDashOffset)} d`;
      this.paint(this.strokeStyle, "S", "RG", [line, ...this.path]);
    }
    clip() { this.out.push(...this.path, "W n"); }
    fillText(label, x, y) {
      const text = plain(label);
      const size = Number(/([\d.]+)px/.exec(this.font)?.[1] ?? 12);
      const part = { right: 1, end: 1, center: 0.5 }[this.textAlign] ?? 0;
      const escaped = text.replace(/[\\()]/g, "\\$&");
      this.paint(this.fillStyle, "ET", "rg", [`1 0 0 -1 ${all(x - part * wide(text, size), y)} cm BT /F ${n(size)} Tf (${escaped}) Tj`]);
    }
    // A PDF needs no halo around letters, and nothing is erased from a new sheet.
    strokeText() {}
    clearRect() {}
  }

  const assembled = (width, height, { out, alphas }) => {
    const drawing = out.join("\n");
    const states = [...alphas].map((percent) => `/A${percent} << /ca ${percent / 100} /CA ${percent / 100} >>`).join(" ");
    const objects = [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${all(width, height)}] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> /ExtGState << ${states} >> >> >>`,
      `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ];
    let text = "%PDF-1.4\n";
    const places = objects.map((object, at) => {
      const place = text.length;
      text += `${at + 1} 0 obj\n${object}\nendobj\n`;
      return `${String(place).padStart(10, "0")} 00000 n \n`;
    });
    const table = text.length;
    text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join("")}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`;
    return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  };

  fathom.pdf = async (view) => {
    const svg = new DOMParser().parseFromString(await view.toSVG(), "image/svg+xml").documentElement;
    const [width, height] = ["width", "height"].map((side) => Number(svg.getAttribute(side)));
    const ground = getComputedStyle(document.documentElement).getPropertyValue("--ground").trim();
    const paper = new Paper(height, ground);
    await view.toCanvas(1, { externalContext: paper });
    return assembled(width, height, paper);
  };
})();
