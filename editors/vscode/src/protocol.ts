/** What the server's commands answer; each is called with an address, a line or a test's id, and a word. */

export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

/** An example or a scenario of a file, and what came of it. */
export interface TestResult {
  id: string;
  title: string;
  range: Range;
  holds: boolean;
  found: string;
  picture: string;
}

export interface TestAnswer {
  passed: number;
  failed: number;
  tests: TestResult[];
}

export interface PlayAnswer {
  command: string[];
  folder: string;
}

/** The commands of the server; a test of the server holds these names. */
export const SERVER = {
  why: "kbrules.why",
  board: "kbrules.board",
  test: "kbrules.test",
  balance: "kbrules.balance",
  example: "kbrules.example",
  play: "kbrules.play",
  workshop: "kbrules.workshop",
} as const;
