// Shortcuts: every element with data-keys can be reached by typing them; nothing is reached in no other way.
const OFF = "keys-off";
const WAIT_MS = 1200;
let typed = "";
let since = 0;

const off = () => {
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

const list = () => {
  const rows = document.querySelector("#shortcuts .keys");
  if (!rows) return;
  rows.replaceChildren(
    ...[...document.querySelectorAll("[data-keys]")].flatMap((element) => {
      const keys = document.createElement("dt");
      const words = document.createElement("dd");
      keys.textContent = element.dataset.keys;
      words.textContent = element.getAttribute("aria-label") ?? element.textContent.trim();
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
