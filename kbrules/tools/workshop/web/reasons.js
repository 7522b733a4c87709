// Why a move is legal or not: the answer in words, and clauses, each a way to its place in the editor.
import { button, element } from "./dom.js";

// `visit`: puts the cursor at a place of a file.
export function reasons(answer, visit) {
  const rows = answer.clauses.map((each) => element("li", { className: each.speaks },
    element("span", { className: "sentence", textContent: each.sentence ? `“${each.sentence}” (${each.rule})` : each.rule }), " ",
    each.path ? button(each.text, () => visit(each), { className: "link clause", title: `${each.at}: go there` }) : element("code", { textContent: each.text, title: each.at })));
  return element("div", { className: "answer", id: "answer" },
    rows.length ? element("ul", { className: "clauses" }, ...rows) : null,
    element("pre", { tabIndex: 0, textContent: answer.text }));
}
