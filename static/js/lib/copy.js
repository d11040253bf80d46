// Buttons that copy a field: `data-copy` names the field's id.

/** Copy the field, by `execCommand` where there is no Clipboard API, as over plain http. */
async function copy(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy");
  }
}

/** Copy at each press on such a button; the element `data-part="copied"` of the page says so. */
export function listenForCopies() {
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    await copy(document.getElementById(button.dataset.copy));
    const note = document.querySelector('[data-part="copied"]');
    note.textContent = note.dataset.text;
  });
}
