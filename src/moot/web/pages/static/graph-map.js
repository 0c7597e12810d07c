// The whole drawing in a corner, with the part of it that is in view.
import { hueOf } from "./graph-boxes.js";

/** Draw a map on a canvas; return what draws it for a place, and what draws it anew. */
export const openMap = (canvas, graph, view, colours, room) => {
  const { width, height } = canvas;
  const ratio = Math.max(1, devicePixelRatio);
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const still = document.createElement("canvas");
  const scale = Math.min(width / graph.width, height / graph.height);
  const [left, top] = [(width - graph.width * scale) / 2, (height - graph.height * scale) / 2];

  const paint = () => {
    still.width = canvas.width;
    still.height = canvas.height;
    const pen = still.getContext("2d");
    pen.setTransform(scale * ratio, 0, 0, scale * ratio, left * ratio, top * ratio);
    const least = 1.2 / scale;
    for (const box of graph.boxes) {
      pen.fillStyle = colours.colour(hueOf(box.look));
      pen.fillRect(box.x, box.y, Math.max(least, box.w), Math.max(least, box.h));
    }
  };

  const draw = ({ x, y, k }) => {
    const { w, h } = room();
    // Where all of it is in view, a map would only be in the way.
    canvas.hidden = x >= 0 && y >= 0 && x + graph.width * k <= w && y + graph.height * k <= h;
    if (canvas.hidden) return;
    const pen = canvas.getContext("2d");
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(still, 0, 0);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.strokeStyle = colours.colour("accent");
    pen.lineWidth = 1.5;
    pen.strokeRect(left + (-x / k) * scale, top + (-y / k) * scale, (w / k) * scale, (h / k) * scale);
  };

  const go = (event) => {
    const [sx, sy] = [(event.offsetX - left) / scale, (event.offsetY - top) / scale];
    view.centre({ x: sx, y: sy, w: 0, h: 0 });
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    go(event);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (event.buttons) go(event);
  });
  paint();
  return { draw, paint };
};
