/** The board of the example at the cursor, beside the text. */

import * as vscode from "vscode";

import { boardPage } from "./model";

/** One panel that follows the cursor while it is open. */
export class BoardPanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private readonly following: vscode.Disposable;
  private wait: NodeJS.Timeout | undefined;

  /** `draw` gives the picture at a place, or nothing where there is none. */
  constructor(private readonly draw: (uri: vscode.Uri, at: vscode.Position) => Promise<string | undefined>) {
    this.following = vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      if (!this.panel) return;
      clearTimeout(this.wait);
      this.wait = setTimeout(() => void this.show(textEditor), 200);
    });
  }

  /** Opens the panel beside an editor, and draws what is at its cursor. */
  async open(editor: vscode.TextEditor): Promise<void> {
    if (!this.panel) {
      const beside = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      this.panel = vscode.window.createWebviewPanel("kbrules.board", "Board", beside, { enableScripts: false, localResourceRoots: [] });
      this.panel.onDidDispose(() => (this.panel = undefined));
    }
    if (!(await this.show(editor))) {
      void vscode.window.showInformationMessage("kbrules: no drawing is at the cursor; put it into an example or a scenario.");
    }
  }

  private async show(editor: vscode.TextEditor): Promise<boolean> {
    const svg = await this.draw(editor.document.uri, editor.selection.active);
    if (svg && this.panel) this.panel.webview.html = boardPage(svg);
    return Boolean(svg);
  }

  dispose(): void {
    clearTimeout(this.wait);
    this.following.dispose();
    this.panel?.dispose();
  }
}
