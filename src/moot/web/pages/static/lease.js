// Leases run down; the reader's own is announced a minute before its end. Renewing does not leave the page.
import { announce, parsed, take } from "./swap.js";

const WARNING_MS = 60_000;
const ends = new WeakMap();
let told = "";

const left = (element) => {
  if (!ends.has(element)) ends.set(element, Date.now() + Number(element.dataset.lease) * 1000);
  return ends.get(element) - Date.now();
};

const words = (ms) => {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((part, at) => (at ? String(part).padStart(2, "0") : part)).join(":");
};

const tell = (now, sentence) => {
  if (told === now) return;
  told = now;
  if (sentence) announce(sentence);
};

const own = (element, ms) => {
  const box = element.closest("[data-lease-warns]");
  if (!box) return;
  box.classList.toggle("ending", ms <= WARNING_MS);
  for (const note of document.querySelectorAll("[data-lease-over]")) note.hidden = ms > 0;
  for (const button of document.querySelectorAll("[data-renew]")) button.textContent = ms > 0 ? "Renew" : "Take it again";
  if (ms <= 0) tell("over", "Your lease has run out. What you wrote stays here; take the slot again to go on.");
  else if (ms <= WARNING_MS) tell("ending", "Your lease ends in less than a minute. Renew it to keep the slot.");
  else tell("", "");
};

const tick = () => {
  for (const element of document.querySelectorAll("[data-lease]")) {
    const ms = left(element);
    const text = words(ms);
    if (element.textContent !== text) element.textContent = text;
    own(element, ms);
  }
};

const renew = async (button) => {
  const form = button.form;
  const over = [...document.querySelectorAll("[data-lease-warns] [data-lease]")].some((each) => left(each) <= 0);
  const address = over ? form.getAttribute("action") + "/take" : button.getAttribute("formaction");
  const said = await fetch(address, { method: "POST", body: new URLSearchParams(new FormData(form)) }).catch(() => null);
  if (!said) return announce("The server does not answer.");
  const page = parsed(await said.text());
  if (!said.ok || !page.querySelector("[data-lease-warns]")) {
    // Somebody else has it, or the session is over: the page says so, with all that was written.
    button.setAttribute("formaction", address);
    return form.requestSubmit(button);
  }
  for (const element of document.querySelectorAll("#lease [data-lease]")) ends.delete(element);
  take(page, "lease");
  announce("The lease is renewed.");
  tick();
};

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-renew]");
  if (!button || button.hasAttribute("data-sent")) return;
  event.preventDefault();
  button.setAttribute("data-sent", "");
  renew(button).finally(() => button.removeAttribute("data-sent"));
});

tick();
setInterval(tick, 1000);
