// A window on a list of any length: three pages of rows are in the document, whatever is scrolled to is fetched.
import { fragment } from "./fragments.js";
import { off } from "./keys.js";

const feed = document.getElementById("window");
const inspector = document.getElementById("inspector");
const size = Number(feed?.dataset.size ?? 100);
const pages = new Map();
let total = Number(feed?.dataset.total ?? 0);
let rowHeight = 40;
let room;
let current = null;

const address = (more) => {
  const query = new URLSearchParams(feed.dataset.query);
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  return `${feed.dataset.address}?${query}`;
};

const place = (page, box) => {
  box.style.top = `${page * size * rowHeight}px`;
  [...box.querySelectorAll("article")].forEach((row, at) => {
    row.setAttribute("aria-posinset", String(page * size + at + 1));
    row.setAttribute("aria-setsize", String(total));
    row.firstElementChild.tabIndex = -1;
  });
};

const load = async (page) => {
  if (pages.has(page) || page < 0 || page * size >= total) return pages.get(page);
  const box = document.createElement("div");
  box.className = "page";
  box.role = "presentation";
  pages.set(page, box);
  feed.setAttribute("aria-busy", "true");
  try {
    box.replaceChildren(await fragment(address({ start: page * size, fragment: "rows" })));
    place(page, box);
    room.append(box);
  } catch {
    pages.delete(page);
  } finally {
    feed.setAttribute("aria-busy", "false");
  }
  return box;
};

const look = async () => {
  const middle = Math.floor((feed.scrollTop + feed.clientHeight / 2) / (size * rowHeight));
  for (const [page, box] of pages) {
    if (Math.abs(page - middle) > 1) {
      box.remove();
      pages.delete(page);
    }
  }
  await Promise.all([middle, middle + 1, middle - 1].map(load));
  tell();
};

const tell = () => {
  const at = Math.floor(feed.scrollTop / rowHeight);
  const rows = pages.get(Math.floor(at / size))?.querySelectorAll(".event");
  const told = [...(rows ?? [])].slice(0, (at % size) + 1).findLast((row) => row.dataset.phase);
  if (told) document.getElementById("phase").textContent = told.dataset.phase;
};

const show = async (at) => {
  const wanted = Math.min(Math.max(at, 0), total - 1);
  await load(Math.floor(wanted / size));
  const row = pages.get(Math.floor(wanted / size))?.querySelectorAll(".event")[wanted % size];
  if (!row) return;
  const top = wanted * rowHeight;
  if (top < feed.scrollTop) feed.scrollTop = top;
  if (top + rowHeight > feed.scrollTop + feed.clientHeight) feed.scrollTop = top + rowHeight - feed.clientHeight;
  feed.querySelector("[aria-current]")?.removeAttribute("aria-current");
  row.setAttribute("aria-current", "true");
  row.tabIndex = 0;
  row.focus({ preventScroll: true });
  current = wanted;
};

const inspect = async (row) => {
  const url = new URL(row.href);
  inspector.replaceChildren(await fragment(`${url.pathname}${url.search}&fragment=event`));
  inspector.hidden = false;
  inspector.parentElement.classList.add("inspecting");
  history.replaceState(null, "", url);
};

const close = () => {
  inspector.hidden = true;
  inspector.parentElement.classList.remove("inspecting");
  if (current !== null) show(current);
};

const indexOf = (row) => Number(row.parentElement.getAttribute("aria-posinset")) - 1;

const begin = () => {
  const first = feed.querySelector(".event");
  rowHeight = first.getBoundingClientRect().height || rowHeight;
  room = document.createElement("div");
  room.className = "room";
  room.role = "presentation";
  room.style.height = `${total * rowHeight}px`;
  const start = Number(feed.dataset.start);
  const box = document.createElement("div");
  box.className = "page";
  box.role = "presentation";
  box.append(...feed.children);
  pages.set(Math.floor(start / size), box);
  place(Math.floor(start / size), box);
  room.append(box);
  feed.append(room);
  feed.classList.add("moving");
  feed.parentElement.querySelector(".paging")?.setAttribute("hidden", "");
  const aimed = /^#e\d+$/.test(location.hash) ? box.querySelector(location.hash) : null;
  // There first: what is far from the window is let go.
  feed.scrollTop = (aimed ? Math.max(0, indexOf(aimed) - 3) : start) * rowHeight;
  if (aimed) show(indexOf(aimed));
  look();
};

const listen = () => {
  let asked = false;
  feed.addEventListener("scroll", () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      look();
    });
  });
  feed.addEventListener("click", (event) => {
    const row = event.target.closest(".event");
    if (!row || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(indexOf(row)).then(() => inspect(row));
  });
  inspector.addEventListener("click", (event) => {
    if (!event.target.closest("[data-close]")) return;
    event.preventDefault();
    close();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
    if (event.key.length === 1 && (off() || document.querySelector("dialog[open]"))) return;
    const moves = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 };
    const within = feed.contains(event.target);
    if (event.key in moves && (within || event.key.length === 1)) {
      event.preventDefault();
      show(current === null ? Math.floor(feed.scrollTop / rowHeight) : current + moves[event.key]);
    } else if (event.key === "Escape" && !inspector.hidden) close();
    else if (event.key === "c" && event.target.matches(".event")) navigator.clipboard?.writeText(event.target.href);
  });
};

// A run that goes on: rows are added below, and whoever reads at the end stays there.
const grow = (count) => {
  const atEnd = feed.scrollTop + feed.clientHeight >= room.offsetHeight - rowHeight;
  const last = Math.floor((total - 1) / size);
  const more = count - total;
  total = count;
  room.style.height = `${total * rowHeight}px`;
  document.getElementById("events-count").textContent = `${total} events`;
  pages.get(last)?.remove();
  pages.delete(last);
  if (atEnd) feed.scrollTop = room.offsetHeight;
  const newer = document.getElementById("newer");
  if (!atEnd) newer.textContent = `${(Number(newer.dataset.more) || 0) + more} new`;
  newer.dataset.more = String(atEnd ? 0 : (Number(newer.dataset.more) || 0) + more);
  newer.hidden = atEnd;
  look();
};

if (feed?.querySelector(".event")) {
  begin();
  listen();
  const newer = document.getElementById("newer");
  newer.addEventListener("click", () => {
    newer.hidden = true;
    newer.dataset.more = "0";
    feed.scrollTop = room.offsetHeight;
  });
  document.addEventListener("moot:news", ({ detail }) => {
    if (!feed.dataset.query && detail.events > total) grow(detail.events);
  });
}
