// Pages that can be shared: copy the URL, or share it by the device's own dialog.

import { listenForCopies } from "../lib/copy.js";

listenForCopies();

for (const button of document.querySelectorAll("[data-share]")) {
  button.hidden = !navigator.share;
  button.addEventListener("click", async () => {
    try {
      await navigator.share({ title: document.title, url: button.dataset.share });
    } catch {
      // The visitor closed the dialog.
    }
  });
}
