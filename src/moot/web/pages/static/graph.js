// The argument's page: the drawing is moved and walked through, and the drawer of a claim opens in it.
// Whatever is drawn or told was worked out by the server.
import { boxesIn, boxesOf, isDirection, neighbour, palette } from "./graph-boxes.js";
import { culledDrawing } from "./graph-culled.js";
import { claimNow, openDrawer } from "./graph-drawer.js";
import { openMap } from "./graph-map.js";
import { openView } from "./graph-view.js";
import { announce } from "./swap.js";

const STRIDE = 80;
const SHIFTS = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

const byId = (id) => document.getElementById(id);

/** A drawing whose boxes are all elements of the page. */
const wholeDrawing = (sheet) => {
  const svg = sheet.querySelector("svg");
  const graph = boxesOf(svg);
  const elements = graph.boxes.map((box) => byId(box.dom));
  const places = new Map(graph.boxes.map((box, place) => [box.dom, place]));
  const edges = [...svg.querySelectorAll(".edge")].map((edge) => ({
    edge,
    look: edge.getAttribute("class"),
    ends: [places.get(edge.dataset.src) ?? places.get(edge.dataset.dst), places.get(edge.dataset.dst)],
  }));
  // What the server marked for a page without scripts is marked here from now on; what was looked for stays marked.
  const marked = svg.closest("[data-searching]") ? /\b(chosen|near)\b/g : /\b(chosen|near|dim)\b/g;
  for (const box of graph.boxes) box.look = box.look.replace(marked, "").trim();
  return {
    graph,
    drawer: ({ looks, wayLooks, current }) => {
      const set = (element, name, value) => {
        if (element.getAttribute(name) !== value) element.setAttribute(name, value);
      };
      const refresh = () => {
        graph.boxes.forEach((box, place) => {
          set(elements[place], "class", `${box.look} ${looks(place)}`.trim());
          set(elements[place], "tabindex", place === current() ? "0" : "-1");
        });
        for (const { edge, look, ends } of edges) set(edge, "class", `${look} ${wayLooks(ends)}`.trim());
      };
      return { draw: () => {}, refresh, isFar: () => false, element: (place) => elements[place] };
    },
  };
};

/** A drawing of which only what is in view is in the page. */
const partDrawing = async (frame, view, sheet, link, colours) => {
  const response = await fetch(frame.dataset.drawing);
  if (!response.ok) throw new Error(`the drawing could not be fetched: ${response.status}`);
  const drawing = await response.json();
  const graph = boxesIn(drawing);
  const href = (id) => `${link}${encodeURIComponent(id)}`;
  return { graph, drawer: (told) => culledDrawing(view, sheet, drawing, graph, { ...told, href, colours }) };
};

const open = async () => {
  const [frame, pane, sheet, aside] = ["graph", "graph-view", "graph-sheet", "drawer"].map(byId);
  if (!frame) return;
  const colours = palette(frame);
  const { graph, drawer } = frame.dataset.drawing
    ? await partDrawing(frame, pane, sheet, frame.dataset.link, colours)
    : wholeDrawing(sheet);
  performance.mark("graph begun");
  frame.dataset.live = "";

  const placeOf = new Map(graph.boxes.map((box, place) => [box.id, place]));
  const root = Math.max(0, placeOf.get(frame.dataset.root) ?? graph.boxes.findIndex((box) => box.layer === 0));
  let chosen = placeOf.get(claimNow()) ?? -1;
  let current = chosen >= 0 ? chosen : root;
  const beside = (place) => graph.behind[chosen].includes(place) || graph.ahead[chosen].includes(place);
  const looks = (place) => {
    if (chosen < 0) return "";
    if (place === chosen) return "chosen";
    return beside(place) ? "near" : "dim";
  };
  // What was looked for is marked by the server; a line to what was not is as faint as that.
  const isFaint = (place) => / dim\b/.test(graph.boxes[place].look);
  const wayLooks = (ends) => (chosen < 0 ? ends.some(isFaint) : !ends.includes(chosen)) ? "dim" : "";
  const drawn = drawer({ looks, wayLooks, current: () => current });

  // The drawer lies at the right, and on a narrow screen at the bottom.
  const covered = () => {
    const { hidden, offsetWidth: w, offsetHeight: h } = aside;
    if (hidden) return { w: 0, h: 0 };
    return w > frame.clientWidth * 0.7 ? { w: 0, h } : { w, h: 0 };
  };
  let map;
  const view = openView(pane, sheet, {
    size: () => graph,
    covered,
    kept: `graph ${location.pathname} ${graph.width} ${graph.height} ${pane.clientWidth}`,
    moved: (at) => {
      drawn.draw(at);
      map?.draw(at);
    },
  });
  map = openMap(byId("graph-map"), graph, view, colours, view.room);
  if (!view.restore()) view.begin(graph.boxes[root]);
  drawn.refresh(view.at);
  performance.measure("graph drawn", "graph begun");

  const goTo = (place, { focus = true } = {}) => {
    current = place;
    if (drawn.isFar()) view.centre(graph.boxes[place], 0.8);
    else view.reveal(graph.boxes[place]);
    // The box may have to be drawn before it can be focused.
    requestAnimationFrame(() => {
      drawn.draw(view.at);
      drawn.refresh(view.at);
      if (focus) drawn.element(place)?.focus({ preventScroll: true });
    });
  };

  const told = openDrawer(aside, (claim) => {
    const before = chosen;
    chosen = placeOf.get(claim) ?? -1;
    if (chosen >= 0) goTo(chosen, { focus: false });
    else {
      drawn.refresh(view.at);
      if (!claim && before >= 0) goTo(before);
    }
  });
  if (chosen >= 0) view.reveal(graph.boxes[chosen]);
  if (told.isOpen() && !location.hash) aside.scrollIntoView({ block: "nearest" });

  pane.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const node = event.target.closest(".node");
    const { left, top } = pane.getBoundingClientRect();
    const place = node
      ? placeOf.get(node.dataset.id)
      : drawn.isFar() ? drawn.under(view.at, event.clientX - left, event.clientY - top) : -1;
    if (place === undefined || place < 0) return;
    event.preventDefault();
    // A click that no pointer made came from a key.
    told.open(graph.boxes[place].id, { focus: event.detail === 0 });
  });

  pane.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const shift = event.shiftKey && SHIFTS[event.key];
    if (shift) view.pan(...shift.map((way) => way * STRIDE));
    else if (isDirection(event.key)) {
      const place = neighbour(graph, current, event.key);
      if (place === undefined) announce("Nothing further there.");
      else goTo(place);
    } else if (event.key === "Home") goTo(root);
    else if (event.key === " ") told.open(graph.boxes[current].id, { focus: true });
    else return;
    event.preventDefault();
  });
  pane.addEventListener("focusin", (event) => {
    const place = placeOf.get(event.target.closest(".node")?.dataset.id);
    if (place === undefined || place === current) return;
    current = place;
    drawn.refresh(view.at);
  });
  // Wherever the focus is, as after a reload: only a field beside the drawer keeps the key for itself.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !told.isOpen() || document.querySelector("dialog[open]")) return;
    if (event.target.closest("input, textarea, select") && !aside.contains(event.target)) return;
    event.preventDefault();
    told.close();
  });

  const tools = {
    in: () => view.zoom(view.step),
    out: () => view.zoom(1 / view.step),
    fit: () => view.fit(),
    left: () => view.pan(STRIDE, 0),
    right: () => view.pan(-STRIDE, 0),
    up: () => view.pan(0, STRIDE),
    down: () => view.pan(0, -STRIDE),
  };
  for (const button of frame.querySelectorAll("[data-graph]"))
    button.addEventListener("click", () => tools[button.dataset.graph]());
  for (const hidden of document.querySelectorAll(".graph-zoom, .keys-help")) hidden.hidden = false;

  // Wherever the page names a claim, its drawer opens in the drawing.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-claim]");
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (!aside.contains(link)) frame.scrollIntoView({ block: "center" });
    told.open(link.dataset.claim, { focus: event.detail === 0 || !placeOf.has(link.dataset.claim) });
  });
  addEventListener("popstate", () => {
    const claim = claimNow();
    if (claim) told.open(claim, { push: false });
    else if (told.isOpen()) told.close({ push: false });
  });

  const recolour = () => {
    colours.forget();
    map.paint();
    map.draw(view.at);
    drawn.refresh(view.at);
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
  new MutationObserver(recolour).observe(document.documentElement, { attributeFilter: ["data-theme"] });
};

document.addEventListener("moot:news", () => {
  for (const news of document.querySelectorAll("[data-news]")) news.hidden = false;
});
open();
