// The answer to a sent message replaces the form. Text that was typed meanwhile goes on into the new
// form.

let sent = ""; // the text of the message that is being sent
let typed = null; // the field's text and selection, before the answer replaces the form

// Also the field of a message that can no longer be sent, which is there to be copied.
const field = () => document.querySelector("#conversation .write textarea");

/** Call a function at htmx's events about the whole conversation, which only the form requests. */
function on(type, act) {
  document.body.addEventListener(type, ({ detail }) => { if (detail.target?.id === "conversation") act(); });
}

function remember() {
  const { value, selectionStart, selectionEnd } = field();
  typed = { value, selectionStart, selectionEnd };
}

/** Return the typed text that the answer does not cover: a refused message comes back whole. */
function unsent(isRefused) {
  const isAdded = !isRefused && typed.value.startsWith(sent);
  return isAdded ? typed.value.slice(sent.length).trimStart() : typed.value;
}

function carryOver() {
  const next = field();
  if (!next) return;
  next.value = unsent(next.value !== "");
  const gone = typed.value.length - next.value.length;
  next.setSelectionRange(Math.max(0, typed.selectionStart - gone), Math.max(0, typed.selectionEnd - gone));
}

on("htmx:beforeRequest", () => { sent = field().value; });
on("htmx:beforeSwap", remember);
on("htmx:afterSwap", carryOver);
