/** The extension: colours by a grammar, everything else by `kbrules lsp`. */

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

import { Answers } from "./answers";
import { BoardPanel } from "./board_panel";
import { createClient, start } from "./client";
import { ask, registerCommands } from "./commands";
import { registerTests } from "./examples";
import { SERVER } from "./protocol";

let client: LanguageClient | undefined;
let features: vscode.Disposable | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const changed = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration("kbrules.command")) void restart();
  });
  context.subscriptions.push(changed, vscode.commands.registerCommand("kbrules.editor.restart", restart));
  if (vscode.workspace.isTrusted) await run();
  else context.subscriptions.push(vscode.workspace.onDidGrantWorkspaceTrust(run));
}

export async function deactivate(): Promise<void> {
  features?.dispose();
  features = undefined;
  const ended = client;
  client = undefined;
  await ended?.dispose();
}

async function restart(): Promise<void> {
  await deactivate();
  await run();
}

async function run(): Promise<void> {
  const panel: BoardPanel = new BoardPanel(async (editor) => started && ask(started, SERVER.board, editor));
  const answers = new Answers();
  const started = (client = createClient((picture) => panel.show(picture), answers.show));
  features = vscode.Disposable.from(panel, answers);
  if (await start(started)) features = vscode.Disposable.from(features, registerCommands(started, answers.show), registerTests(started));
}
