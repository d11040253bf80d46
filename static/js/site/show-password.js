// Looking into a password box. Without this file the button stays hidden and the box works.

for (const button of document.querySelectorAll("[data-reveal]")) {
  const box = document.getElementById(button.dataset.reveal);
  const show = (isShown) => {
    box.type = isShown ? "text" : "password";
    button.setAttribute("aria-pressed", String(isShown));
  };
  button.hidden = false;
  button.addEventListener("click", () => show(box.type === "password"));
  // Sent hidden: a browser keeps what stands in a text box among its suggestions.
  box.form.addEventListener("submit", () => show(false));
}
