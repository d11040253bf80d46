// Buttons that copy a field: `data-copy` names the field's id.

/**
 * Copy the field, by `execCommand` if the Clipboard API fails or is missing, as over plain http.
 * Return whether it was copied; if not, its text stays selected.
 */
async function copy(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    return document.execCommand("copy");
  }
}

/** Copy at each press on a `data-copy` button; the page's part "copied" then says so. */
export function listenForCopies() {
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const isCopied = await copy(document.getElementById(button.dataset.copy));
    const note = document.querySelector('[data-part="copied"]');
    note.textContent = isCopied ? note.dataset.text : "";
  });
}
