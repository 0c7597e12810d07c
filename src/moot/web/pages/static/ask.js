// The plan beside the form follows what is written; what is too large to be sent is refused before it is.
import { problemLine, watchDocuments } from "./ask-documents.js";
import { announce, parsed, swap } from "./swap.js";

const form = document.getElementById("ask");
const PAUSE_MS = 400;
let waiting;
let asked = 0;

// As a browser sends a form: what is counted here is what the server counts.
const filled = () => {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) body.append(name, value.replace(/\r?\n/g, "\r\n"));
  return body.toString();
};

// A field whose problems are told below it is marked as wrong, for whoever does not see them.
const mark = () => {
  for (const field of form.querySelectorAll('[aria-describedby^="problems-"]:not(fieldset)')) {
    const isWrong = document.getElementById(field.getAttribute("aria-describedby")).querySelector(".problem");
    if (isWrong) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }
};

const number = (count) => count.toLocaleString("en");

const unplanned = (words, isRefused) => {
  document.querySelector(".plan").classList.remove("stale");
  document.querySelector("#plan > details")?.remove();
  document.getElementById("plan-said").replaceChildren(problemLine(words));
  const button = document.querySelector("#plan .main");
  button.textContent = "Ask";
  button.disabled = isRefused;
};

const largest = () => {
  const texts = [...form.querySelectorAll("[name='document-text']"), form.elements.question];
  return texts.reduce((most, text) => (text.value.length > most.value.length ? text : most));
};

/** Whether the form can be sent; what is too large is said at its field. */
const fits = (body) => {
  const [size, most] = [body.length + "&do=ask".length, Number(form.dataset.most)];
  if (size <= most) return true;
  const of = largest();
  const name = of.closest(".document")?.querySelector("[name='document-name']").value.trim();
  const what = of === form.elements.question ? "the question" : name || "a document without a name";
  const words = `This takes ${number(size)} bytes to send, and at most ${number(most)} are taken here. The largest part is ${what}: leave it out, or give what matters of it.`;
  const place = of === form.elements.question ? "question" : "documents";
  document.getElementById(`problems-${place}`).replaceChildren(problemLine(words));
  document.getElementById("documents-sum").textContent = `${number(size)} of at most ${number(most)} bytes, with the question`;
  document.getElementById("documents-sizes").replaceChildren();
  mark();
  unplanned("It cannot be asked like this: it is too large to be sent.", true);
  return false;
};

const failure = async (said) => {
  if (!said) return "the server does not answer";
  return parsed(await said.text()).querySelector(".failure p")?.textContent ?? `the server answers with ${said.status}`;
};

const plan = async (more = "") => {
  const mine = ++asked;
  const body = filled() + more;
  if (!fits(body)) return;
  document.querySelector(".plan").classList.add("stale");
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const said = await fetch("/ask/plan", { method: "POST", headers, body }).catch(() => null);
  const words = said?.ok ? await said.text() : await failure(said);
  if (mine !== asked) return;
  if (!said?.ok) return unplanned(`What will happen is not known: ${words}`, false);
  document.querySelector(".plan").classList.remove("stale");
  for (const part of parsed(words).querySelectorAll("[data-part]")) swap(part.dataset.part, part.innerHTML);
  mark();
};

const later = () => {
  clearTimeout(waiting);
  waiting = setTimeout(plan, PAUSE_MS);
};

if (form) {
  form.addEventListener("input", later);
  form.addEventListener("change", later);
  form.addEventListener("submit", (event) => {
    if (!fits(filled())) event.preventDefault();
  });
  form.addEventListener("click", async (event) => {
    if (!event.target.closest("button[value='plan']")) return;
    event.preventDefault();
    clearTimeout(waiting);
    await plan("&do=plan");
    announce(document.querySelector("#plan .problem, #plan .main").textContent);
  });
  watchDocuments(form, later);
  // Whoever comes back finds what was written, which a browser puts in once the page is shown.
  addEventListener("pageshow", ({ persisted }) => {
    // A page that was kept alive has been sent: what is asked from it now is another question.
    if (persisted) form.elements.once.value += `-${Date.now()}`;
    if (form.elements.question.value.trim()) plan();
  });
}
