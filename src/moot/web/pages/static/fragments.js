// A piece of a page, fetched and parsed; nothing is put anywhere.
import { trusted } from "./swap.js";

/** Fetch HTML as a fragment; throws where the server does not answer with a page. */
export const fragment = async (address, options = {}) => {
  const response = await fetch(address, { headers: { Accept: "text/html" }, ...options });
  if (!response.ok || response.redirected) throw new Error(`${response.status}`);
  const template = document.createElement("template");
  template.innerHTML = trusted(await response.text());
  return document.importNode(template.content, true);
};
