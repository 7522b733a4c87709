/** The extension: colours by a grammar, everything else by `kbrules lsp`. */

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

import { createClient, start } from "./client";
import { registerCommands } from "./commands";
import { registerTests } from "./examples";

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
  await client?.dispose();
  client = undefined;
}

async function restart(): Promise<void> {
  await deactivate();
  await run();
}

async function run(): Promise<void> {
  client = createClient();
  if (await start(client)) features = vscode.Disposable.from(registerCommands(client), registerTests(client));
}
