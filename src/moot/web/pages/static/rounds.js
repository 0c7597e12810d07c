// Arrow keys move a choice, such as the loop: all that belongs to it moves with it.
const current = (choice, step) => {
  const links = [...choice.querySelectorAll("a")];
  const at = links.findIndex((link) => link.hasAttribute("aria-current"));
  return links[at + step];
};

document.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (event.target.closest("input, select, textarea, [role=tablist]")) return;
  const choice = event.target.closest("[data-choice]") ?? document.querySelector("[data-choice]");
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
