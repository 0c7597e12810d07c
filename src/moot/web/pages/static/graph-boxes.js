// Where the boxes of a drawing stand and what leads to what, whether they are in the page or only in view.
const NUMBERS = ["x", "y", "w", "h", "layer"];

const linked = (count, ends) => {
  const behind = Array.from({ length: count }, () => []);
  const ahead = Array.from({ length: count }, () => []);
  for (const [src, dst] of ends) {
    if (src === dst || src === undefined || dst === undefined) continue;
    behind[dst].push(src);
    ahead[src].push(dst);
  }
  return { behind, ahead };
};

/** The boxes of an SVG that the server has drawn. */
export const boxesOf = (svg) => {
  const elements = [...svg.querySelectorAll(".node")];
  const boxes = elements.map((element) => {
    const box = { id: element.dataset.id, dom: element.id, look: element.getAttribute("class") };
    for (const name of NUMBERS) box[name] = Number(element.dataset[name]);
    return box;
  });
  const places = new Map(boxes.map((box, place) => [box.dom, place]));
  const ends = [...svg.querySelectorAll(".edge[data-src]")].map(({ dataset }) => [
    places.get(dataset.src),
    places.get(dataset.dst),
  ]);
  const { width, height } = svg.viewBox.baseVal;
  return { boxes, width, height, ...linked(boxes.length, ends) };
};

/** The same of a drawing that came as data. */
export const boxesIn = (drawing) => {
  const boxes = drawing.boxes.map((box) => {
    const [x, y, w, h] = box.at;
    return { ...box, x, y, w, h };
  });
  const ends = drawing.ways.map((way) => way.ends);
  return { boxes, width: drawing.width, height: drawing.height, ...linked(boxes.length, ends) };
};

const middle = (box) => box.y + box.h / 2;

/** The box to go to from another: to what supports it, to what it supports, or along its column. */
export const neighbour = ({ boxes, behind, ahead }, place, key) => {
  const here = boxes[place];
  const nearest = (places) =>
    [...places].sort((a, b) => Math.abs(middle(boxes[a]) - middle(here)) - Math.abs(middle(boxes[b]) - middle(here)))[0];
  if (key === "ArrowRight") return nearest(behind[place]);
  if (key === "ArrowLeft") return nearest(ahead[place]);
  const down = key === "ArrowDown";
  const column = boxes
    .map((_, other) => other)
    .filter((other) => boxes[other].layer === here.layer && (down ? boxes[other].y > here.y : boxes[other].y < here.y));
  return nearest(column);
};

const DIRECTIONS = ["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown"];
export const isDirection = (key) => DIRECTIONS.includes(key);

/** What a class means in colour, in the theme that is on. */
const KINDS = { given: "given", assumption: "assumed", conclusion: "good", falls: "bad" };

export const hueOf = (look) => {
  const words = look.split(" ");
  const run = words.find((word) => word.startsWith("run-"));
  if (run) return `seat-${run.slice(4)}`;
  const kind = ["falls", "conclusion", "given", "assumption"].find((word) => words.includes(word));
  return KINDS[kind] ?? "soft";
};

/** A function that gives a custom property as a colour that a canvas understands. */
export const palette = (element) => {
  const known = new Map();
  const probe = document.createElement("i");
  probe.hidden = true;
  element.append(probe);
  return {
    colour: (name) => {
      if (!known.has(name)) {
        probe.style.color = `var(--${name})`;
        known.set(name, getComputedStyle(probe).color);
      }
      return known.get(name);
    },
    forget: () => known.clear(),
  };
};
