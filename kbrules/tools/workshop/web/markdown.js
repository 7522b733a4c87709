// A page of a word: headings, paragraphs, code and lists of Markdown as elements. All else stays text.
import { element } from "./dom.js";

const PARTS = /(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)\s]+\))/;

function words(text) {
  return text.split(PARTS).filter(Boolean).map((part) => {
    if (part.length > 2 && part[0] === "`") return element("code", { textContent: part.slice(1, -1) });
    if (part.startsWith("**") && part.length > 4) return element("strong", { textContent: part.slice(2, -2) });
    if (PARTS.test(part) && part[0] === "[") return part.slice(1, part.indexOf("]"));
    return part;
  });
}

function block(lines) {
  const heading = lines[0].match(/^#{1,6} (.*)/);
  if (heading) return [element("h3", {}, ...words(heading[1])), ...(lines.length > 1 ? [block(lines.slice(1))].flat() : [])];
  if (lines.every((line) => /^[-*] /.test(line))) return [element("ul", {}, ...lines.map((line) => element("li", {}, ...words(line.slice(2)))))];
  return [element("p", {}, ...words(lines.join(" ")))];
}

export function markdown(text) {
  const made = element("div", { className: "page" });
  text.split(/^```[^\n]*\n?/m).forEach((part, index) => {
    if (index % 2) made.append(element("pre", { textContent: part.replace(/\n$/, "") }));
    else for (const each of part.split(/\n\s*\n/).filter((it) => it.trim())) made.append(...block(each.trim().split("\n")));
  });
  return made;
}
