// Files become texts that can be read before they are sent; why one was refused stays until others are chosen.

/** A line that says what is wrong. */
export const problemLine = (words) => {
  const line = document.createElement("p");
  line.className = "problem";
  line.textContent = words;
  return line;
};

const added = (form, name, text) => {
  const there = [...form.querySelectorAll(".document")];
  const free = there.find((one) => !one.querySelector("textarea").value.trim());
  const document_ = free ?? there.at(-1).cloneNode(true);
  if (!free) there.at(-1).after(document_);
  document_.querySelector("input").value = name;
  document_.querySelector("textarea").value = text;
  document_.querySelector("[data-remove-document]").hidden = false;
  return document_;
};

const removed = (form, one) => {
  if (form.querySelectorAll(".document").length > 1) one.remove();
  else for (const field of one.querySelectorAll("input, textarea")) field.value = "";
};

const handedOver = async (file, most) => {
  const larger = `${file.name} has ${file.size.toLocaleString("en")} bytes, and a file may have`;
  if (file.size > most) return { problem: `${larger} at most ${most.toLocaleString("en")}; give the part that matters.` };
  const said = await fetch(`/ask/document?name=${encodeURIComponent(file.name)}`, {
    method: "POST",
    headers: { "Content-Type": "application/octet-stream" },
    body: file,
  }).catch(() => null);
  if (!said) return { problem: `${file.name} was not read: the server does not answer.` };
  return said.json().catch(() => ({ problem: `${file.name} could not be read.` }));
};

const read = async (form, files) => {
  const problems = form.querySelector("#problems-files");
  problems.replaceChildren();
  for (const file of files) {
    const { text, problem } = await handedOver(file, Number(form.dataset.most));
    if (problem) problems.append(problemLine(problem));
    else added(form, file.name, text);
  }
};

/** Let documents be chosen, dropped, added and removed; `changed` is called after each. */
export const watchDocuments = (form, changed) => {
  form.addEventListener("click", (event) => {
    if (event.target.closest("[data-add-document]")) {
      event.preventDefault();
      added(form, "", "").querySelector("input").focus();
    }
    const remove = event.target.closest("[data-remove-document]");
    if (!remove) return;
    removed(form, remove.closest(".document"));
    changed();
  });
  const drop = form.querySelector(".drop");
  drop.hidden = false;
  drop.querySelector("input").addEventListener("change", async (event) => {
    event.stopPropagation();
    const files = [...event.target.files];
    // The same file may be chosen again once it was mended.
    event.target.value = "";
    await read(form, files);
    changed();
  });
  for (const kind of ["dragover", "dragleave", "drop"]) {
    drop.addEventListener(kind, async (event) => {
      event.preventDefault();
      drop.classList.toggle("over", kind === "dragover");
      if (kind !== "drop") return;
      await read(form, [...event.dataTransfer.files]);
      changed();
    });
  }
};
