// What the language service knows, in the editor: the page of the word under the pointer, and proposals.
import { post } from "./api.js";
import { element } from "./dom.js";
import { markdown } from "./markdown.js";
import { autocompletion, hoverTooltip, snippet } from "./vendor/codemirror.js";

const TYPES = { word: "function", step: "method", keyword: "keyword", sort: "type", event: "constant", variable: "variable", declared: "class", thing: "enum", hex: "constant", key: "property", value: "constant", snippet: "text" };
const WORD = /[\w.]*$/;

// `flush` hands over what was typed; `path` names the file.
export function languageSupport({ path, flush }) {
  const quietly = async (method, at) => {
    try {
      await flush();
      return await post(method, { path: path(), at });
    } catch { return null; }
  };
  const hover = hoverTooltip(async (view, at) => {
    const found = await quietly("hover", at);
    if (!found?.markdown) return null;
    return { pos: found.from, end: found.to, above: true, create: () => ({ dom: element("div", { className: "hover" }, markdown(found.markdown)) }) };
  });
  const complete = async (context) => {
    if (!context.explicit && !context.matchBefore(/\w+$/)) return null;
    const found = await quietly("complete", context.pos);
    if (!found?.proposals?.length || context.aborted) return null;
    return { from: found.from, to: found.to, options: found.proposals.map(option), validFor: WORD };
  };
  return [hover, autocompletion({ override: [complete], activateOnTypingDelay: 60, icons: false })];
}

function option({ label, kind, text, detail, markdown: page }, rank) {
  return {
    label, type: TYPES[kind], detail, boost: -Math.min(rank, 99),
    apply: text.includes("${") ? snippet(text) : text,
    info: page ? () => markdown(page) : undefined,
  };
}
