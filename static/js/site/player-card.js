// The card of a player over the page: htmx fetches it into its place, here it is opened.

document.body.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id !== "player-card-content") return;
  const card = document.getElementById("player-card");
  if (!card.matches(":popover-open")) card.showPopover();
});
