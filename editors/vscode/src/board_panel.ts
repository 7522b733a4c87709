/** A board beside the text: the server asks to show a picture, and this panel does. */

import * as vscode from "vscode";

import { boardPage } from "./model";

const PAUSE = 200; // milliseconds without a move of the cursor

/** One panel; while it is open, `draw` is called where the cursor comes to rest. */
export class BoardPanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private readonly following: vscode.Disposable;
  private wait: NodeJS.Timeout | undefined;

  constructor(draw: (editor: vscode.TextEditor) => Promise<unknown>) {
    this.following = vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      clearTimeout(this.wait);
      if (this.panel) this.wait = setTimeout(() => void draw(textEditor).catch(() => undefined), PAUSE);
    });
  }

  /** Shows a picture (SVG) in the panel, which opens beside the editor if it is not there. */
  async show(picture: vscode.Uri): Promise<void> {
    const svg = new TextDecoder().decode(await vscode.workspace.fs.readFile(picture));
    this.panel ??= this.open();
    this.panel.webview.html = boardPage(svg);
  }

  private open(): vscode.WebviewPanel {
    const beside = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const panel = vscode.window.createWebviewPanel("kbrules.board", "Board", beside, { enableScripts: false, localResourceRoots: [] });
    panel.onDidDispose(() => (this.panel = undefined));
    return panel;
  }

  dispose(): void {
    clearTimeout(this.wait);
    this.following.dispose();
    this.panel?.dispose();
  }
}
