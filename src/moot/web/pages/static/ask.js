// The plan beside the form follows what is written; files become texts that can be read before they are sent.
import { parsed, swap } from "./swap.js";

const form = document.getElementById("ask");
const PAUSE_MS = 400;
let waiting;
let asked = 0;

const plan = async () => {
  const mine = ++asked;
  document.querySelector(".plan")?.classList.add("stale");
  const body = new URLSearchParams(new FormData(form));
  const said = await fetch("/ask/plan", { method: "POST", body }).catch(() => null);
  if (mine !== asked) return;
  document.querySelector(".plan")?.classList.remove("stale");
  if (!said?.ok) return;
  for (const part of parsed(await said.text()).querySelectorAll("[data-part]")) swap(part.dataset.part, part.innerHTML);
};

const later = () => {
  clearTimeout(waiting);
  waiting = setTimeout(plan, PAUSE_MS);
};

const added = (name, text) => {
  const there = [...form.querySelectorAll(".document")];
  const free = there.find((one) => !one.querySelector("textarea").value.trim());
  const document_ = free ?? there.at(-1).cloneNode(true);
  if (!free) there.at(-1).after(document_);
  document_.querySelector("input").value = name;
  document_.querySelector("textarea").value = text;
  document_.querySelector("[data-remove-document]").hidden = false;
  return document_;
};

const read = async (files) => {
  for (const file of files) {
    const said = await fetch(`/ask/document?name=${encodeURIComponent(file.name)}`, {
      method: "POST",
      headers: { "Content-Type": "application/octet-stream" },
      body: file,
    });
    const { text, problem } = await said.json().catch(() => ({ problem: `${file.name} could not be read.` }));
    if (text !== undefined) added(file.name, text);
    const told = document.getElementById("problems-documents");
    if (problem) {
      const line = document.createElement("p");
      line.className = "problem";
      line.textContent = problem;
      told.append(line);
    }
  }
  later();
};

if (form) {
  form.addEventListener("input", later);
  form.addEventListener("change", later);
  form.addEventListener("click", (event) => {
    if (event.target.closest("[data-add-document]")) {
      event.preventDefault();
      added("", "").querySelector("input").focus();
    }
    const remove = event.target.closest("[data-remove-document]");
    if (!remove) return;
    const one = remove.closest(".document");
    if (form.querySelectorAll(".document").length > 1) one.remove();
    else for (const field of one.querySelectorAll("input, textarea")) field.value = "";
    later();
  });
  const drop = form.querySelector(".drop");
  drop.hidden = false;
  drop.querySelector("input").addEventListener("change", (event) => {
    event.stopPropagation();
    read(event.target.files);
  });
  for (const kind of ["dragover", "dragleave", "drop"]) {
    drop.addEventListener(kind, (event) => {
      event.preventDefault();
      drop.classList.toggle("over", kind === "dragover");
      if (kind === "drop") read(event.dataTransfer.files);
    });
  }
  if (form.elements.question.value.trim()) plan();
}
