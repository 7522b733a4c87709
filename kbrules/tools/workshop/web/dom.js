// Elements. Text is always text: nothing that somebody wrote is read as HTML.
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key in made && key !== "list") made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export const byId = (id) => document.getElementById(id);

export function button(text, onclick, properties = {}) {
  return element("button", { type: "button", textContent: text, onclick, ...properties });
}

let messages = 0;

// A sentence for a while.
export function tell(text, bad = false) {
  const mine = say(text, bad);
  if (!bad) setTimeout(() => { if (mine === messages) say(""); }, 6000);
}

// A sentence until the next one.
export function say(text, bad = false) {
  const status = byId("status");
  status.textContent = text;
  status.classList.toggle("error", bad);
  return ++messages;
}

// What a button does may be refused: that is shown, and nothing else happens.
export async function attempt(action) {
  try {
    return await action();
  } catch (error) {
    tell(error.message, true);
    return null;
  }
}
