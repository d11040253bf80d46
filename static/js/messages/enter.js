// Enter sends the message where there is a keyboard; Shift and Enter begin a new line.

document.addEventListener("keydown", (event) => {
  const isPlainEnter = event.key === "Enter" && !event.shiftKey && !event.isComposing;
  if (!isPlainEnter || !event.target.matches("[data-enter-sends]") || matchMedia("(pointer: coarse)").matches) return;
  event.preventDefault();
  event.target.form.requestSubmit();
});
