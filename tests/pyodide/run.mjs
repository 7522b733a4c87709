// Play the first games of tests/golden/everywhere.py in Pyodide, and print their hashes.
// Arguments: the folder with the installed packages, the repository, how many games.
import { loadPyodide } from "pyodide";

const [site, repository, games] = process.argv.slice(2);
const python = await loadPyodide();
for (const [to, from] of [["/site", site], ["/repository", repository]]) {
  python.FS.mkdirTree(to);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: from }, to);
}
console.log(await python.runPythonAsync(`
import json, sys
sys.path[:0] = ["/site"]
sys.path.append("/repository")
sys.modules.pop("tests", None)
import kbrules
from tests.golden.everywhere import hashes
json.dumps({"from": kbrules.__file__, "system": sys.platform, "hashes": hashes(${games}, "python")})
`));
