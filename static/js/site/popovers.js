// Popovers over a page: a player's card, and the terms of a game over the list. htmx fetches their
// content, and this script opens them.

function open(popover) {
  if (!popover.matches(":popover-open")) popover.showPopover();
}

document.body.addEventListener("htmx:afterSwap", ({ detail }) => {
  const id = detail.target?.id; // no target if the browser's Back button made htmx swap in a page
  if (id === "player-card-content") open(document.getElementById("player-card"));
  if (id !== "agreement") return;
  const place = document.getElementById("agreement-place");
  place.scrollTop = 0;
  open(place);
});
