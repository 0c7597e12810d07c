// Links and forms whose answer takes the place of a part of the page: `data-swap` names the parts by id, `data-inside`
// is a part whose own links and forms change what is in it, `data-more` names the list that a link goes on with.
// Without this module they load the whole page.
import { announce, fetched, load, take } from "./swap.js";

const INSIDE = '[data-inside] a[href^="?"], [data-inside] form';

const named = (element) => (element.dataset.swap ?? element.closest("[data-inside]").id).split(" ");

const here = () => location.pathname + location.search;
let shown = { address: here(), ids: [] };

const go = async (address, ids, { replace = false } = {}) => {
  if (!(await load(address, ids))) return;
  history[replace ? "replaceState" : "pushState"](null, "", address);
  shown = { address: here(), ids };
};

const filled = (form) => {
  const given = [...new FormData(form)].filter(([, value]) => value !== "");
  const query = new URLSearchParams(given).toString();
  return `${form.getAttribute("action") || location.pathname}${query ? `?${query}` : ""}`;
};

const more = async (link) => {
  const page = await fetched(link.href);
  if (!page) return;
  const { more: rows, moreLink: further } = link.dataset;
  const added = [...(page.getElementById(rows)?.children ?? [])].map((row) => document.importNode(row, true));
  document.getElementById(rows).append(...added);
  take(page, further);
  added[0]?.querySelector("a, button")?.focus();
};

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const link = event.target.closest?.(`a[data-swap], a[data-more], ${INSIDE}`);
  if (!link?.href) return;
  event.preventDefault();
  if (link.dataset.more) more(link);
  else go(link.href, named(link), { replace: !link.dataset.swap });
});

const FORM = ':is(form[data-swap], [data-inside] form):not([method="post"])';

document.addEventListener("submit", (event) => {
  if (!event.target.matches(FORM)) return;
  event.preventDefault();
  go(filled(event.target), named(event.target));
});

const TYPING_MS = 250;
let waiting;
document.addEventListener("input", ({ target }) => {
  if (!target.form?.matches(FORM)) return;
  clearTimeout(waiting);
  waiting = setTimeout(() => go(filled(target.form), named(target.form), { replace: true }), TYPING_MS);
});

addEventListener("popstate", () => {
  if (here() === shown.address) return;
  shown = { ...shown, address: here() };
  load(location.href, shown.ids);
});

for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy).then(
      () => announce("Copied."),
      () => announce("It could not be copied."),
    );
  });
}
