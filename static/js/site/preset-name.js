// Enter in the field for a preset's name saves the preset. Without this script Enter would press the
// form's first button.

const name = document.querySelector("[name=preset_name]");
name?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.isComposing) return;
  event.preventDefault();
  document.querySelector("[data-part=save-preset]").click();
});
