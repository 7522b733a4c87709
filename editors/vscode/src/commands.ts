/** The commands of the palette: each asks the server about the place of the cursor. */

import * as vscode from "vscode";
import { ExecuteCommandRequest, type LanguageClient } from "vscode-languageclient/node";

import { commandLine, isHex } from "./model";
import { SERVER, type PlayAnswer } from "./protocol";

/** Registers them; they are gone when the result is disposed. `show` is given what they answer. */
export function registerCommands(client: LanguageClient, show: (answer: unknown) => void): vscode.Disposable {
  return vscode.Disposable.from(
    inEditor("board", (editor) => ask(client, SERVER.board, editor)),
    inEditor("why", async (editor) => show(await why(client, editor))),
    inEditor("test", async (editor) => show(await ask(client, SERVER.test, editor))),
    inEditor("balance", async (editor) => show(await ask(client, SERVER.balance, editor))),
    inEditor("example", (editor) => ask(client, SERVER.example, editor)),
    inEditor("workshop", (editor) => ask(client, SERVER.workshop, editor)),
    inEditor("play", (editor) => play(client, editor)),
  );
}

/** What the server answers to a command at the cursor; what it refuses is thrown, and was shown by the client. */
export async function ask<Answer>(client: LanguageClient, command: string, editor: vscode.TextEditor, word?: string): Promise<Answer> {
  const uri = client.code2ProtocolConverter.asUri(editor.document.uri);
  const place = [uri, editor.selection.active.line, ...(word ? [word] : [])];
  return client.sendRequest(ExecuteCommandRequest.type, { command, arguments: place });
}

function inEditor(name: string, act: (editor: vscode.TextEditor) => Promise<unknown>): vscode.Disposable {
  return vscode.commands.registerTextEditorCommand(`kbrules.editor.${name}`, async (editor) => {
    try {
      await act(editor);
    } catch (error) {
      void vscode.window.showWarningMessage(`kbrules: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
}

async function why(client: LanguageClient, editor: vscode.TextEditor): Promise<unknown> {
  const hex = await vscode.window.showInputBox({
    prompt: "Why is a move legal or not? A hex of the drawing at the cursor",
    placeHolder: "c13",
    validateInput: (text) => (isHex(text) ? undefined : "a column letter and a row number, for example c13"),
  });
  return hex ? ask(client, SERVER.why, editor, hex.trim()) : undefined;
}

async function play(client: LanguageClient, editor: vscode.TextEditor): Promise<void> {
  const { command, folder } = await ask<PlayAnswer>(client, SERVER.play, editor);
  const terminal = vscode.window.createTerminal({ name: "kbrules", cwd: folder });
  terminal.show();
  terminal.sendText(commandLine(command));
}
