// Writes the memory of Python as it is when the page opens, and what the page asks first with the answers.
// Argument: the folder of the page. Node.js runs this; the page reads `memory.bin` and `first.json`.
import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { join } from "node:path";

const folder = process.argv[2];
process.argv.length = 0; // the memory keeps no path of this machine
const { begin, layOut, LIBRARY } = await import(join(folder, "python.js"));
const read = (name) => new Uint8Array(readFileSync(join(folder, name)));
const files = JSON.parse(readFileSync(join(folder, "files.json"), "utf8"));

const python = await begin(new WebAssembly.Module(gunzipSync(read("pydantic_core.bin"))), { _makeSnapshot: true });
python.unpackArchive(read("python.zip"), "zip", { extractDir: "/site" });
python.FS.writeFile(LIBRARY, "");
layOut(python, "/site/kbrules/_data", files.data);
layOut(python, `/author/files/${files.title}`, files.files);
python.globals.set("title", files.title);
python.runPython(`
import sys
sys.path.insert(0, "/site")
from kbrules.tools.workshop.session import PageSession
session = PageSession(title)
`);
writeFileSync(join(folder, "first.json"), python.runPython("session.first_answers()"));
python.runPython("import gc; gc.collect()");
writeFileSync(join(folder, "memory.bin"), gzipSync(python.makeMemorySnapshot(), { level: 9 }));
