// What a card is worth: games are played one deal after another, until all are or somebody stops them.
import { post } from "./api.js";
import { svgOf } from "./board.js";
import { attempt, button, byId, element } from "./dom.js";

const ask = (method, params) => post(method, params, "measure");

export class Measure {
  constructor({ boxes, flush }) {
    this.flush = flush;
    this.running = 0;
    this.form(boxes);
  }

  form(boxes) {
    this.card = element("select", { id: "measured", disabled: true }, element("option", { textContent: "reading the cards …" }));
    this.bots = element("select", { "aria-label": "Who plays" },
      ...[["greedy", "greedy bots"], ["random", "players who choose evenly"]].map(([value, text]) => element("option", { value, textContent: text })));
    this.games = element("input", { type: "number", min: 2, max: 10000, value: 40, id: "games" });
    this.seed = element("input", { type: "number", min: 0, value: 0, id: "measure-seed" });
    this.go = button("Measure", () => this.run(), { id: "run", className: "main", disabled: true });
    this.stop = button("Stop", () => { this.running += 1; this.end("stopped"); }, { id: "stop", disabled: true });
    this.bar = element("progress", { id: "progress", value: 0, max: 1, "aria-label": "Games played", hidden: true });
    this.said = element("p", { id: "measured-state", role: "status" });
    this.found = element("div", { id: "found" });
    this.boxes = boxes.map((box) => element("input", { type: "checkbox", value: box, onchange: () => this.fill() }));
    byId("measure").replaceChildren(
      element("p", { className: "hint", textContent: "Games between bots, the same deals for every card: what the card pays beside the others." }),
      element("div", { className: "row" }, element("label", {}, "Card ", this.card), this.bots),
      element("div", { className: "row" }, element("label", {}, "Games ", this.games), element("label", {}, "Seed ", this.seed), this.go, this.stop),
      element("details", {}, element("summary", { textContent: "Among the cards of more boxes" }),
        element("div", { className: "row" }, ...this.boxes.map((box) => element("label", {}, box, ` ${box.value}`)))),
      this.bar, this.said, this.found);
  }

  get chosen() { return this.boxes.filter((box) => box.checked).map((box) => box.value); }

  // The cards of the rules as they are; the one that was chosen stays.
  async fill() {
    await this.flush();
    const found = await attempt(() => ask("cards", { boxes: this.chosen }));
    if (!found) return;
    const before = this.card.value;
    if (this.card.disabled) this.card.disabled = this.go.disabled = false;
    this.card.replaceChildren(...found.cards.map(({ id, title }) => element("option", { value: id, textContent: title })));
    if (found.cards.some(({ id }) => id === before)) this.card.value = before;
  }

  async run() {
    const mine = ++this.running;
    this.go.disabled = true;
    this.stop.disabled = false;
    this.said.textContent = "The rules are read.";
    await this.flush();
    const begun = await attempt(() => ask("balance", {
      card: this.card.value, bots: [this.bots.value], games: Number(this.games.value) || 0, seed: Number(this.seed.value) || 0, boxes: this.chosen,
    }));
    if (begun) await this.play(mine);
    if (mine === this.running) this.end(begun ? "done" : "");
  }

  async play(mine) {
    this.bar.hidden = false;
    let state = { done: 0, most: 1 };
    while (mine === this.running && state.done < state.most) {
      const next = await attempt(() => ask("balance_more"));
      if (!next) { this.running += 1; this.end(""); return; }
      if (mine !== this.running) return;
      state = next;
      this.show(state);
    }
  }

  show(state) {
    this.bar.max = state.most;
    this.bar.value = state.done;
    this.said.textContent = `${state.done} of ${state.most} games with each card`;
    const open = this.found.querySelector("details")?.open ?? false;
    const picture = svgOf(state.svg);
    picture.classList.add("chart");
    this.found.replaceChildren(
      ...state.sentences.map((text) => element("p", { className: "finding", textContent: text })),
      picture,
      element("details", { open }, element("summary", { textContent: "All figures" }), element("pre", { className: "log sheet", tabIndex: 0, textContent: state.text })));
  }

  end(word) {
    this.go.disabled = false;
    this.stop.disabled = true;
    if (word) this.said.textContent += `: ${word}`;
  }
}
