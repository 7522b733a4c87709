// Something carried by the mouse or a finger: from a sign of the palette, or from a hex, to a hex.
const FAR = 6; // pixels; a shorter way is a click

const hexAt = ({ clientX, clientY }) => document.elementFromPoint(clientX, clientY)?.closest?.("[data-hex]");

// `carried`: a word for what is carried, or null if there is nothing; `drop`: told the hex.
export function carry(event, carried, drop) {
  if (event.button !== 0 || !carried) return;
  const from = { x: event.clientX, y: event.clientY };
  let ghost = null;
  let over = null;
  const follow = (move) => {
    if (!ghost && Math.hypot(move.clientX - from.x, move.clientY - from.y) < FAR) return;
    move.preventDefault();
    if (!ghost) {
      ghost = document.createElement("div");
      ghost.className = "carried";
      ghost.textContent = carried;
      document.body.append(ghost);
    }
    ghost.style.translate = `${move.clientX + 12}px ${move.clientY + 8}px`;
    const hex = hexAt(move);
    if (hex === over) return;
    over?.classList.remove("over");
    hex?.classList.add("over");
    over = hex;
  };
  const end = (last) => {
    for (const [name, does] of [["pointermove", follow], ["pointerup", end], ["pointercancel", end]]) removeEventListener(name, does);
    over?.classList.remove("over");
    if (!ghost) return;
    ghost.remove();
    const silence = (click) => click.stopPropagation(); // the click that ends it chooses nothing
    addEventListener("click", silence, { capture: true });
    setTimeout(() => removeEventListener("click", silence, { capture: true }), 0);
    const hex = last.type === "pointerup" ? hexAt(last) : null;
    if (hex) drop(hex);
  };
  addEventListener("pointermove", follow, { passive: false });
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}
