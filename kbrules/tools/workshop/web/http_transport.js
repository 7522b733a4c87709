// Requests to the program that serves this page.
const tab = crypto.randomUUID(); // tells this page from others that show the same files

export async function send(method, params) {
  const response = await fetch("api", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ method, params: { ...params, tab } }),
  });
  return response.json();
}

export const progress = () => {};
export const saved = () => {};
