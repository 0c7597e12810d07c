// A drawing of thousands of claims: only the boxes in view are elements of the page, and from afar they are rectangles
// on a canvas. What is drawn is what the server worked out, to the pixel.
import { hueOf } from "./graph-boxes.js";

const SVG = "http://www.w3.org/2000/svg";
const FAR = 0.4;
const AROUND = 0.5;
const MOST_LINES = 6000;

const element = (name, attributes, ...inside) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
};

const rectangle = (look, { x, y, w, h }, around = 0) =>
  element("rect", {
    class: look,
    x: x - around,
    y: y - around,
    width: w + 2 * around,
    height: h + 2 * around,
    rx: 6 + around,
  });

const written = ([x, y, look, words, length]) =>
  element("text", { class: look, x, y, ...(length ? { textLength: length, lengthAdjust: "spacingAndGlyphs" } : {}) }, words);

const boxed = (box, href) => {
  const { x, y, w, h } = box;
  const parts = [
    rectangle("box", box),
    ...(box.look.split(" ").includes("cut") ? [rectangle("ring", box, 3.5)] : []),
    element("path", { class: "stripe", d: `M${x + 4} ${y}h-1a3 6 0 0 0 -3 6v${h - 12}a3 6 0 0 0 3 6h1z` }),
    ...box.texts.map(written),
  ];
  if (box.line) {
    parts.push(element("circle", { class: "disc", cx: x, cy: y + h / 2, r: 8 }));
    parts.push(element("text", { class: "number", x, y: y + h / 2 + 3.5, "text-anchor": "middle" }, String(box.line)));
  }
  if (box.more)
    parts.push(element("text", { class: "more", x: x + w, y: y + h + 10, "text-anchor": "end" }, `+${box.more}`));
  return element(
    "a",
    { id: box.dom, class: box.look, href: href(box.id), tabindex: -1, "aria-label": box.label, "data-id": box.id },
    ...parts,
  );
};

const drawnWay = (way) =>
  element(
    "g",
    { class: way.look },
    element("path", { d: way.path }),
    ...(way.head ? [element("path", { class: "head", d: way.head })] : []),
  );

const drawnJoint = ({ at: [cx, cy], path, head, look }) =>
  element(
    "g",
    { class: look },
    element("path", { d: path }),
    element("path", { class: "head", d: head }),
    element("circle", { class: "dot", cx, cy, r: 4 }),
  );

const spans = (items) => Float32Array.from(items.flatMap((item) => item.span));

/** Draw into a sheet; `href` gives a box its address, `looks` the classes it has just now, `current` who is focused. */
export const culledDrawing = (frame, sheet, drawing, graph, { href, looks, wayLooks, current, colours }) => {
  const { width, height } = graph;
  const label = `argument of ${graph.boxes.length} claims`;
  const svg = element("svg", { class: "graph", role: "group", "aria-label": label, width, height, viewBox: `0 0 ${width} ${height}` });
  const [lines, nodes] = [element("g", { class: "edges", "aria-hidden": "true" }), element("g", { class: "nodes" })];
  svg.append(lines, nodes);
  sheet.replaceChildren(svg);
  const canvas = document.createElement("canvas");
  canvas.className = "graph-far";
  canvas.setAttribute("aria-hidden", "true");
  frame.prepend(canvas);

  const ways = [
    ...drawing.ways,
    ...drawing.joints.map((joint) => {
      const { x, y, w, h } = graph.boxes[joint.end];
      return { look: "edge supports joint", ...joint, span: [x, y, x + w + 40, y + h], joint: true };
    }),
  ];
  const waySpans = spans(ways);
  const boxSpans = spans(graph.boxes.map(({ x, y, w, h }) => ({ span: [x - 12, y - 8, x + w + 40, y + h + 8] })));
  const [drawnBoxes, drawnWays] = [new Map(), new Map()];
  let drawn = null;
  let isFar = null;

  const inside = (all, area) => {
    const hits = [];
    for (let place = 0, i = 0; i < all.length; place += 1, i += 4)
      if (all[i] < area.right && all[i + 2] > area.left && all[i + 1] < area.bottom && all[i + 3] > area.top) hits.push(place);
    return hits;
  };

  const take = (wanted, there, parent, make) => {
    for (const [place, each] of there)
      if (!wanted.has(place) && !each.contains(document.activeElement)) {
        each.remove();
        there.delete(place);
      }
    const fresh = [];
    for (const place of wanted)
      if (!there.has(place)) {
        const made = make(place);
        there.set(place, made);
        fresh.push(made);
      }
    parent.append(...fresh);
  };

  const restyle = (place) => {
    const made = drawnBoxes.get(place);
    if (!made) return;
    made.setAttribute("class", `${graph.boxes[place].look} ${looks(place)}`.trim());
    made.setAttribute("tabindex", place === current() ? 0 : -1);
  };

  const restyleWay = (place) => {
    const way = ways[place];
    drawnWays.get(place).setAttribute("class", `${way.look} ${wayLooks(way.ends ?? [way.end, way.end])}`.trim());
  };
  const restyleAll = () => {
    for (const place of drawnBoxes.keys()) restyle(place);
    for (const place of drawnWays.keys()) restyleWay(place);
  };

  const area = ({ x, y, k }, around) => {
    const [w, h] = [frame.clientWidth / k, frame.clientHeight / k];
    const [left, top] = [-x / k, -y / k];
    return { left: left - w * around, top: top - h * around, right: left + w * (1 + around), bottom: top + h * (1 + around) };
  };
  const holds = (outer, inner) =>
    outer && outer.left <= inner.left && outer.top <= inner.top && outer.right >= inner.right && outer.bottom >= inner.bottom;

  const near = (at) => {
    if (!isFar && holds(drawn, area(at, 0))) return;
    drawn = area(at, AROUND);
    take(new Set([...inside(boxSpans, drawn), current()]), drawnBoxes, nodes, (place) => boxed(graph.boxes[place], href));
    take(new Set(inside(waySpans, drawn)), drawnWays, lines, (place) => (ways[place].joint ? drawnJoint : drawnWay)(ways[place]));
    restyleAll();
  };

  const alone = () => {
    drawn = null;
    take(new Set([current()]), drawnBoxes, nodes, (place) => boxed(graph.boxes[place], href));
    take(new Set(), drawnWays, lines);
    for (const place of drawnBoxes.keys()) restyle(place);
  };

  const byHue = (places) => {
    const groups = new Map();
    for (const place of places) {
      const [hue, dims] = [hueOf(graph.boxes[place].look), looks(place).includes("dim")];
      const key = `${hue} ${dims}`;
      if (!groups.has(key)) groups.set(key, { hue, dims, places: [] });
      groups.get(key).places.push(place);
    }
    return groups.values();
  };

  const far = ({ x, y, k }) => {
    const ratio = devicePixelRatio;
    const [w, h] = [frame.clientWidth, frame.clientHeight];
    if (canvas.width !== Math.round(w * ratio)) canvas.width = Math.round(w * ratio);
    if (canvas.height !== Math.round(h * ratio)) canvas.height = Math.round(h * ratio);
    const pen = canvas.getContext("2d");
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.setTransform(k * ratio, 0, 0, k * ratio, x * ratio, y * ratio);
    const seen = area({ x, y, k }, 0);
    const shown = inside(waySpans, seen);
    if (shown.length <= MOST_LINES) {
      pen.beginPath();
      for (const place of shown) {
        const { ends } = ways[place];
        if (!ends) continue;
        const [src, dst] = ends.map((end) => graph.boxes[end]);
        pen.moveTo(src.x, src.y + src.h / 2);
        pen.lineTo(dst.x + dst.w, dst.y + dst.h / 2);
      }
      pen.strokeStyle = colours.colour("line");
      pen.lineWidth = 1 / k;
      pen.stroke();
    }
    for (const { hue, dims, places } of byHue(inside(boxSpans, seen))) {
      pen.beginPath();
      for (const place of places) {
        const box = graph.boxes[place];
        pen.rect(box.x, box.y, box.w, box.h);
      }
      pen.globalAlpha = dims ? 0.2 : 1;
      pen.fillStyle = colours.colour(hue);
      pen.fill();
    }
    pen.globalAlpha = 1;
  };

  /** The box under a place of the frame, where boxes are not elements. */
  const under = ({ x, y, k }, px, py) => {
    const [sx, sy] = [(px - x) / k, (py - y) / k];
    return graph.boxes.findIndex((box) => sx >= box.x && sx <= box.x + box.w && sy >= box.y && sy <= box.y + box.h);
  };

  const draw = (at) => {
    const turned = at.k < FAR;
    if (turned !== isFar) {
      isFar = turned;
      canvas.hidden = !turned;
      drawn = null;
    }
    if (isFar) {
      far(at);
      if (!drawnBoxes.has(current()) || drawnBoxes.size > 1) alone();
    } else near(at);
  };

  return {
    draw,
    under,
    isFar: () => isFar,
    element: (place) => drawnBoxes.get(place),
    /** Draw again where classes or colours have changed. */
    refresh: (at) => {
      if (isFar) {
        alone();
        far(at);
      } else restyleAll();
    },
    counted: () => drawnBoxes.size,
  };
};
