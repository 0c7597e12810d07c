// One stream a tab: what the server renders anew is swapped in. It is open only while the tab is seen, since a browser
// has six connections to a server and no more.
import { announce, swapAll } from "./swap.js";

const HIDDEN_MS = 5000;
const RETRY_SECONDS = 2;
const FAILURES = 3;

const said = () => document.getElementById("connection");
const version = document.documentElement.dataset.version;

let source = null;
let address = "";
let after = "";
let failures = 0;
let heard = Date.now();
let over = false;
let stopping = false;
let timer;

const clock = (moment) => new Date(moment).toLocaleTimeString([], { hour12: false });

const say = (state, words, reload = false) => {
  const element = said();
  if (!element || element.dataset.state === state + words) return;
  element.dataset.state = state + words;
  element.className = `connection ${state}`;
  element.textContent = words;
  if (!reload) return;
  const link = document.createElement("a");
  link.href = location.href;
  link.textContent = "reload";
  element.append(" ", link);
};

const end = (state, words, reload = false) => {
  over = true;
  close();
  say(state, words, reload);
};

const close = () => {
  source?.close();
  source = null;
  clearTimeout(timer);
};

const told = (event) => {
  heard = Date.now();
  failures = 0;
  if (event.lastEventId) after = event.lastEventId;
  return JSON.parse(event.data);
};

const show = (event) => {
  const before = Number(after);
  const { parts, title, say: words, ...news } = told(event);
  swapAll(parts);
  if (title) document.title = `${title} – Moot`;
  if (words) announce(words);
  if (news.seq > before) document.dispatchEvent(new CustomEvent("moot:news", { detail: news }));
};

const showNow = (event) => {
  const seats = new Map(told(event).map((seat) => [seat.seat, seat]));
  for (const element of document.querySelectorAll("[data-now]")) {
    const seat = seats.get(element.dataset.now);
    if (!seat) continue;
    element.textContent = seat.words;
    element.closest("[data-seat]").dataset.doing = seat.doing;
  }
};

const lost = () => {
  const refused = source?.readyState === EventSource.CLOSED;
  failures += 1;
  close();
  if (failures > FAILURES) say("lost", `heard nothing since ${clock(heard)}:`, true);
  else if (!stopping) say("waiting", `reconnecting in ${RETRY_SECONDS} s`);
  stopping = false;
  // A server that is away comes back; one that refuses goes on refusing.
  if (!refused || failures <= FAILURES) timer = setTimeout(open, RETRY_SECONDS * 1000);
};

const EVENTS = {
  hello: (event) => {
    if (told(event).version !== version) end("lost", "Moot was upgraded:", true);
    else say("live", "live");
  },
  parts: show,
  now: showNow,
  ping: told,
  stopping: () => {
    stopping = true;
    say("waiting", "this server is stopping");
  },
  gone: (event) => end("lost", told(event).words, true),
  end: () => end("", ""),
};

const open = () => {
  clearTimeout(timer);
  if (over || source || document.hidden) return;
  const url = new URL(address, location.href);
  if (after) url.searchParams.set("after", after);
  source = new EventSource(url);
  for (const [name, hear] of Object.entries(EVENTS)) source.addEventListener(name, hear);
  source.addEventListener("error", lost);
};

document.addEventListener("visibilitychange", () => {
  clearTimeout(timer);
  if (document.hidden) timer = setTimeout(close, HIDDEN_MS);
  else open();
});

const begin = () => {
  const element = said();
  if (!element?.dataset.live || element.dataset.live === address) return;
  close();
  ({ live: address, after } = element.dataset);
  over = false;
  open();
};

addEventListener("pagehide", close);
addEventListener("pageshow", (event) => event.persisted && open());
document.addEventListener("moot:swapped", begin);
begin();
