// Telegram answers behind the "#" of the address, which browsers do not send: send it as a form.

const form = document.querySelector("[data-telegram-answer]");
const answer = new URLSearchParams(location.hash.slice(1)).get("tgAuthResult") ?? "";
// Out of the history: the answer signs in for some minutes.
history.replaceState(null, "", location.pathname + location.search);
form.elements.tgAuthResult.value = answer.replaceAll(" ", "+"); // a plus in an address is read as a space
form.submit();
