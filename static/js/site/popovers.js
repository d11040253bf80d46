// Popovers over a page: a player's card, and the terms of a game over the list. htmx fetches their
// content, and this script opens them.

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

// If htmx gets no answer, the browser loads the page itself, which shows the error.
for (const fault of ["htmx:responseError", "htmx:sendError"]) {
  document.body.addEventListener(fault, (event) => {
    if (isTerms(event)) location.assign(event.detail.elt.href);
  });
}
