// Shortcuts: every element with data-keys can be reached by typing them; nothing is reached in no other way. What a
// part of a page does with further keys is told by its elements with data-told-keys.
const OFF = "keys-off";
const WAIT_MS = 1200;
let typed = "";
let since = 0;

/** Whether shortcuts are switched off: whoever listens to keys outside of a field or a drawing asks. */
export const off = () => {
  try {
    return localStorage[OFF] === "yes";
  } catch {
    return false;
  }
};

const writing = (target) => target.closest?.("input, textarea, select, [contenteditable]");

const reached = (keys) => [...document.querySelectorAll("[data-keys]")].find((each) => each.dataset.keys === keys);

const use = (element) => {
  if (element.matches("input, textarea, select")) element.focus();
  else element.click();
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || off() || writing(event.target)) return;
  if (event.key.length !== 1 || document.querySelector("dialog[open]")) return;
  typed = event.timeStamp - since < WAIT_MS && typed ? `${typed} ${event.key}` : event.key;
  since = event.timeStamp;
  const element = reached(typed) ?? reached((typed = event.key));
  if (!element) return;
  event.preventDefault();
  typed = "";
  use(element);
});

const wordsOf = (element) => {
  const named = element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent;
  if (named) return named;
  const plain = element.cloneNode(true);
  for (const aside of plain.querySelectorAll("kbd, .count")) aside.remove();
  return plain.textContent.trim();
};

const list = () => {
  const rows = document.querySelector("#shortcuts .keys");
  if (!rows) return;
  rows.replaceChildren(
    ...[...document.querySelectorAll("[data-keys], [data-told-keys]")].flatMap((element) => {
      if (element.closest("[hidden]")) return [];
      const keys = document.createElement("dt");
      const words = document.createElement("dd");
      keys.textContent = element.dataset.keys ?? element.dataset.toldKeys;
      words.textContent = wordsOf(element);
      return [keys, words];
    }),
  );
};

for (const button of document.querySelectorAll("[data-open]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    list();
    document.getElementById(button.dataset.open).showModal();
  });
}
for (const box of document.querySelectorAll("[data-keys-off]")) {
  box.checked = off();
  box.addEventListener("change", () => {
    try {
      localStorage[OFF] = box.checked ? "yes" : "no";
    } catch {
      // A browser that keeps nothing has its shortcuts again on the next page.
    }
  });
}
