// Downloads: every table as a copy or CSV, every chart as SVG, PNG, PDF or its data (copied, or as CSV), and
// links to the files for papers. The menus are in the flow of the page, so that nothing clips them.
document.addEventListener("DOMContentLoaded", () => {
  "use strict";
  const { fathom } = window;
  const files = fathom.block("figure-files") ?? [];
  const tables = fathom.block("table-files") ?? [];
  const linkTo = (href, textContent) => Object.assign(document.createElement("a"), { href, textContent });
  // The tables for papers with the numbers of an element: data-paper has their names.
  const forPaper = (place) => (place.dataset.paper ?? "").split(" ").filter((name) => tables.includes(name))
    .flatMap((name) => [linkTo(`tables/${name}.tex`, `LaTeX of ${name}`), linkTo(`tables/${name}.csv`, `CSV of ${name}`)]);

  const save = (name, address) => {
    const link = Object.assign(document.createElement("a"), { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
  };
  const saveAs = (name, content, type) => {
    const address = URL.createObjectURL(new Blob([content], { type }));
    save(name, address);
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  };
  const saveText = (name, text) => saveAs(name, text, "text/csv");
  // A spreadsheet would execute a cell with such a first character; numbers may begin with a minus.
  const guarded = (text) => (/^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text);
  const csv = (rows) => rows.map((row) => row.map((cell) => {
    const text = guarded(String(cell ?? ""));
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  }).join(",")).join("\n") + "\n";

  const cellText = (cell) => {
    if (cell.dataset.name) return cell.dataset.name; // the page shows a short name
    if (cell.classList.contains("doc") && cell.children.length) return [...cell.children].map((child) => child.textContent).join(" "); // labels of a document
    const value = cell.dataset.v;
    return cell.classList.contains("num") && value !== undefined ? value : cell.textContent.trim().replace(/\s+/g, " ");
  };
  const rowsOf = (table) => [...table.rows].filter((row) => !row.hidden)
    .map((row) => [...row.cells].filter((cell) => !cell.hidden).map(cellText));
  const copy = async (text) => {
    try { await navigator.clipboard.writeText(text); return true; } catch { /* use the older interface */ }
    const area = Object.assign(document.createElement("textarea"), { value: text });
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  };

  // A button that copies rows, and a status.
  const copying = (rows) => {
    const status = Object.assign(document.createElement("span"), { className: "status" });
    status.setAttribute("role", "status");
    return [button("Copy", async () => {
      const plain = (cell) => String(cell ?? "").replace(/\s+/g, " "); // a name may contain a tab or a line break
      const done = await copy(rows().map((row) => row.map(plain).join("\t")).join("\n"));
      status.textContent = done ? "copied" : "the browser does not allow copying";
    }), status];
  };

  const button = (label, act) => {
    const element = Object.assign(document.createElement("button"), { type: "button", textContent: label });
    element.addEventListener("click", act);
    return element;
  };
  const menu = (about, parts) => {
    const details = document.createElement("details");
    details.className = "take";
    const summary = document.createElement("summary");
    summary.textContent = "Download";
    summary.setAttribute("aria-label", `Download: ${about}`);
    details.append(summary, ...parts);
    return details;
  };
  const slug = (text) => text.replace(/[^A-Za-z0-9.@=+-]+/g, "_").replace(/^_|_$/g, "") || "table";

  // The menu of a table in this element; scripts that build tables later call it, too.
  fathom.downloads = (place) => {
    const table = place.querySelector("table");
    const about = place.getAttribute("aria-label") ?? "table";
    const [copies, status] = copying(() => rowsOf(table));
    return menu(about, [
      copies,
      button("CSV", () => saveText(`${slug(about)}.csv`, csv(rowsOf(table)))),
      ...forPaper(place),
      status,
    ]);
  };
  for (const place of document.querySelectorAll("main .table")) place.after(fathom.downloads(place));

  for (const place of document.querySelectorAll("[data-chart]")) {
    const name = place.dataset.chart;
    const image = (kind) => async () => save(`${name}.${kind}`, await (await fathom.view(place)).toImageURL(kind, kind === "png" ? 2 : 1));
    const numbers = () => {
      const rows = fathom.values(name);
      const heads = [...new Set(rows.flatMap((row) => Object.keys(row)))];
      return [heads, ...rows.map((row) => heads.map((head) => row[head]))];
    };
    const [copies, status] = copying(numbers);
    const parts = [copies, button("CSV", () => saveText(`${name}.csv`, csv(numbers()))), button("SVG", image("svg")), button("PNG", image("png"))];
    if (files.includes(name)) {
      parts.push(linkTo(`figures/${name}.pdf`, "PDF"), linkTo(`figures/${name}.svg`, "SVG for papers"));
    } else if (fathom.pdf) {
      parts.push(button("PDF", async () => saveAs(`${name}.pdf`, await fathom.pdf(await fathom.view(place)), "application/pdf")));
    }
    parts.push(...forPaper(place), status);
    const zoom = document.querySelector(`[data-zoom="${CSS.escape(name)}"]`);
    (zoom ?? place.closest(".scroll") ?? place).after(menu(place.getAttribute("aria-label") ?? name, parts));
  }
});
