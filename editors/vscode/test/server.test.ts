import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";

import { SERVER, type PlayAnswer, type TestAnswer } from "../src/protocol";

const PROGRAM = process.env["KBRULES"];
const RULES = [
  'card loners "Loners":',
  '    "Two gold for each of your pieces that stands alone."',
  "    gold 2 per hex in mine - adjacent(mine)",
  "    example:",
  "        | .a .  .",
  "        gives 3",
  "",
].join("\n");

const BOX = "format: 1\nid: loners_box\ntitle: Loners\nneeds: [base]\ncards: [loners]\n";

/** Speaks with the server as the extension does, about one file. */
async function speak(act: (ask: (command: string, ...words: unknown[]) => Promise<unknown>, uri: string, shown: string[]) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kbrules-"));
  const file = join(folder, "rules", "loners.kb");
  mkdirSync(join(folder, "rules"));
  writeFileSync(file, RULES);
  writeFileSync(join(folder, "expansion.yaml"), BOX);
  const uri = pathToFileURL(file).href;
  const server = spawn(PROGRAM ?? "", ["lsp"], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
  const connection = createMessageConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
  const shown: string[] = [];
  connection.onRequest("window/showDocument", (params: { uri: string }) => (shown.push(params.uri), { success: true }));
  connection.onRequest(() => null);
  connection.listen();
  try {
    const capabilities = { window: { showDocument: { support: true } } };
    const begun = await connection.sendRequest<{ capabilities: { executeCommandProvider: { commands: string[] } } }>("initialize", {
      processId: process.pid, rootUri: pathToFileURL(folder).href, capabilities,
    });
    assert.deepEqual([...begun.capabilities.executeCommandProvider.commands].sort(), Object.values(SERVER).sort());
    await connection.sendNotification("initialized", {});
    await connection.sendNotification("textDocument/didOpen", { textDocument: { uri, languageId: "kbrules", version: 1, text: RULES } });
    await act((command, ...words) => connection.sendRequest("workspace/executeCommand", { command, arguments: [uri, ...words] }), uri, shown);
    await connection.sendRequest("shutdown");
    await connection.sendNotification("exit");
  } finally {
    connection.dispose();
    server.kill();
    rmSync(folder, { recursive: true });
  }
}

test("the server answers the commands as the extension reads them", { skip: PROGRAM ? false : "KBRULES names no server" }, () =>
  speak(async (ask, _, shown) => {
    const { failed, tests } = (await ask(SERVER.test)) as TestAnswer;
    assert.equal(failed, 1);
    assert.equal(tests[0]?.holds, false);
    assert.match(tests[0]?.found ?? "", /gives 2, not 3/);
    assert.equal(tests[0]?.range.start.line, 3);
    await ask(SERVER.board, 4);
    assert.match(readFileSync(fileURLToPath(shown[0] ?? ""), "utf8"), /<svg/);
    const { command } = (await ask(SERVER.play)) as PlayAnswer;
    assert.ok(command.includes("play"));
  }),
);
