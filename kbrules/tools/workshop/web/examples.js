// The examples of the declaration at the cursor: drawn, run, and changed by the mouse.
import { post } from "./api.js";
import { board, choosable, focusHex } from "./board.js";
import { carry } from "./drag.js";
import { attempt, button, byId, element, tell } from "./dom.js";

export class Examples {
  constructor({ path, at, draw, go }) {
    this.now = { path, at, draw, go };
    this.sign = "";
    this.open = false;
    this.number = 0;
    this.focus = null;
  }

  async show() {
    const number = ++this.number;
    const path = this.now.path();
    const answer = await attempt(() => post("near", { path, at: this.now.at() }));
    if (!answer || number !== this.number) return;
    const parts = answer.examples.map((each) => this.example(each));
    const none = element("p", { textContent: "Put the cursor on a card, tile or rule with an example, or on a scenario: it is drawn and run here." });
    byId("examples").replaceChildren(...(parts.length ? parts : [none]));
    if (this.focus) {
      const svg = document.querySelector(`[data-example="${this.focus.example}"] svg.board`);
      if (svg) focusHex(svg, this.focus.hex);
      this.focus = null;
    }
  }

  example(each) {
    const made = element("article", { className: "example", "data-example": each.from });
    made.append(element("h2", {}, button(each.title, () => this.now.go(each.from), { className: "link" })));
    if (each.svg) made.append(this.drawn(each));
    if (each.palette.length) made.append(this.palette(each));
    made.append(element("p", { className: each.holds ? "good" : "error", textContent: `${each.holds ? "✓" : "✗"} ${each.says}` }));
    if (each.found) made.append(element("pre", { textContent: each.found, tabIndex: 0 }));
    return made;
  }

  drawn(each) {
    const svg = board(each.svg);
    if (!each.palette.length) return svg;
    svg.classList.add("drawable");
    choosable(svg, (hex) => this.put(each, { hex, sign: this.sign }));
    svg.addEventListener("pointerdown", (event) => {
      const origin = event.target.closest("[data-hex]")?.dataset.hex;
      if (origin) carry(event, origin, (to) => this.drop(each, to, { origin }));
    });
    return svg;
  }

  palette(each) {
    const choices = each.palette.map(({ sign, title }) =>
      button(sign, () => this.choose(sign), {
        title, "aria-label": `draw ${title}`, "aria-pressed": String(sign === this.sign), "data-sign": sign,
        onpointerdown: (event) => carry(event, sign, (to) => this.drop(each, to, { sign })),
      }));
    return element("details", { open: this.sign !== "" || this.open, ontoggle: (event) => { this.open = event.target.open; } },
      element("summary", { textContent: "Draw" }),
      element("p", { className: "hint", textContent: "Carry a sign to a hex, or from hex to hex; or choose a sign, then hexes." }),
      element("div", { className: "palette" }, ...choices));
  }

  // Only the picture of the same example takes what is carried.
  drop(each, to, put) {
    if (to.closest(`[data-example="${each.from}"]`)) this.put(each, { hex: to.dataset.hex, ...put });
  }

  choose(sign) {
    this.sign = this.sign === sign ? "" : sign;
    for (const each of document.querySelectorAll("[data-sign]"))
      each.setAttribute("aria-pressed", String(each.dataset.sign === this.sign));
  }

  async put(each, put) {
    if (!put.sign && !put.origin) { tell("choose what to draw first"); return; }
    this.focus = { example: each.from, hex: put.hex };
    await attempt(() => this.now.draw({ example: each.from, ...put }));
  }
}
