// The search: MiniSearch looks through the rows of INDEX (see search_index.py), all words must be found.
"use strict";
const MOST = 30;
const NAMED = ["title", "kind", "about"];
const NEAR = { fuzzy: (word) => word.length > 3 && 0.25 };
const field = document.getElementById("search");
const results = document.getElementById("found");
const statusLine = document.getElementById("said");

// An index is made when it is first needed: that of whole texts takes the longest.
const indexes = new Map();
function index(fields) {
  if (!indexes.has(fields.length)) {
    const searchOptions = { combineWith: "AND", prefix: true, boost: { title: 8, about: 2 } };
    const storeFields = ["title", "kind", "to"];
    const made = new MiniSearch({ fields, storeFields, searchOptions });
    made.addAll(INDEX.map(([title, kind, to, about, text], id) => ({ id, title, kind, to, about, text })));
    indexes.set(fields.length, made);
  }
  return indexes.get(fields.length);
}

// Names and wordings come first; if they have nothing, whole texts, then what is spelt nearly so.
function lookUp(words) {
  const named = index(NAMED).search(words);
  if (named.length) return [named, []];
  const whole = index([...NAMED, "text"]);
  const exact = whole.search(words);
  const known = new Set(exact.map(({ id }) => id));
  const near = index(NAMED).search(words, NEAR).filter(({ id }) => !known.has(id));
  return [exact, exact.length || near.length ? near : whole.search(words, NEAR)];
}

function resultItem({ title, kind, to }) {
  const link = document.createElement("a");
  link.href = field.dataset.root + to;
  link.textContent = title;
  const row = document.createElement("li");
  row.append(link, kind ? ` (${kind})` : "");
  return row;
}

function summary(exact, near) {
  const count = exact.length + near.length;
  const more = count > MOST ? `, the first ${MOST} are shown` : "";
  return `${count} found${near.length ? `, ${near.length} spelt nearly so` : ""}${more}`;
}

function search() {
  const words = field.value.trim();
  const [exact, near] = words ? lookUp(words) : [[], []];
  const rows = [...exact, ...near];
  results.replaceChildren(...rows.slice(0, MOST).map(resultItem));
  results.hidden = rows.length === 0;
  statusLine.textContent = words ? summary(exact, near) : "";
}

// The arrows go from the field through what was found and back; Escape leads back at once.
function moveFocus(event) {
  const places = [field, ...results.querySelectorAll("a")];
  const at = places.indexOf(document.activeElement);
  const by = { ArrowDown: 1, ArrowUp: -1, Escape: -at }[event.key];
  if (at < 0 || by === undefined || (at === 0 && by <= 0)) return;
  event.preventDefault();
  places[Math.min(at + by, places.length - 1)].focus();
}

function focusField(event) {
  const isTyping = event.target.matches("input, textarea, select");
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  field.focus();
}

field.addEventListener("input", search);
field.addEventListener("focus", () => index(NAMED), { once: true });
field.form.addEventListener("keydown", moveFocus);
document.addEventListener("keydown", focusField);
field.form.addEventListener("submit", (event) => {
  event.preventDefault();
  const first = results.querySelector("a");
  if (first) location.href = first.href;
});
field.form.hidden = false;
