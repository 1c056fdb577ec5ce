// What is wrong with the page for some of those who use it; each function gives a list of complaints.
({
  /** Controls that are seen and have no name. */
  nameless() {
    const all = "button, input, select, textarea, summary, progress, dialog, [tabindex], [role=tab]";
    const labelled = (e) => (e.getAttribute("aria-labelledby") ?? "").split(" ")
      .some((id) => document.getElementById(id)?.textContent.trim());
    const worded = (e) => ["BUTTON", "SUMMARY"].includes(e.tagName) && e.textContent.trim();
    return [...document.querySelectorAll(all)]
      .filter((e) => e.checkVisibility())
      .filter((e) => !(e.getAttribute("aria-label")?.trim() || labelled(e) || worded(e)
        || [...(e.labels ?? [])].some((label) => label.textContent.trim())))
      .map((e) => e.outerHTML.slice(0, 120));
  },

  /** Colour [r, g, b, alpha] of what a style says. */
  parse(colour) {
    const m = colour.match(/[\d.]+/g).map(Number);
    return [m[0], m[1], m[2], m[3] ?? 1];
  },

  /** Contrast of two colours, as WCAG 2 has it. */
  contrast(one, other) {
    const part = (v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
    const light = (c) => 0.2126 * part(c[0]) + 0.7152 * part(c[1]) + 0.0722 * part(c[2]);
    const [a, b] = [light(one), light(other)].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  },

  /** One colour laid over another. */
  over: (a, b) => [0, 1, 2].map((k) => a[k] * a[3] + b[k] * (1 - a[3])).concat(1),

  /** Colour behind the words of an element. */
  ground(e) {
    const layers = [];
    for (; e; e = e.parentElement) {
      const colour = this.parse(getComputedStyle(e).backgroundColor);
      layers.unshift(colour);
      if (colour[3] === 1) break;
    }
    return layers.reduce((low, colour) => this.over(colour, low), [255, 255, 255, 1]);
  },

  /** Words that stand out from what lies behind them by less than WCAG AA asks. */
  faint() {
    const out = [];
    for (const e of document.querySelectorAll("body *")) {
      const texts = [...e.childNodes].filter((n) => n.nodeType === 3);
      const words = texts.map((n) => n.textContent.trim()).join("");
      const valued = ["INPUT", "SELECT"].includes(e.tagName) && !["checkbox", "radio"].includes(e.type);
      if (!words && !valued) continue;
      if (e.matches(":disabled") || !e.checkVisibility()) continue;
      if (e.closest("script, noscript, option")) continue;
      const style = getComputedStyle(e), ground = this.ground(e), ink = this.parse(style.color);
      for (let p = e; p; p = p.parentElement) ink[3] *= Number(getComputedStyle(p).opacity);
      const ratio = this.contrast(this.over(ink, ground), ground);
      const size = parseFloat(style.fontSize);
      const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (ratio < (large ? 3 : 4.5)) out.push(`${ratio.toFixed(2)} ${e.tagName}.${e.className} ${words}`);
    }
    return out;
  },

  /** Fields whose edge hardly shows. */
  edgeless() {
    return [...document.querySelectorAll("select, input:not([type=checkbox]):not([type=radio])")]
      .filter((e) => e.checkVisibility() && !e.matches(":disabled"))
      .filter((e) => {
        const style = getComputedStyle(e);
        return this.contrast(this.parse(style.borderTopColor), this.parse(style.backgroundColor)) < 3;
      })
      .map((e) => e.id);
  },

  /** Everything. */
  all() { return [...this.nameless(), ...this.faint(), ...this.edgeless()]; },
})
