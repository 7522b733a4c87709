// Python in the page. It begins from its memory as it was when the page was written: kbrules is imported, rules are read.
import create from "./pyodide/pyodide.asm.mjs";
import { loadPyodide } from "./pyodide/pyodide.mjs";

export const LIBRARY = "/site/pydantic_core/_pydantic_core.cpython-314-wasm32-emscripten.so";
const WRITTEN = Date.UTC(2000, 0, 1);
const FLAGS = { loadAsync: false, global: false, nodelete: true, allowUndefined: false };
const FUNCTIONS = 2 ** 14;
const PLACE = 2 ** 24;
const BLOCK = 2 ** 19; // bytes; so many are taken from the end of what is in use, not from a gap
let number = 1_000_000;

// `library`: pydantic_core, compiled. `bytes`: how long the memory is that is restored.
export function begin(library, options, bytes = 0) {
  return loadPyodide({
    ...options,
    createPyodideModule: async (settings) => {
      const [compiled, size] = [await library, await bytes];
      settings.onRuntimeInitialized = () => {
        place(settings, compiled);
        if (size) settings.growMemory(size);
      };
      return create(settings);
    },
  });
}

// The memory points into the library and its functions: they lie at the same places in every browser and in Node.js.
function place(module, compiled) {
  module.wasmTable.grow(FUNCTIONS - module.wasmTable.length);
  const end = module.getMemory(BLOCK - 4) + BLOCK;
  module.getMemory(PLACE - end - 4);
  if (module.getMemory(BLOCK) !== PLACE) throw new Error("memory is laid out in another way here");
  module.newDSO(LIBRARY, undefined, module.loadWebAssemblyModule(compiled, FLAGS, LIBRARY, {}));
}

// Files with times and numbers that are the same each time, so that Python knows again what it has read.
export function layOut({ FS }, folder, files) {
  for (const [name, text] of Object.entries(files)) {
    const path = `${folder}/${name}`;
    FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    FS.writeFile(path, text);
    FS.lookupPath(path).node.id = ++number;
    FS.utime(path, WRITTEN, WRITTEN);
  }
}
