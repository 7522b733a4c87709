/** What needs no editor: parts of texts, trees and pages, tested by Node.js alone. */

import { isAbsolute, join } from "node:path";

import type { TestResult } from "./protocol";

/** What there is to read in the answer of a command; nothing where something else is shown. */
export function answerText(answer: unknown): string {
  const { text, passed, failed } = (answer ?? {}) as { text?: unknown; passed?: unknown; failed?: unknown };
  if (typeof text === "string") return text;
  return typeof passed === "number" ? `${passed} hold, ${String(failed)} do not` : "";
}

/** The examples of one card, tile, rule or scenario file. */
export interface ExampleGroup {
  owner: string;
  examples: TestResult[];
}

/** Examples by what they belong to, in the order of the file: `loners, two alone` belongs to `loners`. */
export function grouped(examples: readonly TestResult[]): ExampleGroup[] {
  const groups = new Map<string, ExampleGroup>();
  for (const example of examples) {
    const owner = example.title.split(",", 1)[0] ?? "";
    const group = groups.get(owner) ?? { owner, examples: [] };
    group.examples.push(example);
    groups.set(owner, group);
  }
  return [...groups.values()];
}

/** The program of the server with its arguments; a relative path that has a folder starts at the first folder. */
export function serverCommand(words: readonly string[], folder: string | undefined): { command: string; args: string[] } {
  const [program = "kbrules", ...args] = words.length ? words : ["kbrules", "lsp"];
  const relative = /[\\/]/.test(program) && !isAbsolute(program);
  return { command: relative && folder ? join(folder, program) : program, args };
}

/** A command line for a shell; words with other signs than usual ones are quoted. */
export function commandLine(words: readonly string[], platform: string = process.platform): string {
  return words.map((word) => quoted(word, platform)).join(" ");
}

function quoted(word: string, platform: string): string {
  if (/^[\w./:@%+,=-]+$/.test(word)) return word;
  if (platform === "win32") return `"${word.replaceAll('"', '""')}"`;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** A page that shows a picture and runs nothing: the picture is an image, so no text of a rule is markup. */
export function boardPage(svg: string): string {
  const image = `data:image/svg+xml;base64,${Buffer.from(svg, "utf8").toString("base64")}`;
  return [
    "<!doctype html>",
    '<html lang="en"><head><meta charset="utf-8"><title>Board</title>',
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:; style-src \'unsafe-inline\'">',
    "<style>body{margin:0;padding:1rem}img{display:block;max-width:100%;height:auto;margin:auto}</style>",
    `</head><body><img alt="The board" src="${image}"></body></html>`,
  ].join("\n");
}

/** Whether a text is a hex as the rules write it: `a1` to `t20`, with the name of a grid before it or not. */
export function isHex(text: string): boolean {
  return /^([a-z][a-z0-9_]*[:.])?[a-z]{1,2}[1-9][0-9]?$/.test(text.trim());
}
