import assert from "node:assert/strict";
import { test } from "node:test";

import { answerText, boardPage, commandLine, grouped, isHex, serverCommand } from "../src/model";
import type { TestResult } from "../src/protocol";

const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
const example = (title: string): TestResult => ({ id: title, title, range, holds: true, found: "", picture: "" });

test("examples stand under what they belong to, in order", () => {
  const groups = grouped(["b, one", "a", "b, two"].map(example));
  assert.deepEqual(groups.map((group) => [group.owner, group.examples.length]), [["b", 2], ["a", 1]]);
});

test("a server of the workspace starts at its folder, one on the path does not", () => {
  assert.deepEqual(serverCommand([".venv/bin/kbrules", "lsp"], "/home/me"), { command: "/home/me/.venv/bin/kbrules", args: ["lsp"] });
  assert.deepEqual(serverCommand(["kbrules", "lsp"], "/home/me"), { command: "kbrules", args: ["lsp"] });
  assert.deepEqual(serverCommand(["/opt/kbrules", "lsp"], "/home/me"), { command: "/opt/kbrules", args: ["lsp"] });
  assert.deepEqual(serverCommand([], undefined), { command: "kbrules", args: ["lsp"] });
});

test("words that a shell would read are quoted", () => {
  assert.equal(commandLine(["kbrules", "play", "--with", "my box"], "linux"), "kbrules play --with 'my box'");
  assert.equal(commandLine(["it's", "$(rm x)"], "linux"), "'it'\\''s' '$(rm x)'");
  assert.equal(commandLine(["my box"], "win32"), '"my box"');
});

test("a board is an image in a page that runs nothing", () => {
  const page = boardPage("<svg><script>alert(1)</script></svg>");
  assert.ok(!page.includes("<script"));
  assert.match(page, /default-src 'none'/);
});

test("an answer is read as a text or as what holds, others not at all", () => {
  assert.equal(answerText({ text: "a1 is legal", hex: "a1" }), "a1 is legal");
  assert.equal(answerText({ passed: 2, failed: 1, tests: [] }), "2 hold, 1 do not");
  for (const other of [undefined, null, { uri: "file:///a.svg" }]) assert.equal(answerText(other), "");
});

test("hexes are written as on the board", () => {
  for (const good of ["a1", "t20", " c13 ", "island:a1"]) assert.ok(isHex(good), good);
  for (const bad of ["", "1a", "a0", "a100", "hex"]) assert.ok(!isHex(bad), bad);
});
