// Requests to Python, which runs in threads of this page: nothing is asked of any other machine.
const WRITE = "write";
const keyOf = (method, params) => JSON.stringify([method, params]);
const first = fetch("first.json").then((answer) => answer.json())
  .then((rows) => new Map(rows.map(([method, params, answer]) => [keyOf(method, params), answer])));
const texts = new Map();
const parts = new Map();
let tellProgress = () => {};

// A worker for a part of the page: its requests that wait, and the texts that it knows.
function part(name) {
  if (parts.has(name)) return parts.get(name);
  const worker = new Worker("worker.js", { type: "module" });
  const made = { worker, waiting: new Map(), known: new Map(), last: 0 };
  parts.set(name, made);
  worker.addEventListener("message", ({ data }) => {
    if (data.ready) { if (name === WRITE) tellProgress(""); }
    else if (data.failed) tellProgress(data.failed, true);
    else {
      made.waiting.get(data.id)?.(data.answer);
      made.waiting.delete(data.id);
    }
  });
  return made;
}

part(WRITE);

function ask(to, method, params) {
  const id = ++to.last;
  to.worker.postMessage({ id, method, params });
  return new Promise((resolve) => to.waiting.set(id, resolve));
}

// What a page asks when it opens was answered when the page was written. After the first other request Python answers all.
export async function send(method, params, name) {
  const known = part(WRITE).last ? undefined : (await first).get(keyOf(method, params));
  if (known && !part(WRITE).last) return known;
  if (name === WRITE) {
    if ("text" in params) texts.set(params.path, params.text);
    return ask(part(name), method, params);
  }
  const to = part(name);
  for (const [path, text] of texts) {
    if (to.known.get(path) === text) continue;
    to.known.set(path, text);
    ask(to, "write", { path, text });
  }
  return ask(to, method, params);
}

export function progress(say) {
  tellProgress = say;
  say("Python is loading; what you see was worked out when the page was written");
}

// A page without a disk hands a saved file over as a download.
export async function saved(path) {
  const { result } = await send("text", { path }, WRITE);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([result.text], { type: "text/plain" }));
  link.download = path.split("/").at(-1);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

if ("serviceWorker" in navigator) navigator.serviceWorker.register("offline.js");
