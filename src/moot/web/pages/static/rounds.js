// Arrow keys move a choice, such as the loop: all that belongs to it moves with it.
import { off } from "./keys.js";

const current = (choice, step) => {
  const links = [...choice.querySelectorAll("a")];
  const at = links.findIndex((link) => link.hasAttribute("aria-current"));
  return links[at + step];
};

// What is wider than its room is scrolled by the same keys, and has them first.
const scrolls = (element) => {
  for (let up = element; up && up !== document.body; up = up.parentElement)
    if (up.scrollWidth > up.clientWidth && ["auto", "scroll"].includes(getComputedStyle(up).overflowX)) return true;
  return false;
};

const choiceFor = (target) => {
  const own = target.closest("[data-choice]");
  if (own || scrolls(target)) return own;
  const speaksForAll = target === document.body || target.id === "main" || target.closest("figure.chart");
  return speaksForAll && document.querySelector("[data-choice]");
};

document.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || off()) return;
  if (event.target.closest("input, select, textarea, [role=tablist]") || document.querySelector("dialog[open]")) return;
  const choice = choiceFor(event.target);
  const link = choice && current(choice, step);
  if (!link) return;
  event.preventDefault();
  const { value } = link.dataset;
  const within = choice.contains(document.activeElement);
  const same = `[data-choice="${choice.dataset.choice}"] a[data-value="${CSS.escape(value)}"]`;
  const stay = () => within && document.querySelector(same)?.focus();
  document.addEventListener("moot:swapped", stay, { once: true });
  link.click();
});

const help = document.querySelector(".keys-help");
const tell = () => (help.hidden = !document.querySelector("[data-choice]"));
document.addEventListener("moot:news", tell);
tell();
