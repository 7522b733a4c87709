// A game by the rules as they are typed: one answer of the session is all that is shown.
import { post as request } from "./api.js";
import { board, choosable, focusHex, hexesOf, markLegal } from "./board.js";
import { attempt, button, byId, element, tell } from "./dom.js";
import { inside } from "./inside.js";
import { reasons } from "./reasons.js";

const HOVER = 150; // ms that the pointer rests
const post = (method, params) => request(method, params, "play");

export class Play {
  constructor({ boxes, flush, visit }) {
    this.boxes = boxes;
    this.flush = flush;
    this.visit = visit;
    this.view = null;
    this.group = 0;
    this.answer = null;
    this.draw();
  }

  // What answers for games begins before somebody plays.
  ready() { if (!this.view) post("view").catch(() => {}); }

  async ask(method, params = {}) {
    const view = await attempt(async () => { await this.flush(); return post(method, params); });
    if (!view) return;
    this.view = view;
    this.group = 0;
    this.answer = null;
    if (view.stopped) tell(`by these rules the game ends at move ${view.stopped.number}: ${view.stopped.move}`, true);
    this.draw();
  }

  draw() {
    const focused = document.activeElement?.dataset?.hex;
    const parts = this.view ? [this.state(), this.table(), this.offers(), this.answered(), this.players(), this.story(), this.inner()] : [];
    byId("play").replaceChildren(this.controls(), ...parts.filter(Boolean));
    const svg = document.querySelector("#play svg.board");
    if (svg && focused) focusHex(svg, focused);
  }

  controls() {
    const view = this.view;
    this.form ??= this.setup();
    this.form.open = !view;
    const row = element("div", { className: "row" },
      button("Undo", () => this.ask("undo"), { disabled: !view?.can_undo }),
      button("Redo", () => this.ask("redo"), { disabled: !view?.can_redo }),
      button("Apply rules", () => this.ask("reload"), { disabled: !view, title: "Go on by the rules as they are now" }),
      button("Save log", () => this.save(), { disabled: !view }),
      button("Share", () => this.share(), { disabled: !view }),
      button("Zoom", () => { this.large = !this.large; this.draw(); }, { disabled: !view, "aria-pressed": String(Boolean(this.large)) }));
    return element("div", {}, this.form, row);
  }

  setup() {
    const seats = element("select", { id: "seats", "aria-label": "Players" },
      ...[["human,greedy", "you and a bot"], ["human,mc", "you and a bot that thinks longer"], ["human,human", "two people"], ["human,greedy,greedy", "you and two bots"], ["greedy,greedy", "two bots"]]
        .map(([value, text]) => element("option", { value, textContent: text })));
    const seed = element("input", { id: "seed", type: "number", min: 0, value: 1, "aria-label": "Seed" });
    const cards = element("input", { id: "cards", placeholder: "cards, by id", "aria-label": "Cards on the table" });
    const boxes = element("details", {}, element("summary", { textContent: "More boxes" }),
      element("div", { className: "row", id: "boxes" }, ...this.boxes.map((box) => element("label", {}, element("input", { type: "checkbox", value: box }), ` ${box}`))));
    const log = element("input", { type: "file", accept: ".kblog", onchange: (event) => { this.load(event.target.files[0]); event.target.value = ""; } });
    return element("details", { open: true }, element("summary", { textContent: "New game" }),
      element("div", { className: "row" }, seats, element("label", {}, "Seed ", seed), cards), boxes,
      element("div", { className: "row" }, button("Play", () => this.begin(), { id: "new-game" }), element("label", {}, "or load ", log)));
  }

  begin() {
    const boxes = [...document.querySelectorAll("#boxes input:checked")].map((each) => each.value);
    const cards = byId("cards").value.split(/[\s,]+/).filter(Boolean);
    return this.ask("new_game", { boxes, cards, bots: byId("seats").value.split(","), seed: Number(byId("seed").value) || 0 });
  }

  state() {
    const { over, player, shown, number } = this.view;
    const text = over ? "The game is over." : `${player} decides${shown.length ? `, card ${shown.join(", ")}` : ""}.`;
    return element("p", { id: "turn", role: "status", textContent: `${text} ${number} moves were made.` });
  }

  table() {
    const svg = board(this.view.svg);
    const offered = this.view.offered[this.group];
    if (offered) markLegal(svg, offered.hexes);
    const legal = new Map(this.view.offered.flatMap((each) => each.hexes.map((hex) => [hex, each.title])).reverse());
    for (const hex of hexesOf(svg))
      if (legal.has(hex.dataset.hex)) hex.querySelector("title").textContent += `, by ${legal.get(hex.dataset.hex)}`;
    choosable(svg, (hex) => this.chose(hex));
    this.tellSentences(svg);
    return element("div", {}, element("div", { className: this.large ? "scroll large" : "scroll" }, svg),
      element("p", { id: "allowed", className: "hint", textContent: "Point at a hex: the sentence that allows it shows here." }));
  }

  // The pointer or the focus on a legal hex shows the sentences that allow it.
  tellSentences(svg) {
    const look = (event) => {
      const hex = event.target.closest?.("[data-hex]")?.dataset.hex;
      clearTimeout(this.looking);
      this.looking = setTimeout(() => this.allowed(hex), HOVER);
    };
    svg.addEventListener("pointerover", look);
    svg.addEventListener("focusin", look);
  }

  async allowed(hex) {
    const offered = this.view.offered[this.group];
    const line = byId("allowed");
    if (!line || hex === undefined) return;
    if (!offered?.hexes.includes(hex)) { line.textContent = `${hex}: click for the reason why not`; return; }
    const number = this.view.number;
    const answer = await post("why", { question: `${offered.text} ${hex}` }).catch(() => null);
    if (!answer || this.view.number !== number || !byId("allowed")) return;
    const sentences = [...new Set(answer.clauses.filter((each) => each.speaks === "for" && each.sentence).map((each) => `“${each.sentence}” (${each.rule})`))];
    byId("allowed").textContent = `${hex}: ${sentences.join(" ") || "legal"}`;
  }

  chose(hex) {
    const offered = this.view.offered[this.group];
    if (offered?.hexes.includes(hex)) return this.ask("move", { text: `${offered.text} ${hex}` });
    return this.why(`why not ${hex}`);
  }

  async why(question) {
    const answer = await attempt(() => post("why", { question }));
    if (!answer) return;
    this.answer = answer;
    this.draw();
  }

  answered() {
    return this.answer && reasons(this.answer, this.visit);
  }

  offers() {
    const choices = this.view.offered.map((each, index) => {
      const text = each.hexes.length ? `${each.title}: ${each.verb} (${each.hexes.length})` : `${each.title || ""} ${each.verb}`.trim() + (each.verb === "end" ? " the turn" : "");
      const act = each.hexes.length ? () => { this.group = index; this.draw(); } : () => this.ask("move", { text: each.text });
      return button(text, act, { "aria-pressed": each.hexes.length ? String(index === this.group) : null, title: each.text });
    });
    for (const each of choices) if (each.getAttribute("aria-pressed") === "null") each.removeAttribute("aria-pressed");
    return element("div", { className: "row", id: "offers" }, ...choices);
  }

  players() {
    const rows = this.view.players.map(({ name, bot, total }) =>
      button(`${name} (${bot}): ${total}`, () => this.why(`why ${name}`), { title: "why these points" }));
    return element("div", {}, element("div", { className: "row", id: "totals" }, ...rows),
      element("p", { textContent: `Cards: ${this.view.cards.map((card) => card.title).join(", ")}` }),
      element("pre", { className: "log sheet", tabIndex: 0, textContent: this.view.sheet }),
      this.view.holdings && element("pre", { className: "log", textContent: this.view.holdings }));
  }

  story() {
    return element("details", { open: true }, element("summary", { textContent: "What happened" }),
      element("pre", { className: "log", tabIndex: 0, textContent: this.view.turns.slice(-8).join("\n") || "nothing yet" }));
  }

  inner() {
    const open = byId("inside")?.open ?? false;
    const made = inside(this.view, (card) => this.ask("force", { card }));
    made.open = open;
    return made;
  }

  async save() {
    const log = await attempt(() => post("log"));
    if (!log) return;
    const link = element("a", { download: "game.kblog", href: URL.createObjectURL(new Blob([log.text], { type: "application/json" })) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  async load(file) {
    if (!file) return;
    if (file.size > 4e6) { tell("that is too large for a log of a game", true); return; }
    await this.ask("load", { text: await file.text() });
  }

  async share() {
    const shared = await attempt(() => post("share"));
    if (!shared) return;
    history.replaceState(null, "", `#game=${shared.fragment}`);
    tell("the address of this page now holds the game");
  }
}
