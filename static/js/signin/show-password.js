// Show or hide a password. Without this script the button stays hidden and the input works.

for (const button of document.querySelectorAll("[data-reveal]")) {
  const box = document.getElementById(button.dataset.reveal);
  const show = (isShown) => {
    box.type = isShown ? "text" : "password";
    button.setAttribute("aria-pressed", String(isShown));
  };
  button.hidden = false;
  button.addEventListener("click", () => show(box.type === "password"));
  // Hide the text before it is sent: browsers remember the content of text boxes.
  box.form.addEventListener("submit", () => show(false));
}
