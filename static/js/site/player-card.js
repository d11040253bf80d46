// The player card over a page: htmx fetches its content, this script opens it.

document.body.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id !== "player-card-content") return;
  const card = document.getElementById("player-card");
  if (!card.matches(":popover-open")) card.showPopover();
});
