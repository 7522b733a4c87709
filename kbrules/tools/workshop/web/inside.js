// A game inside: its state, half-done rules, events and seed, all of one answer of the session.
import { button, element } from "./dom.js";

const rowsOf = (rows) => element("dl", {}, ...rows.flatMap(([name, value]) => [element("dt", { textContent: name }), element("dd", { textContent: value })]));

function part(title, content, open = false) {
  return element("details", { open }, element("summary", { textContent: title }), content);
}

// `force`: puts another card in the place of the one that is shown.
export function inside(view, force) {
  const { seed, state, seats, stack, events, cards } = view.inside;
  const choice = element("select", { id: "forced", "aria-label": "Card" }, ...cards.map((card) => element("option", { value: card, textContent: card })));
  const list = element("ol", { className: "log", tabIndex: 0 }, ...stack.map((text) => element("li", { textContent: text })));
  return element("details", { id: "inside" }, element("summary", { textContent: "Inside" }),
    element("div", { className: "row" }, element("label", {}, "Card shown ", choice), button("Force", () => force(choice.value), { id: "force", title: "Play as if this card had been drawn instead" })),
    rowsOf([["seed", String(seed)], ["moves", String(view.number)], ["hash", view.hash]]),
    part(`Half-done rules: ${stack.length}`, stack.length ? list : element("p", { textContent: "none" }), true),
    part("State", rowsOf(state)),
    part("Seats", rowsOf(seats)),
    part("Events, the last first", element("pre", { className: "log", tabIndex: 0, textContent: events.join("\n") || "none" })));
}
