// Python in the page: Pyodide, kbrules with what it needs, and the files of the folder.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const tell = (progress) => postMessage({ progress });
const START = `
import json, sys
from pathlib import Path
sys.path.insert(0, "/site")
from kbrules.tools.workshop.session import Session
from kbrules.tools.workshop.working_copy import WorkingCopy
given = json.loads(files)
for name, text in given["files"].items():
    path = Path("/files") / given["title"] / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
folder, root = Path("/files") / given["title"], Path("/work") / given["title"]
folder.mkdir(parents=True, exist_ok=True)
root.mkdir(parents=True)
session = Session(WorkingCopy(folder, root))
lambda request: json.dumps(session.handle(**json.loads(request)))
`;

async function start() {
  tell("loading Python: about 5 MB the first time");
  const [python, packages, files] = await Promise.all([
    loadPyodide({ indexURL: new URL("pyodide/", import.meta.url).href }),
    fetch("python.zip").then((answer) => answer.arrayBuffer()),
    fetch("files.json").then((answer) => answer.text()),
  ]);
  tell("loading the rules");
  python.unpackArchive(packages, "zip", { extractDir: "/site" });
  python.globals.set("files", files);
  return python.runPython(START);
}

const ready = start();
ready.catch((error) => tell(`Python could not be started: ${error.message}`));
addEventListener("message", async ({ data: { id, method, params } }) => {
  const handle = await ready;
  postMessage({ id, answer: JSON.parse(handle(JSON.stringify({ method, given: params }))) });
});
