import { send } from "./transport.js";

// Requests to the session. An answer is a result, or an error with a code, a message and help.
export class RequestError extends Error {
  constructor({ code, message, help }) {
    super(help ? `${message}: ${help}` : message);
    this.code = code;
  }
}

// `part`: what answers apart from the others, so that nobody waits: `write`, `play` or `measure`.
export async function post(method, params = {}, part = "write") {
  let answer;
  try {
    answer = await send(method, params, part);
  } catch {
    throw new RequestError({ code: "", message: "the workshop does not answer", help: "is it still running in your terminal?" });
  }
  if (answer.error) throw new RequestError(answer.error);
  return answer.result;
}
