/** Examples and scenarios as tests of the editor's test explorer. */

import * as vscode from "vscode";
import { ExecuteCommandRequest, type LanguageClient } from "vscode-languageclient/node";

import { SELECTOR } from "./client";
import { grouped } from "./model";
import { SERVER, type Range, type TestAnswer, type TestResult } from "./protocol";

const FILES = "**/{*.kb,*.scenario.yaml}";

/** Shows the examples of every file in the test explorer; they run in the server. */
export function registerTests(client: LanguageClient): vscode.Disposable {
  const tests = vscode.tests.createTestController("kbrules", "kbrules");
  const watcher = vscode.workspace.createFileSystemWatcher(FILES);
  tests.resolveHandler = async (item) => (item ? void (await find(client, tests, item)) : discover(tests));
  tests.refreshHandler = () => discover(tests);
  tests.createRunProfile("Run", vscode.TestRunProfileKind.Run, (request, token) => run(client, tests, request, token), true);
  const saved = vscode.workspace.onDidSaveTextDocument((document) => {
    if (vscode.languages.match(SELECTOR, document)) add(tests, document.uri);
  });
  watcher.onDidCreate((uri) => add(tests, uri));
  watcher.onDidDelete((uri) => tests.items.delete(uri.toString()));
  return vscode.Disposable.from(tests, watcher, saved);
}

async function discover(tests: vscode.TestController): Promise<void> {
  const files = await vscode.workspace.findFiles(FILES, "**/{.venv,node_modules}/**");
  tests.items.replace(files.map((uri) => fileItem(tests, uri)));
}

function add(tests: vscode.TestController, uri: vscode.Uri): void {
  if (!tests.items.get(uri.toString())) tests.items.add(fileItem(tests, uri));
}

function fileItem(tests: vscode.TestController, uri: vscode.Uri): vscode.TestItem {
  const item = tests.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
  item.canResolveChildren = true;
  return item;
}

/** Asks for the tests of a file, enters them below its item, and returns what came of them. */
async function find(client: LanguageClient, tests: vscode.TestController, file: vscode.TestItem): Promise<TestResult[]> {
  if (!file.uri) return [];
  const uri = client.code2ProtocolConverter.asUri(file.uri);
  const answer: TestAnswer = await client.sendRequest(ExecuteCommandRequest.type, { command: SERVER.test, arguments: [uri] });
  const owners = grouped(answer.tests).map(({ owner, examples }) => {
    const parent = tests.createTestItem(`${file.id}#${owner}`, owner, file.uri);
    for (const each of examples) parent.children.add(testItem(tests, file, each));
    parent.range = asRange(examples[0]?.range);
    return parent;
  });
  file.children.replace(owners);
  return answer.tests;
}

function testItem(tests: vscode.TestController, file: vscode.TestItem, result: TestResult): vscode.TestItem {
  const item = tests.createTestItem(result.id, result.title, file.uri);
  item.range = asRange(result.range);
  return item;
}

function asRange(range: Range | undefined): vscode.Range | undefined {
  return range && new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
}

async function run(
  client: LanguageClient,
  tests: vscode.TestController,
  request: vscode.TestRunRequest,
  token: vscode.CancellationToken,
): Promise<void> {
  const chosen = request.include ?? [...tests.items].map(([, item]) => item);
  const running = tests.createTestRun(request);
  for (const file of new Set(chosen.map(fileOf))) {
    if (token.isCancellationRequested) break;
    const wanted = chosen.filter((item) => fileOf(item) === file).map((item) => item.id);
    try {
      report(running, file, await find(client, tests, file), wanted);
    } catch (error) {
      running.errored(file, new vscode.TestMessage(String(error)));
    }
  }
  running.end();
}

function fileOf(item: vscode.TestItem): vscode.TestItem {
  return item.parent ? fileOf(item.parent) : item;
}

/** Enters what came of the tests that were wanted: those of a file, of a card, or single ones. */
function report(running: vscode.TestRun, file: vscode.TestItem, results: TestResult[], wanted: readonly string[]): void {
  const byId = new Map(results.map((each) => [each.id, each]));
  file.children.forEach((owner) =>
    owner.children.forEach((item) => {
      const result = byId.get(item.id);
      if (!result || ![file.id, owner.id, item.id].some((id) => wanted.includes(id))) return;
      if (result.holds) return running.passed(item);
      const message = new vscode.TestMessage([result.found, result.picture].filter(Boolean).join("\n\n"));
      if (item.uri && item.range) message.location = new vscode.Location(item.uri, item.range);
      return running.failed(item, message);
    }),
  );
}
