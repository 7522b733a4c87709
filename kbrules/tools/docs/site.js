// What a page can do where scripts run: the menu shows where one is, and code can be copied.
"use strict";
// Menu and contents are folded on a phone and open where there is room; without scripts the style sheet does it.
for (const [name, width] of [[".menu", "56rem"], [".contents", "78rem"]]) {
  const isWide = matchMedia(`(min-width: ${width})`);
  for (const part of document.querySelectorAll(name)) {
    const fold = () => { part.open = isWide.matches; };
    isWide.addEventListener("change", fold);
    fold();
    const here = part.querySelector("[aria-current]");
    if (here && part.open) part.scrollTop = here.offsetTop - part.clientHeight / 3;
  }
}

const told = document.createElement("p");
told.className = "told";
told.setAttribute("role", "status");

// Pages from the disk may not use the clipboard in every browser; there what is selected is copied.
async function copy(code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
  } catch {
    getSelection().selectAllChildren(code);
    document.execCommand("copy");
    getSelection().removeAllRanges();
  }
}

function addButton(code) {
  const frame = document.createElement("div");
  const button = document.createElement("button");
  frame.className = "code";
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await copy(code);
    button.textContent = told.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; told.textContent = ""; }, 2000);
  });
  code.replaceWith(frame);
  frame.append(code, button);
}

document.body.append(told);
document.querySelectorAll("main pre").forEach(addButton);
