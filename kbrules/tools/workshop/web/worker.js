// Python in a worker: it answers the page's requests one after another.
import { begin, layOut, LIBRARY } from "./python.js";

const got = (name) => fetch(name).then((answer) => { if (!answer.ok) throw new Error(`${name} is not there`); return answer; });
const bytesOf = async (name) => new Uint8Array(await (await got(name)).arrayBuffer());

// Some hosts unpack it on the way.
async function unzipped(bytes) {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function start() {
  const library = bytesOf("pydantic_core.bin").then(unzipped).then((bytes) => WebAssembly.compile(bytes));
  const memory = bytesOf("memory.bin").then(unzipped);
  const [packages, files] = [bytesOf("python.zip"), got("files.json").then((answer) => answer.json())];
  const indexURL = new URL("pyodide/", import.meta.url).href;
  const python = await begin(library, { indexURL, _loadSnapshot: memory }, memory.then((bytes) => bytes.length));
  const { title, data, files: own } = await files;
  python.unpackArchive(await packages, "zip", { extractDir: "/site" });
  python.FS.writeFile(LIBRARY, "");
  layOut(python, "/site/kbrules/_data", data);
  layOut(python, `/author/files/${title}`, own);
  return python.runPython("session.handle");
}

const ready = start();
ready.then(() => postMessage({ ready: true }), (error) => postMessage({ failed: `Python could not be started: ${error.message}` }));
addEventListener("message", async ({ data: { id, method, params } }) => {
  const handle = await ready;
  postMessage({ id, answer: JSON.parse(handle(JSON.stringify({ method, params }))) });
});
