// The turn on the board, above all hexes: what came, left, was lifted and went, the last move boldest.
const SVG = "http://www.w3.org/2000/svg";
const overlay = document.createElementNS(SVG, "g");
overlay.setAttribute("class", "overlay");
document.querySelector(".view > svg").append(overlay);

function shape(name, attributes, into = overlay) {
  for (const layer of ["under", "over"]) {
    const made = document.createElementNS(SVG, name);
    made.setAttribute("class", `${attributes.class} ${layer}`);
    for (const key in attributes) if (key !== "class") made.setAttribute(key, attributes[key]);
    into.append(made);
  }
}

function outline(number, kind) {
  const points = hexes[number].group.querySelector("polygon").getAttribute("points");
  shape("polygon", { points, class: kind });
}

// A bent line from hex to hex with a head; it ends before the middle, where a piece stands.
function arrow(from, to, kind) {
  const [a, b] = [hexes[from], hexes[to]];
  const long = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [right, down] = [(b.x - a.x) / long, (b.y - a.y) / long];
  const bend = Math.min(18, long / 6);
  const middle = [(a.x + b.x) / 2 + down * bend, (a.y + b.y) / 2 - right * bend];
  const angle = Math.atan2(b.y - middle[1], b.x - middle[0]);
  const end = [b.x - 11 * Math.cos(angle), b.y - 11 * Math.sin(angle)];
  const text = (point) => point.map((value) => value.toFixed(1)).join(" ");
  shape("path", { d: `M${a.x} ${a.y}Q${text(middle)} ${text(end)}`, class: `way ${kind}` });
  const wing = (turn) => [end[0] - 9 * Math.cos(angle + turn), end[1] - 9 * Math.sin(angle + turn)];
  shape("path", { d: `M${text(wing(0.5))}L${text(end)}L${text(wing(-0.5))}z`, class: `head ${kind}` });
}

function mark() {
  overlay.replaceChildren(...overlay.querySelectorAll(".focus"));
  for (const old of document.querySelectorAll("g.new, g.lifted")) old.classList.remove("new", "lifted");
  const begin = data.turns.findLast(([number]) => number < now)?.[0] ?? 0;
  for (let number = begin + 1; number <= now; number++)
    for (const [sign, ...where] of data.trails[number - 1]) drawTrail(sign, where, number === now);
  if (now) follow(data.trails[now - 1].map((each) => each[each.length - 1]));
}

function drawTrail(sign, where, isLast) {
  const kind = isLast ? "new" : "turn";
  const to = where[where.length - 1];
  if (sign === "went") arrow(where[0], to, kind);
  if (sign === "went") outline(where[0], `lifted ${kind}`);
  if (sign !== "lifted" || isLast) outline(to, `${sign} ${kind}`);
  if (isLast) hexes[to].group.classList.add(sign === "lifted" ? "lifted" : "new");
}

function focusRing(group) {
  const ring = group.querySelector("polygon").cloneNode();
  ring.setAttribute("class", "focus");
  ring.removeAttribute("fill");
  overlay.append(ring);
}
