// The search: all words must be found in a title, an address or what a page is about.
"use strict";
const MOST = 30;
const field = document.getElementById("search");
const found = document.getElementById("found");
const said = document.getElementById("said");

function rank(words, [title, , to, about]) {
  const name = title.toLowerCase();
  const all = `${name} ${to} ${about}`;
  if (!words.every((word) => all.includes(word))) return 0;
  if (name === words.join(" ")) return 4;
  if (name.startsWith(words[0])) return 3;
  return words.every((word) => name.includes(word)) ? 2 : 1;
}

function item([title, kind, to]) {
  const way = document.createElement("a");
  way.href = field.dataset.root + to;
  way.textContent = title;
  const row = document.createElement("li");
  row.append(way, kind ? ` (${kind})` : "");
  return row;
}

function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked = words.length ? INDEX.map((row) => [rank(words, row), row]) : [];
  const rows = ranked.filter(([points]) => points).sort(([one], [other]) => other - one);
  found.replaceChildren(...rows.slice(0, MOST).map(([, row]) => item(row)));
  found.hidden = rows.length === 0;
  const more = rows.length > MOST ? `, the first ${MOST} are shown` : "";
  said.textContent = words.length ? `${rows.length} found${more}` : "";
}

field.addEventListener("input", search);
field.form.addEventListener("submit", (event) => {
  event.preventDefault();
  const first = found.querySelector("a");
  if (first) location.href = first.href;
});
field.form.hidden = false;
