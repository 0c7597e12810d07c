// What somebody writes is kept in this tab until it was taken; fields count, and a slider follows its number.
import { announce } from "./swap.js";

const get = (name) => {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
};

const keep = (name, fields) => {
  try {
    if (fields) sessionStorage.setItem(name, JSON.stringify(fields));
    else sessionStorage.removeItem(name);
  } catch {
    // A browser that keeps nothing still has what is on the page.
  }
};

const NOT_KEPT = ["once", "lease"];
const name = (form) => `draft ${form.dataset.draft}`;

const written = (form) =>
  Object.fromEntries([...new FormData(form)].filter(([field, value]) => !NOT_KEPT.includes(field) && value !== ""));

const restore = (form) => {
  const draft = get(name(form));
  if (!draft || form.hasAttribute("data-returned")) return;
  let back = false;
  for (const [field, value] of Object.entries(draft)) {
    const element = form.elements[field];
    if (!element || element.value) continue;
    element.value = value;
    back = back || element.value === value;
  }
  for (const note of form.querySelectorAll("[data-draft-note]")) note.hidden = !back;
  if (back) announce("What you wrote here before is back.");
};

const count = (field) => {
  const counter = document.querySelector(`[data-counter="${CSS.escape(field.id)}"]`);
  if (!counter) return;
  const lines = field.dataset.countedLines;
  const most = Number(lines ?? field.dataset.counted);
  const number = lines ? field.value.split("\n").filter((line) => line.trim()).length : field.value.length;
  counter.hidden = false;
  counter.textContent = `${number} of about ${most} ${lines ? "lines" : "characters"} asked for`;
  counter.classList.toggle("over", number > most);
};

for (const done of document.querySelectorAll("[data-draft-done]")) keep(`draft ${done.dataset.draftDone}`, null);

const begun = new WeakSet();
const sent = new Set();

const begin = (form) => {
  if (begun.has(form)) return;
  begun.add(form);
  restore(form);
  form.addEventListener("input", () => keep(name(form), written(form)));
  form.addEventListener("submit", () => sent.add(name(form)));
};

const beginAll = () => document.querySelectorAll("form[data-draft]").forEach(begin);
beginAll();

// A form that the page itself takes away, since somebody else filled it, leaves what was written in view.
const unsent = document.getElementById("unsent");

const left = () => {
  const there = new Set([...document.querySelectorAll("form[data-draft]")].map(name));
  const drafts = Object.keys(sessionStorage).filter((key) => key.startsWith(`draft ${unsent.dataset.drafts}`));
  return drafts.filter((key) => !there.has(key) && !sent.has(key));
};

const showUnsent = () => {
  const texts = left().flatMap((key) => Object.values(get(key) ?? {}));
  unsent.querySelector(".written").textContent = texts.join("\n\n");
  if (texts.length && unsent.hidden) announce(unsent.querySelector("h2").textContent);
  unsent.hidden = !texts.length;
};

if (unsent) {
  showUnsent();
  unsent.querySelector("button").addEventListener("click", () => {
    for (const key of left()) keep(key, null);
    showUnsent();
    document.getElementById("main").focus();
  });
  new MutationObserver(() => {
    beginAll();
    showUnsent();
    // Whoever was writing is led to the words, since the field that had the focus is gone.
    if (!unsent.hidden && document.activeElement === document.body) unsent.focus();
  }).observe(document.getElementById("part-waiting"), { childList: true, subtree: true });
}

for (const field of document.querySelectorAll("[data-counted], [data-counted-lines]")) {
  count(field);
  field.addEventListener("input", () => count(field));
}

for (const slider of document.querySelectorAll("[data-slides]")) {
  const number = document.getElementById(slider.dataset.slides);
  const follow = () => {
    const value = Number(number.value);
    if (number.value.trim() && value >= Number(slider.min) && value <= Number(slider.max)) slider.value = number.value;
  };
  slider.hidden = false;
  follow();
  number.addEventListener("input", follow);
  slider.addEventListener("input", () => {
    number.value = slider.value;
    number.dispatchEvent(new Event("input", { bubbles: true }));
  });
}
