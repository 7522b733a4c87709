// The colours of rule files, by the table of patterns that every editor uses.
import { StreamLanguage, tags } from "./vendor/codemirror.js";

const STYLES = {
  comment: tags.comment, declaration: tags.definitionKeyword, declared: tags.className,
  keyword: tags.keyword, truth: tags.bool, number: tags.number, text: tags.string,
  drawing: tags.monospace, sort: tags.typeName, verb: tags.function(tags.variableName),
  word: tags.standard(tags.variableName), name: tags.variableName, sign: tags.operator,
  wrong: tags.invalid,
};

const compiled = (rows) =>
  rows.map(([pattern, ...kinds]) => ({ pattern: new RegExp(pattern, "yd"), kinds }));

function matched(rules, text, at) {
  for (const rule of rules) {
    rule.pattern.lastIndex = at;
    const found = rule.pattern.exec(text);
    if (found && found[0]) return { rule, found };
  }
  return null;
}

// The kind of each part of one line; `depth` parentheses are open before it.
export function tokensOf(table, text, depth = 0) {
  const parts = [];
  const opening = new RegExp(table.opening, "y");
  const closing = new RegExp(table.closing, "y");
  for (let at = 0; at < text.length; ) {
    closing.lastIndex = opening.lastIndex = at;
    const closed = depth > 0 ? closing.exec(text) : null;
    if (closed) {
      depth -= 1;
      if (!closed[0]) { depth = 0; continue; }
      parts.push([closed[0], "sign"]);
      at += closed[0].length;
    } else if (opening.test(text)) {
      parts.push([text[at], "sign"]);
      depth += 1;
      at += 1;
    } else {
      const { rule, found } = matched(depth ? table.inside : table.outside, text, at) ?? {};
      if (!rule) { parts.push([text[at], "wrong"]); at += 1; continue; }
      const pieces = rule.kinds.length > 1 ? found.slice(1) : [found[0]];
      pieces.forEach((piece, index) => piece && parts.push([piece, rule.kinds[index]]));
      at += found[0].length;
    }
  }
  return { parts, depth };
}

export function ready(table) {
  return { ...table, outside: compiled(table.outside), inside: compiled(table.inside) };
}

export function ruleLanguage(given) {
  const table = ready(given);
  return StreamLanguage.define({
    startState: () => ({ depth: 0, parts: [] }),
    copyState: (state) => ({ depth: state.depth, parts: [...state.parts] }),
    token(stream, state) {
      if (stream.sol()) {
        const line = tokensOf(table, stream.string, state.depth);
        state.parts = line.parts;
        state.depth = line.depth;
      }
      const [text, kind] = state.parts.shift() ?? [" ", "blank"];
      stream.pos = Math.min(stream.string.length, stream.pos + text.length);
      return kind === "blank" ? null : kind;
    },
    tokenTable: STYLES,
    languageData: { commentTokens: { line: "#" } },
  });
}
