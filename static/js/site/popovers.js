// Popovers over a page, whose content htmx fetches and this script opens: a player's card, and the
// terms of a game over the list.

const isTerms = (event) => event.detail.target.id === "agreement";

function open(popover) {
  if (!popover.matches(":popover-open")) popover.showPopover();
}

document.body.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id === "player-card-content") open(document.getElementById("player-card"));
  if (!isTerms(event)) return;
  const place = document.getElementById("agreement-place");
  place.scrollTop = 0;
  open(place);
});

// Without an answer the browser loads the page, which says what is wrong.
for (const fault of ["htmx:responseError", "htmx:sendError"]) {
  document.body.addEventListener(fault, (event) => {
    if (isTerms(event)) location.assign(event.detail.elt.href);
  });
}
