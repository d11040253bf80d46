// Enter sends the message where there is a keyboard; Shift and Enter begin a new line. While the
// previous message is being sent, when the button is disabled, the text stays in the field.

document.addEventListener("keydown", (event) => {
  const isPlainEnter = event.key === "Enter" && !event.shiftKey && !event.isComposing;
  if (!isPlainEnter || !event.target.matches("[data-enter-sends]") || matchMedia("(pointer: coarse)").matches) return;
  event.preventDefault();
  const { form } = event.target;
  if (!form.querySelector("button").disabled) form.requestSubmit();
});
