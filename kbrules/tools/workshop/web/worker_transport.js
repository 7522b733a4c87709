// Requests to Python in a worker of this page: nothing is asked of any other machine.
const worker = new Worker("worker.js", { type: "module" });
const waiting = new Map();
const keyOf = (method, params) => JSON.stringify([method, params]);
const first = fetch("first.json").then((answer) => answer.json())
  .then((rows) => new Map(rows.map(([method, params, answer]) => [keyOf(method, params), answer])));
let last = 0;
let tellProgress = () => {};

worker.addEventListener("message", ({ data }) => {
  if (data.ready) tellProgress("");
  else if (data.failed) tellProgress(data.failed, true);
  else {
    waiting.get(data.id)?.(data.answer);
    waiting.delete(data.id);
  }
});

// What a page asks when it opens was answered when the page was written. After the first other request Python answers all.
export async function send(method, params) {
  const known = last ? undefined : (await first).get(keyOf(method, params));
  if (known && !last) return known;
  const id = ++last;
  worker.postMessage({ id, method, params });
  return new Promise((resolve) => waiting.set(id, resolve));
}

export function progress(say) {
  tellProgress = say;
  say("Python is loading; what you see was worked out when the page was written");
}

// A page without a disk hands a saved file over as a download.
export async function saved(path) {
  const { result } = await send("text", { path });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([result.text], { type: "text/plain" }));
  link.download = path.split("/").at(-1);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

if ("serviceWorker" in navigator) navigator.serviceWorker.register("offline.js");
