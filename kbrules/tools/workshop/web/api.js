// Requests to the session. An answer is a result, or an error with a code, a message and a remedy.
export class Refused extends Error {
  constructor({ code, message, remedy }) {
    super(remedy ? `${message}: ${remedy}` : message);
    this.code = code;
  }
}

export async function post(method, params = {}) {
  let response;
  try {
    response = await fetch("api", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ method, params }),
    });
  } catch {
    throw new Refused({ code: "", message: "the workshop does not answer", remedy: "is it still running in your terminal?" });
  }
  const answer = await response.json();
  if (answer.error) throw new Refused(answer.error);
  return answer.result;
}
