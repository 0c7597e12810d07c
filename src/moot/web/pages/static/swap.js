// Puts what the server rendered in the place of what is there, element by element: whatever stays the same keeps its
// focus, selection, scroll and open details. The page's only Trusted Types policy is made here.
const policy = globalThis.trustedTypes?.createPolicy("moot", { createHTML: (text) => text });

export const trusted = (text) => policy?.createHTML(text) ?? text;

export const parsed = (text) => new DOMParser().parseFromString(trusted(text), "text/html");

const made = (html) => {
  const template = document.createElement("template");
  template.innerHTML = trusted(html);
  return document.importNode(template.content, true);
};

const key = (node) => node.id || node.dataset?.key || "";

const fits = (old, node) => old.nodeName === node.nodeName && key(old) === key(node);

// What a reader has opened, typed, ticked or reached is the reader's.
const theirs = (element, name) =>
  (name === "open" && element.matches("details, dialog")) ||
  (["value", "checked", "tabindex"].includes(name) && element === document.activeElement);

const takeAttributes = (old, element) => {
  for (const { name } of [...old.attributes])
    if (!element.hasAttribute(name) && !theirs(old, name)) old.removeAttribute(name);
  for (const { name, value } of [...element.attributes])
    if (old.getAttribute(name) !== value && !theirs(old, name)) old.setAttribute(name, value);
};

const become = (old, node) => {
  if (old.isEqualNode(node)) return;
  if (old.nodeType !== Node.ELEMENT_NODE) old.data = node.data;
  else {
    takeAttributes(old, node);
    if (!old.hasAttribute("data-keep")) takeChildren(old, node);
  }
};

const firstFitting = (nodes, child) => {
  for (const each of nodes) if (fits(each, child)) return each;
};

// Whoever was at what has gone goes on at the heading above it.
const remove = (node) => {
  const around = node.contains(document.activeElement) && node.parentElement?.closest("section");
  node.remove();
  const heading = around && around.querySelector("h1, h2, h3");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
};

const takeChildren = (old, node) => {
  const rest = new Set(old.childNodes);
  const pairs = [...node.childNodes].map((child) => {
    const match = firstFitting(rest, child);
    rest.delete(match);
    return [match, child];
  });
  // An element that is moved loses its focus: what has gone and what is mere text gives way first.
  for (const each of rest) remove(each);
  let place = old.firstChild;
  for (const [match, child] of pairs) {
    while (place && place !== match && match?.nodeType === Node.ELEMENT_NODE && place.nodeType !== Node.ELEMENT_NODE) {
      const passed = place;
      place = place.nextSibling;
      passed.remove();
    }
    if (match && match === place) place = place.nextSibling;
    else old.insertBefore(match ?? child, place);
    if (match) become(match, child);
  }
};

/** Put HTML into the element of an id, if it is there. */
export const swap = (id, html) => {
  const element = document.getElementById(id);
  if (element) takeChildren(element, made(html));
};

/** Put HTML into several elements, by id. */
export const swapAll = (parts) => Object.entries(parts).forEach(([id, html]) => swap(id, html));

/** Say something to whoever does not see the page change. */
export const announce = (words) => (document.getElementById("announcements").textContent = words);

/** Fetch a page; null where the server does not answer, and whoever has to sign in goes there. */
export const fetched = async (address) => {
  const response = await fetch(address, { headers: { Accept: "text/html" } }).catch(() => null);
  if (!response) announce("The server does not answer.");
  else if (response.redirected || response.status === 401) location.assign(address);
  else return parsed(await response.text());
  return null;
};

/** Take over the element of an id from another page. */
export const take = (page, id) => {
  const [old, element] = [document.getElementById(id), page.getElementById(id)];
  if (old && element) become(old, document.importNode(element, true));
};

let latest = 0;

/** Fetch a page and take over the elements of these ids; null where that came to nothing or was overtaken. */
export const load = async (address, ids) => {
  const number = ++latest;
  const page = await fetched(address);
  if (!page || number !== latest) return null;
  for (const id of ids) take(page, id);
  document.dispatchEvent(new CustomEvent("moot:swapped", { detail: { ids } }));
  return page;
};
