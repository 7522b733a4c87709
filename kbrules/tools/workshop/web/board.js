// A picture of a board: legal hexes marked, chosen by mouse or by arrow keys.
const SVG = "http://www.w3.org/2000/svg";

export function svgOf(text) {
  return document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
}

export function board(text) {
  const svg = svgOf(text);
  svg.classList.add("board");
  return svg;
}

export const hexesOf = (svg) => [...svg.querySelectorAll("[data-hex]")];

const middle = (hex) => {
  const box = hex.querySelector("polygon").getBBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

// A dashed rim and a dot: told by shape, not by colour alone.
export function markLegal(svg, names) {
  const legal = new Set(names);
  for (const hex of hexesOf(svg)) {
    if (!legal.has(hex.dataset.hex)) continue;
    const rim = hex.querySelector("polygon").cloneNode();
    rim.setAttribute("class", "legal-mark");
    rim.removeAttribute("fill");
    const dot = document.createElementNS(SVG, "circle");
    dot.setAttribute("class", "legal-dot");
    const numbers = rim.getAttribute("points").trim().split(/[ ,]+/).map(Number);
    const xs = numbers.filter((_, index) => index % 2 === 0);
    const ys = numbers.filter((_, index) => index % 2 === 1);
    dot.setAttribute("cx", (Math.min(...xs) + Math.max(...xs)) / 2);
    dot.setAttribute("cy", (Math.min(...ys) + Math.max(...ys)) / 2);
    dot.setAttribute("r", 4);
    hex.append(rim, dot);
    const title = hex.querySelector("title");
    title.textContent += ", legal";
  }
}

// Hexes answer to clicks and to Enter; arrow keys go to the nearest hex of that direction.
export function choosable(svg, choose) {
  const hexes = hexesOf(svg);
  hexes.forEach((hex, index) => hex.setAttribute("tabindex", index ? "-1" : "0"));
  svg.addEventListener("click", (event) => {
    const hex = event.target.closest("[data-hex]");
    if (hex) choose(hex.dataset.hex);
  });
  svg.addEventListener("keydown", (event) => {
    const hex = event.target.closest("[data-hex]");
    if (!hex) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      choose(hex.dataset.hex);
      return;
    }
    const next = beside(hexes, hex, event.key);
    if (next) {
      event.preventDefault();
      hex.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    }
  });
}

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function beside(hexes, hex, key) {
  const way = WAYS[key];
  if (!way) return null;
  const from = middle(hex);
  let best = null;
  let least = Infinity;
  for (const other of hexes) {
    if (other === hex) continue;
    const to = middle(other);
    const [x, y] = [to.x - from.x, to.y - from.y];
    const along = x * way[0] + y * way[1];
    const across = Math.abs(x * way[1]) + Math.abs(y * way[0]);
    const far = along + 2 * across;
    if (along > 1 && across <= along + 1 && far < least) [best, least] = [other, far];
  }
  return best;
}

export function focusHex(svg, name) {
  const hex = hexesOf(svg).find((each) => each.dataset.hex === name);
  if (!hex) return;
  hexesOf(svg).forEach((each) => each.setAttribute("tabindex", "-1"));
  hex.setAttribute("tabindex", "0");
  hex.focus();
}
