// Header menus are <details> and work without this script, which closes an open menu on Escape and
// when the visitor presses or focuses anything outside it.

const openMenus = () => document.querySelectorAll("details.menu[open]");

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of openMenus()) {
    const hadFocus = menu.contains(document.activeElement);
    menu.open = false;
    if (hadFocus) menu.querySelector("summary").focus();
  }
});

for (const type of ["pointerdown", "focusin"]) {
  document.addEventListener(type, (event) => {
    for (const menu of openMenus()) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });
}
