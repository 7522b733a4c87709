"use strict";
// A game of which the page holds the start and, for each move, what changed with it.
const data = JSON.parse(document.getElementById("data").textContent);
const element = (id) => document.getElementById(id);
const last = data.frames.length - 1;
const groups = new Map();
for (const group of document.querySelectorAll("g[data-hex]")) groups.set(group.dataset.hex, group);
const hexes = data.hexes.map(([name, x, y]) => {
  const group = groups.get(name);
  const title = group.querySelector("title");
  return { name, x, y, group, title, base: title.textContent, kind: null, left: null, use: null, marks: [] };
});
const hexOf = new Map(hexes.map((hex) => [hex.name, hex]));

// What was before each move, so that one can go back as well.
const seen = {};
const undone = data.frames.map((frame) => {
  const before = {};
  for (const key in frame) before[key] = key in seen ? seen[key] : null;
  Object.assign(seen, frame);
  return before;
});
for (const key in seen) delete seen[key];

let now = -1;
let timer = 0;

function go(wanted, quiet) {
  const target = Math.max(0, Math.min(last, wanted));
  const changed = new Set();
  while (now < target) take(data.frames[++now], changed);
  while (now > target) take(undone[now--], changed);
  for (const key of changed) show(key);
  mark();
  element("link").setAttribute("href", `#move=${now}`);
  element("slider").value = now;
  element("slider").setAttribute("aria-valuetext", `move ${now} of ${last}`);
  element("number").textContent = `${now} of ${last}`;
  if (!quiet) remember();
  tellTurn();
}

function take(values, changed) {
  for (const key in values) {
    seen[key] = values[key];
    changed.add(key);
  }
}

const shows = { h: showPiece, t: showTile, s: showHeld, l: showHeld, n: showHeld, g: showGold };
const words = { text: "event", when: "when", move: "move" };

function show(key) {
  if (key in words) element(words[key]).textContent = seen[key];
  else if (key === "cards") element("cards").textContent = seen.cards ? `card: ${seen.cards}` : "";
  else if (key === "who" || key === "won") showWho();
  else if (key === "marks") showMarks();
  else shows[key[0]](Number(key.slice(1)));
}

function showPiece(number) {
  const hex = hexes[number];
  const kind = seen[`h${number}`];
  if (hex.use) hex.use.remove();
  hex.use = null;
  hex.kind = kind ?? null;
  if (hex.kind !== null) {
    hex.use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    hex.use.setAttribute("href", `#q${kind}`);
    hex.use.setAttribute("x", hex.x);
    hex.use.setAttribute("y", hex.y);
    hex.use.setAttribute("class", "piece");
    hex.group.append(hex.use);
  }
  label(hex);
}

function showTile(place) {
  const hex = hexes[data.places[place]];
  hex.left = seen[`t${place}`];
  hex.group.classList.toggle("empty", hex.left === 0);
  label(hex);
}

function label(hex) {
  const parts = [hex.base, ...hex.marks];
  if (hex.left !== null) parts.push(`${hex.left} left`);
  if (hex.kind !== null) parts.push(data.kinds[hex.kind]);
  hex.title.textContent = parts.join(", ");
}

function showHeld(player) {
  const supply = seen[`s${player}`] ?? [];
  const parts = supply.map((count, piece) => data.pieces[piece] && `${data.pieces[piece]} ${count} left`);
  const tiles = (seen[`l${player}`] ?? []).map(([kind, status]) =>
    data.tiles[kind] + (status ? ` (${data.statuses[status]})` : ""));
  if (tiles.length) parts.push(`tiles ${tiles.join(", ")}`);
  (seen[`n${player}`] ?? []).forEach((count, i) => parts.push(`${data.countTitles[i]} ${count}`));
  element(`player${player}`).querySelector(".held").textContent = parts.filter(Boolean).join("; ");
}

function showGold(player) {
  (seen[`g${player}`] ?? []).forEach((gold, row) => {
    element(`g${player}-${row}`).textContent = gold;
  });
}

function showWho() {
  const won = seen.won ?? [];
  for (let player = 0; player < data.players; player++) {
    const item = element(`player${player}`);
    const active = won.length ? won.includes(player) : player === seen.who;
    item.classList.toggle("active", active);
    item.querySelector(".turn").textContent = active ? (won.length ? "(wins)" : "(in turn)") : "";
  }
}

function showMarks() {
  const parts = (seen.marks ?? []).map((names, i) => names.length ? `${data.markTitles[i]}: ${names.join(" ")}` : "");
  element("marks").textContent = parts.filter(Boolean).join("; ");
  drawMarks();
}

// Marks of boxes that have an icon stand in a corner of their hexes.
const corners = [[-12.4, -7.2], [12.4, -7.2], [-12.4, 7.2], [12.4, 7.2]];

function drawMarks() {
  for (const old of document.querySelectorAll(".badge")) old.remove();
  for (const hex of hexes) hex.marks = [];
  (seen.marks ?? []).forEach((names, i) => {
    const at = data.markIcons.indexOf(i);
    if (at < 0) return;
    for (const hex of names.map((name) => hexOf.get(name))) drawMark(hex, i, corners[at % corners.length]);
  });
  hexes.forEach(label);
}

function drawMark(hex, i, [right, down]) {
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#m${i}`);
  use.setAttribute("x", hex.x + right);
  use.setAttribute("y", hex.y + down);
  use.setAttribute("class", "badge");
  hex.group.append(use);
  hex.marks.push(data.markTitles[i]);
}

function tellTurn() {
  const list = element("turns").children;
  const current = data.turns.findIndex(([number]) => number >= now);
  for (const item of element("turns").querySelectorAll("[aria-current]")) item.removeAttribute("aria-current");
  if (current >= 0) list[current].firstChild.setAttribute("aria-current", "step");
}

function remember() {
  history.replaceState(null, "", `#move=${now}`);
}

// Playing by itself: nothing is spoken meanwhile, and it stops at the end.
function play(on) {
  clearInterval(timer);
  timer = on ? setInterval(() => (now < last ? go(now + 1) : play(false)), 700 / element("speed").value) : 0;
  element("play").setAttribute("aria-pressed", String(on));
  element("play").textContent = on ? "Pause" : "Play";
  element("event").setAttribute("aria-live", on ? "off" : "polite");
}

function toggle() {
  if (!timer && now === last) go(0);
  play(!timer);
}

function step(number) {
  play(false);
  go(number);
}

const keys = {
  ArrowLeft: () => step(now - 1), ArrowRight: () => step(now + 1),
  ArrowDown: () => step(now - 1), ArrowUp: () => step(now + 1),
  PageDown: () => step(now - 10), PageUp: () => step(now + 10),
  Home: () => step(0), End: () => step(last), " ": toggle,
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const hex = event.target.closest("g[data-hex]");
  if (hex && walk(hex, event.key)) event.preventDefault();
  else if (event.target.closest("select") || (event.key === " " && event.target.closest("button, summary, a"))) return;
  else if (event.key in keys) {
    event.preventDefault();
    keys[event.key]();
  }
});

// On the board one hex can be reached by the tab key; from there arrow keys lead on.
const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function walk(group, key) {
  if (!(key in ways)) return false;
  const here = hexes.find((hex) => hex.group === group);
  const [right, down] = ways[key];
  let best = null;
  for (const hex of hexes) {
    const [x, y] = [hex.x - here.x, hex.y - here.y];
    const ahead = right ? x * right : y * down;
    const aside = right ? Math.abs(y) : Math.abs(x);
    if (ahead < 1 || (right && aside > 1)) continue;
    const far = ahead + aside / 100;
    if (!best || far < best.far) best = { hex, far };
  }
  if (best) focusOn(best.hex);
  return true;
}

function focusOn(hex) {
  for (const each of document.querySelectorAll('g[tabindex="0"]')) each.setAttribute("tabindex", "-1");
  hex.group.setAttribute("tabindex", "0");
  hex.group.focus();
}

for (const { group } of hexes) {
  group.setAttribute("tabindex", "-1");
  group.addEventListener("focus", () => focusRing(group));
  group.addEventListener("blur", () => overlay.querySelectorAll(".focus").forEach((old) => old.remove()));
}
hexes[0].group.setAttribute("tabindex", "0");
for (const [number, line] of data.turns) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = line;
  button.addEventListener("click", () => step(number));
  item.append(button);
  element("turns").append(item);
}
element("first").addEventListener("click", () => step(0));
element("back").addEventListener("click", () => step(now - 1));
element("play").addEventListener("click", toggle);
element("next").addEventListener("click", () => step(now + 1));
element("last").addEventListener("click", () => step(last));
element("speed").addEventListener("change", () => timer && play(true));
element("slider").addEventListener("input", (event) => step(Number(event.target.value)));
const asked = () => Number(/^#(?:move=)?(\d+)$/.exec(location.hash)?.[1] ?? data.at);
