// Enter in the name of a preset saves it: without the script it presses the form's first button.

const name = document.querySelector("[name=preset_name]");
name?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.isComposing) return;
  event.preventDefault();
  document.querySelector("[data-part=save-preset]").click();
});
