// The terms of a game over the list: htmx fetches them, this script opens them.

const isTerms = (event) => event.detail.target.id === "agreement";

document.body.addEventListener("htmx:afterSwap", (event) => {
  if (!isTerms(event)) return;
  const place = document.getElementById("agreement-place");
  place.scrollTop = 0;
  if (!place.matches(":popover-open")) place.showPopover();
});

// Without an answer the browser loads the page, which says what is wrong.
for (const fault of ["htmx:responseError", "htmx:sendError"]) {
  document.body.addEventListener(fault, (event) => {
    if (isTerms(event)) location.assign(event.detail.elt.href);
  });
}
