/** Answers of commands as somebody reads them: a line as a message, more in the output panel. */

import * as vscode from "vscode";

import { answerText } from "./model";

export class Answers implements vscode.Disposable {
  private readonly output = vscode.window.createOutputChannel("kbrules answers");

  /** Shows what there is to read in an answer. */
  readonly show = (answer: unknown): void => {
    const text = answerText(answer).trimEnd();
    if (!text.includes("\n")) {
      if (text) void vscode.window.showInformationMessage(text);
      return;
    }
    this.output.clear();
    this.output.appendLine(text);
    this.output.show(true);
  };

  dispose(): void {
    this.output.dispose();
  }
}
