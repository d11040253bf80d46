/** Call `start` once the page is complete; an async script may run before or after that. */
export function whenComplete(start) {
  if (document.readyState === "complete") start();
  else addEventListener("load", start);
}
