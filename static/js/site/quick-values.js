// Buttons that set a number field: `data-values-of` of their group names the field's id.

for (const group of document.querySelectorAll("[data-values-of]")) {
  const field = document.getElementById(group.dataset.valuesOf);
  const buttons = [...group.querySelectorAll("button")];
  const mark = () => {
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.value === field.value));
  };
  group.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    field.value = button.value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  field.addEventListener("input", mark);
  mark();
}
