/** The language server as the editor runs it. */

import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";

import { serverCommand } from "./model";

const FILES = ["**/*.kb", "**/expansion.yaml", "**/expansions/*.yaml", "**/*.scenario.yaml", "**/texts/**/*.yaml", "**/kbrules.toml"];

export const SELECTOR = [
  { scheme: "file", language: "kbrules" },
  { scheme: "untitled", language: "kbrules" },
  { scheme: "file", pattern: "**/expansion.yaml" },
  { scheme: "file", pattern: "**/expansions/*.yaml" },
  { scheme: "file", pattern: "**/*.scenario.yaml" },
  { scheme: "file", pattern: "**/texts/**/*.yaml" },
];

/** A client that is not started; `showPicture` is given the pictures that the server asks to show, `showAnswer` what lenses answer. */
export function createClient(showPicture: (picture: vscode.Uri) => Promise<void>, showAnswer: (answer: unknown) => void): LanguageClient {
  const words = vscode.workspace.getConfiguration("kbrules").get<string[]>("command") ?? [];
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const { command, args } = serverCommand(words, folder);
  const server: ServerOptions = { command, args, ...(folder ? { options: { cwd: folder } } : {}) };
  const options: LanguageClientOptions = {
    documentSelector: SELECTOR,
    synchronize: { fileEvents: FILES.map((glob) => vscode.workspace.createFileSystemWatcher(glob)) },
    initializationOptions: { showResults: false },
    markdown: { isTrusted: false, supportHtml: false },
    middleware: {
      executeCommand: async (command, words, next) => {
        const answer: unknown = await next(command, words);
        showAnswer(answer);
        return answer;
      },
      window: {
        showDocument: async (shown, next) => {
          const uri = vscode.Uri.parse(shown.uri);
          if (uri.scheme === "file" && uri.path.endsWith(".svg")) {
            await showPicture(uri);
            return { success: true };
          }
          const answer = await next(shown, new vscode.CancellationTokenSource().token);
          return "success" in answer ? answer : { success: false };
        },
      },
    },
  };
  return new LanguageClient("kbrules", "kbrules", server, options);
}

/** Starts a client; says what to do where there is no server. */
export async function start(client: LanguageClient): Promise<boolean> {
  try {
    await client.start();
  } catch (error) {
    client.error("the server does not start", error, false);
    const choice = await vscode.window.showErrorMessage(
      "kbrules: the language server does not start. Install it with `pip install 'kbrules[lsp]'`, or name it in the setting kbrules.command.",
      "Open setting",
    );
    if (choice) await vscode.commands.executeCommand("workbench.action.openSettings", "kbrules.command");
    return false;
  }
  await vscode.commands.executeCommand("setContext", "kbrules.running", true);
  return true;
}
