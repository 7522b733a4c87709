// The size of the board: the first grid fits the view, further ones are reached by moving down.
const view = element("view");
const picture = view.querySelector("svg");
const sizes = [1, 1.5, 2, 3, 4];
let size = 1;

// How high the view may be: what the heading and the buttons leave.
function room() {
  const left = window.innerHeight - document.querySelector(".panel").offsetHeight - 110;
  return Math.max(320, left);
}

// How wide the picture is at size 1: as wide as the view, unless the first grid were too high.
function fitting() {
  const { width } = picture.viewBox.baseVal;
  return Math.min(view.clientWidth, Math.max(300, (room() * width) / data.high));
}

function zoom(wanted, x = view.clientWidth / 2, y = view.clientHeight / 2) {
  const before = picture.getBoundingClientRect();
  const frame = view.getBoundingClientRect();
  const at = [(frame.left + x - before.left) / before.width, (frame.top + y - before.top) / before.height];
  view.style.maxHeight = `${room()}px`;
  size = Math.max(1, Math.min(sizes[sizes.length - 1], wanted));
  picture.style.width = `${fitting() * size}px`;
  const after = picture.getBoundingClientRect();
  const left = view.scrollLeft + after.left + at[0] * after.width - frame.left - x;
  const top = view.scrollTop + after.top + at[1] * after.height - frame.top - y;
  view.scrollTo({ left, top, behavior: "instant" });
  element("size").textContent = `${Math.round(size * 100)} %`;
}

// What the move changed stays in view.
function resize(wanted) {
  zoom(wanted);
  followMove();
}

const larger = () => resize(sizes.find((each) => each > size + 0.01) ?? size);
const smaller = () => resize([...sizes].reverse().find((each) => each < size - 0.01) ?? 1);
element("larger").addEventListener("click", larger);
element("smaller").addEventListener("click", smaller);
element("whole").addEventListener("click", () => zoom(1));
Object.assign(keys, { "+": larger, "=": larger, "-": smaller, 0: () => zoom(1) });
window.addEventListener("resize", () => zoom(size));
view.addEventListener("wheel", (event) => {
  if (!event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  const frame = view.getBoundingClientRect();
  zoom(size * Math.exp(-event.deltaY / 300), event.clientX - frame.left, event.clientY - frame.top);
}, { passive: false });

// Two fingers change the size by as much as they go apart.
let pinch = null;
const apart = ([one, other]) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
view.addEventListener("touchstart", (event) => {
  pinch = event.touches.length === 2 ? { apart: apart(event.touches), size } : null;
}, { passive: true });
view.addEventListener("touchmove", (event) => {
  if (!pinch || event.touches.length !== 2) return;
  event.preventDefault();
  const [one, other] = event.touches;
  const frame = view.getBoundingClientRect();
  const x = (one.clientX + other.clientX) / 2 - frame.left;
  const y = (one.clientY + other.clientY) / 2 - frame.top;
  zoom((pinch.size * apart(event.touches)) / pinch.apart, x, y);
}, { passive: false });
view.addEventListener("touchend", () => { pinch = null; });

// A mouse drags the board; a finger does so by itself.
let dragged = null;
view.addEventListener("pointerdown", (event) => {
  if (event.pointerType === "mouse" && event.button === 0) dragged = [event.clientX, event.clientY];
});
window.addEventListener("pointermove", (event) => {
  if (!dragged) return;
  view.classList.add("drag");
  view.scrollBy({ left: dragged[0] - event.clientX, top: dragged[1] - event.clientY, behavior: "instant" });
  dragged = [event.clientX, event.clientY];
});
window.addEventListener("pointerup", () => {
  dragged = null;
  view.classList.remove("drag");
});

// What the last move that changed the board did is brought into view.
function followMove() {
  const trail = data.trails.slice(0, now).findLast((each) => each.length) ?? [];
  follow(trail.map((each) => each[each.length - 1]));
}

function follow(numbers) {
  if (!numbers.length) return;
  const frame = view.getBoundingClientRect();
  const boxes = numbers.map((number) => hexes[number].group.querySelector("polygon").getBoundingClientRect());
  const box = boxes[boxes.length - 1];
  const hidden = box.left < frame.left || box.right > frame.right || box.top < frame.top || box.bottom > frame.bottom;
  if (!hidden) return;
  view.scrollBy({
    left: (box.left + box.right - frame.left - frame.right) / 2,
    top: (box.top + box.bottom - frame.top - frame.bottom) / 2,
  });
}
zoom(1);
