/** What the server is asked beyond the standard requests. */

export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

/** An example or a scenario of a file, and what came of it. */
export interface ExampleResult {
  id: string;
  title: string;
  range: Range;
  holds: boolean;
  message: string;
  picture: string;
}

/** The request that runs all examples or scenarios of a file; its parameters are `{ uri }`. */
export const EXAMPLES = "kbrules/examples";

/** The commands of the server; `kbrules lsp` names the same in its capabilities. */
export const SERVER = {
  why: "kbrules.why",
  board: "kbrules.board",
  balance: "kbrules.balance",
  play: "kbrules.play",
  workshop: "kbrules.workshop",
} as const;
