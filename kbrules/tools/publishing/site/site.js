// What a page can do where scripts run: the menu shows where one is, code can be copied.
"use strict";
for (const menu of document.querySelectorAll(".menu")) {
  const here = menu.querySelector("[aria-current]");
  const isColumn = getComputedStyle(menu).position === "sticky";
  if (here && isColumn) menu.scrollTop = here.offsetTop - menu.clientHeight / 3;
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
