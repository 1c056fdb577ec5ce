"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const body = document.querySelector("#findings tbody");
  const rows = Array.from(body.rows);
  const form = byId("filter");
  const boxes = Array.from(document.querySelectorAll(".by-severity"));
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const number = new Intl.Collator("en", { numeric: true });

  const filter = () => {
    const severities = new Set(boxes.filter((b) => b.checked).map((b) => b.value));
    const file = byId("by-file").value;
    const check = byId("by-check").value;
    const words = byId("by-text").value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    rows.forEach((row, i) => {
      const fits = severities.has(row.dataset.severity)
        && (!file || row.dataset.file === file)
        && (!check || row.dataset.check === check)
        && words.every((word) => texts[i].includes(word));
      row.hidden = !fits;
      count += fits;
    });
    byId("count").textContent = `${count} of ${rows.length} shown`;
  };
  // Moved in the document, but `rows` stays in the order of `texts`.
  const sort = (key, up) => {
    const sorted = rows.slice().sort((a, b) => {
      const order = number.compare(a.dataset[key], b.dataset[key]);
      return (up ? order : -order) || a.dataset.n - b.dataset.n;
    });
    body.append(...sorted);
  };
  for (const head of document.querySelectorAll("th[data-key]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const was = head.getAttribute("aria-sort");
      const first = head.dataset.key === "rank" ? "descending" : "ascending";
      const next = was ? (was === "ascending" ? "descending" : "ascending") : first;
      for (const other of document.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", next);
      sort(head.dataset.key, next === "ascending");
    });
  }
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filter));
  if (rows.length) form.hidden = false;

  // A link to a check's text opens it.
  const open = () => {
    const target = location.hash && byId(decodeURIComponent(location.hash.slice(1)));
    if (target && target.tagName === "DETAILS") target.open = true;
  };
  addEventListener("hashchange", open);
  document.addEventListener("click", (event) => {
    if (event.target.closest("a")) setTimeout(open);
  });

  if (navigator.clipboard) {
    for (const button of document.querySelectorAll(".copy")) {
      button.hidden = false;
      button.addEventListener("click", () => {
        navigator.clipboard.writeText(button.previousElementSibling.textContent).then(
          () => { button.textContent = "Copied"; },
          () => { button.textContent = "Select it and press Ctrl+C"; },
        );
      });
    }
  }

  const step = (by) => {
    const shown = Array.from(body.rows).filter((row) => !row.hidden);
    if (!shown.length) return;
    const here = shown.indexOf(document.activeElement.closest("tbody tr"));
    const next = shown[Math.max(0, Math.min(shown.length - 1, here < 0 ? 0 : here + by))];
    next.tabIndex = -1;
    next.focus();
    next.scrollIntoView({ block: "center" });
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "checkbox") {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (event.key === "/") { byId("by-text").focus(); event.preventDefault(); }
    if (event.key === "j") step(1);
    if (event.key === "k") step(-1);
  });

  const root = document.documentElement;
  const theme = byId("theme");
  theme.hidden = false;
  const dark = () => root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  const tell = () => theme.setAttribute("aria-pressed", String(dark()));
  theme.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; tell(); });
  tell();
  filter();
})();
