// The dialog with the terms of a game: htmx fetches them, this script opens it over the list.

const isTerms = (event) => event.detail.target.id === "agreement";

document.body.addEventListener("htmx:afterSwap", (event) => {
  if (!isTerms(event)) return;
  const place = document.getElementById("agreement-place");
  place.scrollTop = 0;
  if (!place.matches(":popover-open")) place.showPopover();
});

// If htmx gets no answer, the browser loads the page itself, which shows the error.
for (const fault of ["htmx:responseError", "htmx:sendError"]) {
  document.body.addEventListener(fault, (event) => {
    if (isTerms(event)) location.assign(event.detail.elt.href);
  });
}
