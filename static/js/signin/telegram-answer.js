// Telegram answers in the URL's fragment (after "#"), which browsers do not send: send it as a form.

const form = document.querySelector("[data-telegram-answer]");
const answer = new URLSearchParams(location.hash.slice(1)).get("tgAuthResult") ?? "";
// Remove the answer from the history, since it can be used to sign in for some minutes.
history.replaceState(null, "", location.pathname + location.search);
form.elements.tgAuthResult.value = answer.replaceAll(" ", "+"); // a plus in a URL is read as a space
form.submit();
