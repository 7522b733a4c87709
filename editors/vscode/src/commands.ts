/** The commands of the palette: each asks the server, and shows what it answers. */

import * as vscode from "vscode";
import { ExecuteCommandRequest, type LanguageClient } from "vscode-languageclient/node";

import { BoardPanel } from "./board_panel";
import { commandLine, isHex } from "./model";
import { SERVER } from "./protocol";

/** Registers them; they are gone when the result is disposed. */
export function registerCommands(client: LanguageClient): vscode.Disposable {
  const panel = new BoardPanel((uri, at) => ask<string>(client, SERVER.board, uri, at));
  return vscode.Disposable.from(
    panel,
    inEditor("board", (editor) => panel.open(editor)),
    inEditor("why", (editor) => why(client, editor)),
    inEditor("balance", (editor) => balance(client, editor)),
    inEditor("play", (editor) => inTerminal(client, editor, SERVER.play)),
    inEditor("workshop", (editor) => inTerminal(client, editor, SERVER.workshop)),
  );
}

function inEditor(name: string, act: (editor: vscode.TextEditor) => Promise<void>): vscode.Disposable {
  return vscode.commands.registerTextEditorCommand(`kbrules.editor.${name}`, (editor) => act(editor));
}

/** What the server answers to a command at a place of a file. */
async function ask<Answer>(
  client: LanguageClient,
  command: string,
  uri: vscode.Uri,
  at: vscode.Position,
  more: Record<string, unknown> = {},
): Promise<Answer | undefined> {
  const place = { uri: client.code2ProtocolConverter.asUri(uri), position: { line: at.line, character: at.character } };
  const answer = await client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [{ ...place, ...more }] });
  return (answer as Answer | null) ?? undefined;
}

async function why(client: LanguageClient, editor: vscode.TextEditor): Promise<void> {
  const hex = await vscode.window.showInputBox({
    prompt: "Why here, or why not? A hex of the drawing at the cursor",
    placeHolder: "c13",
    validateInput: (text) => (isHex(text) ? undefined : "a column letter and a row number, for example c13"),
  });
  if (!hex) return;
  const answer = await ask<string>(client, SERVER.why, editor.document.uri, editor.selection.active, { hex: hex.trim() });
  await showText(answer ?? "Nothing is known of this hex: put the cursor into an example or a scenario.");
}

async function balance(client: LanguageClient, editor: vscode.TextEditor): Promise<void> {
  const { document, selection } = editor;
  const answer = await ask<string>(client, SERVER.balance, document.uri, selection.active);
  if (answer) await showText(answer);
}

async function showText(content: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ content, language: "plaintext" });
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true });
}

async function inTerminal(client: LanguageClient, editor: vscode.TextEditor, command: string): Promise<void> {
  const { document, selection } = editor;
  const words = await ask<string[]>(client, command, document.uri, selection.active);
  if (!words) return;
  const terminal = vscode.window.createTerminal("kbrules");
  terminal.show();
  terminal.sendText(commandLine(words));
}
