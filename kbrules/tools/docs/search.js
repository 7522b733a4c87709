// The search: MiniSearch looks through the rows of INDEX (see search_index.py), all words must be found.
// Both are loaded when the field is first entered.
"use strict";
const MOST = 30;
const NAMED = ["title", "kind", "about"];
const NEAR = { fuzzy: (word) => word.length > 3 && 0.25 };
const field = document.getElementById("search");
const results = document.getElementById("results");
const found = document.getElementById("found");
const statusLine = document.getElementById("said");

// An element loads a script also where a page lies on the disk.
function load(name) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = field.dataset.root + name;
    script.onload = resolve;
    script.onerror = () => reject(new Error(name));
    document.head.append(script);
  });
}

let loading = null;
function loaded() {
  loading ??= Promise.all([load("vendor/minisearch.js"), load("index.js")]);
  return loading;
}

// An index is made when it is first needed: that of whole texts takes the longest.
const indexes = new Map();
function index(fields) {
  if (!indexes.has(fields.length)) {
    const searchOptions = { combineWith: "AND", prefix: true, boost: { title: 8, about: 2 } };
    const storeFields = ["title", "kind", "to", "about"];
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

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function resultItem({ title, kind, to, about }) {
  const link = document.createElement("a");
  link.href = field.dataset.root + to;
  link.append(element("b", title), kind ? ` (${kind})` : "", " ", element("span", about));
  const row = document.createElement("li");
  row.append(link);
  return row;
}

function summary(exact, near) {
  const count = exact.length + near.length;
  const more = count > MOST ? `, the first ${MOST} are shown` : "";
  return `${count} found${near.length ? `, ${near.length} spelt nearly so` : ""}${more}`;
}

async function search() {
  const words = field.value.trim();
  results.hidden = !words;
  if (!words) { show([], ""); return; }
  try {
    await loaded();
  } catch (error) {
    show([], `The search cannot be used: ${error.message} is not there.`);
    return;
  }
  if (words !== field.value.trim()) return;
  const [exact, near] = lookUp(words);
  show([...exact, ...near], summary(exact, near));
}

function show(rows, said) {
  found.replaceChildren(...rows.slice(0, MOST).map(resultItem));
  found.hidden = rows.length === 0;
  statusLine.textContent = said;
}

// The arrows go from the field through what was found and back; Escape leads back, then leaves.
function moveFocus(event) {
  const places = [field, ...found.querySelectorAll("a")];
  const at = places.indexOf(document.activeElement);
  const by = { ArrowDown: 1, ArrowUp: -1, Escape: -at }[event.key];
  if (at < 0 || by === undefined) return;
  if (at === 0 && event.key === "Escape") { leave(); return; }
  if (at === 0 && by < 0) return;
  event.preventDefault();
  places[Math.min(at + by, places.length - 1)].focus();
}

function leave() {
  field.value = "";
  search();
  field.blur();
}

function focusField(event) {
  const isTyping = event.target.matches("input, textarea, select");
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  field.focus();
}

field.addEventListener("input", search);
field.addEventListener("focus", () => { loaded().then(() => index(NAMED), () => {}); if (field.value) search(); });
field.form.addEventListener("keydown", moveFocus);
field.form.addEventListener("focusout", (event) => {
  if (event.relatedTarget && !field.form.contains(event.relatedTarget)) results.hidden = true;
});
document.addEventListener("pointerdown", (event) => { if (!field.form.contains(event.target)) results.hidden = true; });
document.addEventListener("keydown", focusField);
field.form.addEventListener("submit", (event) => {
  event.preventDefault();
  const first = found.querySelector("a");
  if (first) location.href = first.href;
});
field.form.hidden = false;
