// Requests to Python in a worker of this page: nothing is asked of any other machine.
const worker = new Worker("worker.js", { type: "module" });
const waiting = new Map();
let last = 0;
let tellProgress = () => {};

worker.addEventListener("message", ({ data }) => {
  if (data.progress) { tellProgress(data.progress); return; }
  waiting.get(data.id)?.(data.answer);
  waiting.delete(data.id);
});

export function send(method, params) {
  const id = ++last;
  worker.postMessage({ id, method, params });
  return new Promise((resolve) => waiting.set(id, resolve));
}

export function progress(tell) { tellProgress = tell; }

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
