// The part of a drawing that is in view: moved by dragging, by keys and by buttons, zoomed by the wheel and by two
// fingers. The sheet is moved by a CSS transform, so that nothing in it is drawn anew.
const LEAST = 0.05;
const MOST = 3;
const STEP = 1.25;
const EDGE = 16;
const SLACK = 4;
const SETTLED_MS = 150;
const LEAST_HEIGHT = 340;
const LEGIBLE = 0.7;
const READING = 0.85;

/** Let a sheet of this size be moved about in its frame. `moved` is told where it is; `covered` is what it has no room in. */
export const openView = (frame, sheet, { size, moved, covered = () => ({ w: 0, h: 0 }), kept = "" }) => {
  const at = { x: 0, y: 0, k: 1 };
  let due = 0;
  let drawnAt = 0;
  let settling;

  // A sheet of its own layer is moved without being drawn again, fastest by whole pixels and at the scale it was drawn
  // at; while it is zoomed it is stretched, and drawn anew when that has come to rest.
  const settleScale = () => {
    drawnAt = at.k;
    const { width, height } = size();
    Object.assign(sheet.firstElementChild.style, { width: `${width * at.k}px`, height: `${height * at.k}px` });
  };
  const show = () => {
    due = 0;
    if (!drawnAt) settleScale();
    const stretch = at.k / drawnAt;
    const [x, y] = stretch === 1 ? [Math.round(at.x), Math.round(at.y)] : [at.x, at.y];
    sheet.style.transform = `translate(${x}px, ${y}px) scale(${stretch})`;
    moved(at);
    clearTimeout(settling);
    if (stretch !== 1) settling = setTimeout(() => (settleScale(), show()), SETTLED_MS);
  };
  const later = () => {
    due ||= requestAnimationFrame(show);
  };
  const room = () => {
    const { w, h } = covered();
    return { w: Math.max(120, frame.clientWidth - w), h: Math.max(80, frame.clientHeight - h) };
  };

  const zoom = (factor, x = room().w / 2, y = room().h / 2) => {
    const k = Math.min(MOST, Math.max(LEAST, at.k * factor));
    at.x = x - ((x - at.x) * k) / at.k;
    at.y = y - ((y - at.y) * k) / at.k;
    at.k = k;
    later();
  };
  const pan = (dx, dy) => {
    at.x += dx;
    at.y += dy;
    later();
  };
  const fit = (least = LEAST) => {
    const { width, height } = size();
    const { w, h } = room();
    const k = Math.min((w - 2 * EDGE) / width, (h - 2 * EDGE) / height, 1.1);
    at.k = Math.max(k, least);
    at.x = k < least ? EDGE : (w - width * at.k) / 2;
    at.y = (h - height * at.k) / 2;
    later();
  };
  const centre = (box, k = at.k) => {
    const { w, h } = room();
    at.k = k;
    at.x = w / 2 - (box.x + box.w / 2) * k;
    at.y = h / 2 - (box.y + box.h / 2) * k;
    later();
  };
  /** Move as little as it takes to see a box. */
  const reveal = (box) => {
    const { w, h } = room();
    const [left, top] = [at.x + box.x * at.k, at.y + box.y * at.k];
    const [right, low] = [left + box.w * at.k, top + box.h * at.k];
    if (left < EDGE || right > w - EDGE) at.x += left < EDGE || box.w * at.k > w ? EDGE - left : w - EDGE - right;
    if (top < EDGE || low > h - EDGE) at.y += top < EDGE ? EDGE - top : h - EDGE - low;
    later();
  };
  /** Take as much height as the drawing needs, within the window. */
  const settle = () => {
    const { width, height } = size();
    const k = Math.min(1, (frame.clientWidth - 2 * EDGE) / width);
    const wanted = height * Math.max(k, LEGIBLE) + 2 * EDGE;
    frame.style.height = `${Math.max(LEAST_HEIGHT, Math.min(wanted, innerHeight * 0.8))}px`;
  };
  /** Begin with all of it, or, where that could not be read, with a box at the left. */
  const begin = (box) => {
    const { width, height } = size();
    const { w, h } = room();
    if (Math.min(w / width, h / height) >= LEGIBLE || !box) return fit();
    at.k = Math.min(READING, (w - 2 * EDGE) / (box.w * 1.2));
    at.x = EDGE - box.x * at.k;
    at.y = h / 2 - (box.y + box.h / 2) * at.k;
    return later();
  };

  const keep = () => {
    try {
      sessionStorage.setItem(kept, JSON.stringify(at));
    } catch {
      // A browser that keeps nothing begins at the conclusion again.
    }
  };
  const restore = () => {
    try {
      const before = JSON.parse(sessionStorage.getItem(kept));
      if (![before.x, before.y, before.k].every(Number.isFinite)) return false;
      Object.assign(at, before);
      later();
      return true;
    } catch {
      return false;
    }
  };
  addEventListener("pagehide", keep);

  // Dragging, and two fingers.
  const fingers = new Map();
  let dragging = false;
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return { d: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  };
  const place = (event) => {
    const { left, top } = frame.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  frame.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    if (!fingers.size) dragging = false;
    fingers.set(event.pointerId, place(event));
  });
  frame.addEventListener("pointermove", (event) => {
    const from = fingers.get(event.pointerId);
    if (!from) return;
    const to = place(event);
    if (!dragging && Math.hypot(to.x - from.x, to.y - from.y) < SLACK) return;
    if (!dragging) {
      dragging = true;
      frame.setPointerCapture(event.pointerId);
      frame.dataset.moving = "";
    }
    if (fingers.size === 1) {
      pan(to.x - from.x, to.y - from.y);
      fingers.set(event.pointerId, to);
    } else {
      const before = spread();
      fingers.set(event.pointerId, to);
      const after = spread();
      pan(after.x - before.x, after.y - before.y);
      if (before.d) zoom(after.d / before.d, after.x, after.y);
    }
  });
  const lifted = (event) => {
    fingers.delete(event.pointerId);
    if (!fingers.size) delete frame.dataset.moving;
  };
  frame.addEventListener("pointerup", lifted);
  frame.addEventListener("pointercancel", lifted);
  // The end of a drag is no click on what happens to lie under it.
  frame.addEventListener(
    "click",
    (event) => {
      if (!dragging) return;
      dragging = false;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
  frame.addEventListener("dragstart", (event) => event.preventDefault());
  // A page that is scrolled past the drawing goes on scrolling; whoever is in the drawing zooms.
  frame.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey && !frame.contains(document.activeElement)) return;
      event.preventDefault();
      const { x, y } = place(event);
      zoom(Math.exp(-event.deltaY / (event.ctrlKey ? 100 : 500)), x, y);
    },
    { passive: false },
  );
  // The browser scrolls to what is focused; here the sheet is moved instead.
  frame.addEventListener("scroll", () => frame.scrollTo(0, 0));
  new ResizeObserver(later).observe(frame);
  settle();

  return { at, room, zoom, pan, fit, centre, reveal, begin, restore, step: STEP };
};
