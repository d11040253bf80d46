// Popovers over a page: a player's card, and the terms of a game over the list. htmx fetches their
// content, and this script opens them.

function open(popover) {
  if (!popover.matches(":popover-open")) popover.showPopover();
}

document.body.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id === "player-card-content") open(document.getElementById("player-card"));
  if (event.detail.target.id !== "agreement") return;
  const place = document.getElementById("agreement-place");
  place.scrollTop = 0;
  open(place);
});
