// The page: one state, which is what the session last answered and what stands in the editor.
import { post } from "./api.js";
import { attempt, button, byId, element, say, tell } from "./dom.js";
import { Editor } from "./editor.js";
import { Examples } from "./examples.js";
import { Measure } from "./measure.js";
import { Play } from "./play.js";
import { progress, saved } from "./transport.js";

const PAUSE = 100; // ms after the last key until scenarios, fixes and examples are looked at
const LINTS = 600; // ms after the last key until warnings are, which take longer
const CONFLICT = "KB008";
const SCENARIO = ".scenario.yaml";
const LOOK = 2000; // ms between looks at the disk
const TABS = [["write", "Write"], ["examples", "Examples"], ["play", "Play"], ["measure", "Numbers"]];

const state = { path: "", opened: null, findings: {}, warnings: {}, unsent: false, unlooked: false, unsaved: new Set(), sent: 0, sending: Promise.resolve() };
let editor;
let examples;
let play;
let measure;
let waiting;
let linting;

const named = (fragment, name) => new URLSearchParams(fragment).get(name);

async function start() {
  drawTabs();
  progress(say);
  state.opened = await post("open");
  document.title = `${state.opened.title}: kbrules workshop`;
  byId("title").textContent = state.opened.title;
  drawFiles();
  editor = new Editor(byId("editor"), await post("patterns"), { changed, moved, save, format, path: () => state.path, flush: () => send() });
  examples = new Examples({ path: () => state.path, at: () => editor.at, draw, go: (at) => { showEditor(); editor.go(at); } });
  play = new Play({ boxes: state.opened.boxes, flush: () => send(), visit });
  measure = new Measure({ boxes: state.opened.boxes, flush: () => send() });
  select("examples");
  await visitAddress(state.opened.start);
  await send(true);
  lint();
  setInterval(() => document.visibilityState === "visible" && look(), LOOK);
}

// What the address asks for: `#file=rules/dale.kb&line=12`, or `#game=` and a game that was shared.
async function visitAddress(usual) {
  const fragment = location.hash.slice(1);
  const file = named(fragment, "file") ?? usual;
  if (file && file !== state.path) await open(file);
  const line = Number(named(fragment, "line"));
  if (line > 0) { showEditor(); editor.goLine(line); }
  const game = named(fragment, "game");
  if (game) { select("play"); await play.ask("share", { fragment: game }); }
}

async function open(path) {
  if (!path) { tell("there is no file here: `kbrules new expansion dale` makes some"); return; }
  await send();
  if (state.conflict) { drawFiles(); tell("say first which text counts"); return; }
  const file = await attempt(() => post("text", { path }));
  if (!file) return;
  state.path = path;
  if (file.shipped) listShipped(path);
  byId("file").value = path;
  editor.show(file.text, path, file.shipped);
  noteSaved(path, file);
  drawFindings();
  examples.show();
}

// A file of a shipped box can be read, and its examples looked at.
function listShipped(path) {
  if ([...byId("file").options].some((each) => each.value === path)) return;
  byId("file").append(new Option(`${path} (to be read)`, path));
}

function noteSaved(path, file) {
  if (file.changed) state.unsaved.add(path);
  else state.unsaved.delete(path);
  drawSaved();
}

// `moved`: where a place of the text is after the change.
function changed(moved) {
  state.unsent = true;
  const own = state.warnings[state.path] ?? [];
  state.warnings[state.path] = own.map((each) => ({ ...each, from: moved(each.from), to: moved(each.to), fix: [] }));
  check();
  state.unsaved.add(state.path);
  drawSaved();
  wait();
}

function moved() { if (!state.unsent) wait(); }

function wait() {
  clearTimeout(waiting);
  waiting = setTimeout(async () => { await send(); fixes(); examples.show(); }, PAUSE);
}

// The text goes to the session as soon as the one before it is answered: what is wrong is marked while keys are struck.
// Only rules and boxes are looked at; whether scenarios fit them takes longer, and is looked at when the keys rest.
async function check() {
  if (state.checking) return;
  state.checking = true;
  await new Promise(requestAnimationFrame);
  await state.sending;
  state.checking = false;
  if (state.unsent) await hand(state.path.endsWith(SCENARIO) ? "findings" : "names");
  lint();
}

// Warnings are asked for when the keys rest; what is typed meanwhile drops the answer.
function lint() {
  clearTimeout(linting);
  linting = setTimeout(async () => {
    const number = state.sent;
    const found = state.path && await post("lints", { path: state.path }, "measure").catch(() => null);
    if (!found || state.unsent || number !== state.sent) return;
    state.warnings = found;
    drawFindings();
  }, LINTS);
}

// What can be done about the finding at the cursor.
async function fixes() {
  const at = editor.at;
  const own = findingsOf(state.path);
  const found = own.some(({ from, to }) => from <= at && at <= to) ? await post("actions", { path: state.path, start: at, end: at }).catch(() => null) : null;
  if (at !== editor.at) return;
  const actions = found?.filter(({ edits }) => edits.length) ?? [];
  byId("fixes").hidden = !actions.length;
  byId("fixes").replaceChildren(...actions.map(({ title, edits }) => button(title, () => apply(edits))));
}

// Edits of the file that is shown are made in the editor; others are made in their texts.
async function apply(edits) {
  const others = Map.groupBy(edits.filter(({ path }) => path !== state.path), ({ path }) => path);
  for (const [path, own] of others) {
    const file = await attempt(() => post("text", { path }));
    if (!file) return;
    const text = own.toSorted((one, other) => other.from - one.from).reduce((old, { from, to, text: put }) => old.slice(0, from) + put + old.slice(to), file.text);
    await attempt(() => post("write", { path, text }));
    state.unsaved.add(path);
    tell(`${path} is changed too, and not saved`);
  }
  editor.edit(edits.filter(({ path }) => path === state.path));
  await send(true);
  editor.focus();
}

// The text as it is now goes to the session, one request at a time; an answer about an older text is dropped.
// If another tab has written meanwhile and nothing was typed here, its text is taken without a question.
function send(always = false) {
  if (!state.unsent && !state.unlooked && !always) return state.sending;
  return hand("findings");
}

// `method`: what is looked for, `findings` or only `names`; files that are not among the answer stay as they were.
function hand(method) {
  const typed = state.unsent;
  state.unsent = false;
  state.unlooked = method === "names";
  state.sent += 1;
  const sent = { path: state.path, text: editor.text };
  state.sending = state.sending.then(() => post(method, sent)).catch((error) => {
    if (error.code !== CONFLICT) tell(error.message, true);
    else if (typed || state.conflict) conflict(sent.path, error.message);
    else takeText().then(() => send(true));
  }).then((answer) => {
    if (!answer || sent.path !== state.path || sent.text !== editor.text) return;
    state.findings = method === "names" ? { ...state.findings, ...answer } : answer;
    drawFindings();
  });
  return state.sending;
}

// Another tab has changed the text that stands here: the author says which one counts.
function conflict(path, message) {
  const settle = (way) => async () => {
    byId("conflict").hidden = true;
    await way(await post("text", { path }));
    state.conflict = "";
    state.unsent = true;
    await send();
  };
  state.conflict = path;
  byId("conflict").hidden = false;
  byId("conflict").replaceChildren(`${message} `,
    button("Take the other text", settle((file) => path === state.path && editor.replace(file.text))),
    button("Keep mine", settle(() => {})));
}

async function draw(put) {
  await send();
  editor.edit(await post("draw", { path: state.path, ...put }));
}

async function save() {
  await send();
  const path = state.path;
  if ((await attempt(() => post("save", { path }))) === null) return;
  state.unsaved.delete(path);
  drawSaved();
  saved(path);
  tell(`${path} is saved`);
}

async function format() {
  await send();
  const edits = await attempt(() => post("format", { path: state.path }));
  if (edits) editor.edit(edits);
}

async function look() {
  if (state.conflict) return;
  let found;
  try { found = await post("changes"); } catch (error) { tell(error.message, true); return; }
  const names = state.opened.files.map(({ path }) => path);
  if (!found.files.length && found.names.join() === names.join()) return;
  state.opened = await post("open");
  drawFiles();
  if (!state.opened.files.some(({ path }) => path === state.path)) await open(state.opened.start);
  else if (found.files.includes(state.path)) await takeText();
  tell(`changed on disk or in another tab: ${found.files.join(", ") || "the list of files"}`);
  await send(true);
  examples.show();
}

// The text that somebody else wrote, unless something is typed here that he does not know.
async function takeText() {
  const typed = editor.text;
  await send();
  if (state.conflict === state.path) return;
  const file = await attempt(() => post("text", { path: state.path }));
  if (!file) return;
  if (editor.text !== typed && editor.text !== file.text) { conflict(state.path, `${state.path} was changed elsewhere while you typed`); return; }
  editor.replace(file.text);
  state.unsent = false;
  noteSaved(state.path, file);
}

function drawFiles() {
  const options = state.opened.files.map(({ path }) => element("option", { value: path, textContent: path }));
  byId("file").replaceChildren(...options);
  byId("file").value = state.path;
}

function drawSaved() {
  byId("save").disabled = !state.unsaved.has(state.path);
  byId("save").textContent = state.unsaved.has(state.path) ? "Save •" : "Save";
}

function findingsOf(path) {
  return [...(state.findings[path] ?? []), ...(state.warnings[path] ?? [])];
}

function drawFindings() {
  editor.mark(findingsOf(state.path), state.path);
  const paths = Object.keys({ ...state.findings, ...state.warnings });
  const all = paths.flatMap((path) => findingsOf(path).map((each) => ({ ...each, path })));
  const rows = all.map((each) => element("li", { className: each.severity === "error" ? "error" : "" },
    button(`${each.code} ${each.path === state.path ? "" : `${each.path}: `}${each.message}`, () => visit(each)),
    each.help ? ` ${each.help}` : ""));
  byId("findings").replaceChildren(...rows);
  byId("findings-title").textContent = rows.length ? `Findings: ${rows.length}` : "No findings";
}

async function visit({ path, from }) {
  if (path !== state.path) await open(path);
  showEditor();
  editor.go(from);
}

function drawTabs() {
  const row = byId("tabs");
  row.replaceChildren(...TABS.map(([id, text]) => button(text, () => select(id), { id: `tab-${id}`, role: "tab", "aria-controls": id })));
  row.addEventListener("keydown", (event) => {
    if (event.key === "Tab" && !event.shiftKey) byId(document.activeElement.getAttribute("aria-controls")).focus();
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const shown = [...row.children].filter((each) => each.offsetParent);
    const next = shown[(shown.indexOf(document.activeElement) + by + shown.length) % shown.length];
    next.click();
    next.focus();
  });
}

// On a phone the editor is one of the tabs.
function showEditor() { if (byId("tab-write").offsetParent) select("write"); }

function select(id) {
  if (id === "measure") measure.fill();
  if (id === "play") play.ready();
  for (const [other] of TABS) {
    byId(other).hidden = other !== id;
    byId(`tab-${other}`).setAttribute("aria-selected", String(other === id));
    byId(`tab-${other}`).tabIndex = other === id ? 0 : -1;
  }
}

document.addEventListener("visibilitychange", () => state.opened && document.visibilityState === "visible" && look());
window.addEventListener("hashchange", () => visitAddress(""));
byId("file").addEventListener("change", (event) => open(event.target.value));
byId("save").addEventListener("click", save);
byId("format").addEventListener("click", format);
window.addEventListener("beforeunload", (event) => { if (state.unsaved.size) event.preventDefault(); });
window.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "s") { event.preventDefault(); save(); }
});
start().catch((error) => tell(error.message, true));
