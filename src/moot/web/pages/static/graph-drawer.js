// The drawer of a claim: fetched from the server, put into the drawing, and told in the address.
import { announce, swap } from "./swap.js";

const addressOf = (claim) => {
  const address = new URL(location.href);
  if (claim) address.searchParams.set("claim", claim);
  else address.searchParams.delete("claim");
  address.hash = "";
  return address;
};

export const claimNow = () => new URL(location.href).searchParams.get("claim") ?? "";

/** Open and close the drawer; `shown` is told whose it is, and "" once it is closed. */
export const openDrawer = (drawer, shown) => {
  let latest = 0;

  const fetched = async (address) => {
    const part = new URL(address);
    part.searchParams.set("fragment", "drawer");
    const response = await fetch(part, { headers: { Accept: "text/html" } }).catch(() => null);
    if (!response) announce("The server does not answer.");
    else if (response.redirected || !response.ok) location.assign(address);
    else return response.text();
    return null;
  };

  const open = async (claim, { focus = false, push = true } = {}) => {
    const number = ++latest;
    const address = addressOf(claim);
    const html = await fetched(address);
    if (html === null || number !== latest) return;
    swap("drawer", html);
    drawer.hidden = false;
    drawer.scrollTo(0, 0);
    if (push && claim !== claimNow()) history.pushState(null, "", address);
    shown(claim);
    if (focus) drawer.querySelector("#drawer-title")?.focus();
  };

  const close = ({ push = true } = {}) => {
    latest += 1;
    drawer.hidden = true;
    if (push && claimNow()) history.pushState(null, "", addressOf(""));
    shown("");
  };

  drawer.addEventListener("click", (event) => {
    if (!event.target.closest(".drawer-close")) return;
    event.preventDefault();
    close();
  });
  return { open, close, isOpen: () => !drawer.hidden };
};
