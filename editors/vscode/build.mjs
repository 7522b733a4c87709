// Bundles the extension (and, with --tests, its tests) into dist/, and copies the grammar there.
import { copyFile, mkdir, readdir, rm } from "node:fs/promises";
import { build } from "esbuild";

const tests = process.argv.includes("--tests");
const shared = { bundle: true, platform: "node", target: "node20", format: "cjs", logLevel: "warning", minify: !tests };

await rm("dist", { recursive: true, force: true });
await mkdir("dist", { recursive: true });
// The one grammar: `make schemas` prints it from the patterns of tokens.
await copyFile("../../docs/editors/kb.tmLanguage.json", "dist/kb.tmLanguage.json");
await copyFile("../../LICENSE", "LICENSE");
await build({ ...shared, entryPoints: ["src/extension.ts"], external: ["vscode"], outfile: "dist/extension.js" });
if (tests) {
  const names = (await readdir("test")).filter((name) => name.endsWith(".test.ts"));
  await build({ ...shared, entryPoints: names.map((name) => `test/${name}`), outdir: "dist/test" });
}
